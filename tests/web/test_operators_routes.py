"""Health, figures, the description of the routes, and who may open the event socket."""

import asyncio
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from tests.patience import eventually, patience
from tests.web import served
from walletmodal.services.metrics import count_ignored
from walletmodal.web.drain import Drain
from walletmodal.web.origin import OwnPagesOnly


async def _fails() -> None:
    raise ConnectionError("gone")


async def _hangs() -> None:
    await asyncio.Event().wait()


async def test_a_healthy_server_says_so(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path)) as client:
        answer = await client.get("/_health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "db": "ok"})


async def test_a_part_that_does_not_answer_makes_it_unhealthy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.web.health.LIMIT_SECONDS", 0.01)
    async with served.client(served.app(tmp_path, probes={"db": _fails, "redis": _hangs})) as client:
        answer = await client.get("/_health")
    assert (answer.status_code, answer.json()) == (503, {"status": "failed", "db": "failed", "redis": "failed"})
    assert "gone" not in answer.text


async def test_all_who_ask_at_once_are_one_question_to_each_part(tmp_path: Path) -> None:
    """Or anybody could have it look unhealthy: balancers would take one server after the other out."""
    answered, asked = asyncio.Event(), list[asyncio.Event]()

    async def answers_later() -> None:
        asked.append(answered)
        await answered.wait()

    async with served.client(served.app(tmp_path, probes={"db": answers_later})) as client, patience():
        asking = [asyncio.create_task(client.get("/_health")) for _ in range(20)]
        await eventually(lambda: asked, "the question")
        for _ in range(100):
            await asyncio.sleep(0)
        answered.set()
        statuses = {answer.status_code for answer in await asyncio.gather(*asking)}
        assert (statuses, len(asked)) == ({200}, 1)
        await client.get("/_health")
    assert len(asked) == 2


async def test_a_server_that_is_going_to_end_wants_no_more_visitors_and_runs(tmp_path: Path) -> None:
    drain = Drain()
    drain.announced = True
    async with served.client(served.app(tmp_path, drain=drain)) as client:
        answer, alive = await client.get("/_health"), await client.get("/_live")
    assert (answer.status_code, answer.json(), alive.status_code) == (503, {"status": "draining"}, 200)


async def test_a_server_whose_database_is_away_runs(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path, probes={"db": _fails})) as client:
        assert (await client.get("/_live")).status_code == 200


async def test_programs_on_this_machine_read_the_figures(tmp_path: Path) -> None:
    count_ignored("test_figures")
    async with served.client(served.app(tmp_path)) as client:
        answer = await client.get("/metrics")
    assert answer.status_code == 200
    assert 'walletmodal_ignored_total{reason="test_figures"} 1.0' in answer.text


@pytest.mark.parametrize(
    ("peer", "host", "headers"),
    [
        ("203.0.113.5", "modal.example.com", {}),
        ("127.0.0.1", "modal.example.com", {}),
        ("127.0.0.1", served.HOST, {"X-Forwarded-For": "203.0.113.5"}),
        ("127.0.0.1", served.HOST, {"Forwarded": "for=203.0.113.5"}),
        ("127.0.0.1", served.HOST, {"X-Forwarded-Host": "modal.example.com"}),
        ("127.0.0.1", served.HOST, {"X-Forwarded-Proto": "https"}),
        ("127.0.0.1", served.HOST, {"X-Real-IP": "203.0.113.5"}),
        ("127.0.0.1", served.HOST, {"Via": "1.1 proxy"}),
        ("203.0.113.5", served.HOST, {}),
        ("203.0.113.5", served.HOST, {"Authorization": "Bearer wrong"}),
        ("203.0.113.5", served.HOST, {"Authorization": f"Basic {served.KEY}"}),
        ("203.0.113.5", served.HOST, {"Authorization": "Bearer "}),
    ],
)
async def test_nobody_else_reads_the_figures(tmp_path: Path, peer: str, host: str, headers: dict[str, str]) -> None:
    async with served.client(served.app(tmp_path), peer=peer, host=host) as client:
        answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


async def test_who_holds_the_key_reads_the_figures(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path), peer="203.0.113.5") as client:
        answer = await client.get("/metrics", headers={"Authorization": f"Bearer {served.KEY}"})
    assert answer.status_code == 200


async def test_every_described_route_is_there(tmp_path: Path) -> None:
    async with served.client(served.app(tmp_path)) as client:
        paths = (await client.get("/openapi.json")).json()["paths"]
        for path, operations in paths.items():
            for method in operations:
                assert (await client.request(method.upper(), path)).status_code not in {404, 405}


@pytest.mark.parametrize(
    ("origin", "accepted"),
    [
        (served.ORIGIN, True),
        (None, True),
        ("https://evil.example", False),
        ("http://localhost:3001", False),
        ("null", False),
    ],
)
@pytest.mark.parametrize("kind", ["websocket", "http"])
async def test_the_event_socket_is_for_our_own_pages(origin: str | None, accepted: bool, kind: str) -> None:
    reached: list[str] = []
    sent: list[Message] = []

    async def inner(scope: Scope, _receive: Receive, _send: Send) -> None:
        reached.append(scope["path"])

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    headers = [(b"host", served.HOST.encode())] + ([(b"origin", origin.encode())] if origin else [])
    await OwnPagesOnly(inner)({"type": kind, "path": "/_event/", "headers": headers}, receive, send)
    assert bool(reached) is accepted
    assert bool(sent) is not accepted
