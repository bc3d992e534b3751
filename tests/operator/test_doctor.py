"""`doctor`: each part that does not work is named, and nothing is changed or given away."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from tests.operator.conftest import Deployed
from tests.ports import free_ports
from tests.services_fixtures import postgres_server, redis_server, redis_url
from tests.web import served
from walletmodal.config import Settings
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.operator.findings import Finding
from walletmodal.operator.look_at_nodes import nodes
from walletmodal.operator.look_at_origins import check_own_pages, origins
from walletmodal.operator.look_at_records import database, keys, redis
from walletmodal.operator.look_at_services import services
from walletmodal.operator.look_at_settings import policy, written_settings
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen

__all__ = ["postgres_server", "redis_server", "redis_url"]

SECRET = "hunter2-of-this-deployment"
HOST_PAGE = "https://app.example.com"


def settings(**chosen: Any) -> Settings:
    return Settings(_env_file=None, **{"networks": ("eip155:1",), **chosen})


@pytest.fixture(autouse=True)
def _no_other_settings(environment: pytest.MonkeyPatch) -> None:
    """What a test chooses is all that is set."""


def states(found: Any) -> list[str]:
    return [one.state for one in found]


@asynccontextmanager
async def serving(app: ASGIApp, *, websockets: bool = False) -> AsyncIterator[int]:
    port = free_ports()
    http = HttpServer(app, listen(port, "TEST"), websocket_frame=4096 if websockets else None)
    await http.start()
    yield port
    await http.stop()


def test_a_deployment_that_lacks_something_is_told_what_with_status_1(deployed: Deployed) -> None:
    port = str(free_ports())
    answer = deployed.run(
        "doctor",
        "--json",
        WALLETMODAL_PORT=port,
        REDIS_URL=f"redis://:{SECRET}@127.0.0.1:1",
        RPC_URLS=f"eip155:1=http://127.0.0.1:1/{SECRET}",
        NETWORKS="eip155:1",
        DIRECTORY_URL="http://127.0.0.1:1",
        API_KEY=SECRET,
        SECRET_KEY=SECRET,
    )
    assert answer.status == 1
    failed = {one["part"] for one in answer.json if one["state"] == "failed"}
    assert failed == {"redis", "nodes", "DIRECTORY_URL"}
    assert SECRET not in answer.out + answer.err


def test_a_deployment_that_can_work_is_told_so_with_status_0(deployed: Deployed) -> None:
    answer = deployed.run("doctor", WALLETMODAL_PORT=str(free_ports()), NETWORKS="eip155:1")
    assert answer.status == 0
    assert "SQLite answers" in answer.out


def test_wrong_settings_are_all_named_with_status_2(deployed: Deployed) -> None:
    answer = deployed.run("doctor", "--json", WORKERS="0", ALLOWED_ORIGINS="*", NAME_ZONE="eth")
    assert answer.status == 2
    assert {one["part"] for one in answer.json} == {"WORKERS", "ALLOWED_ORIGINS", "NAME_ZONE"}


async def test_a_database_is_known_by_its_tables(tmp_path: Path, empty_database: bytes) -> None:
    file = tmp_path / "test.db"
    chosen = settings(database_url=f"sqlite:///{file}")
    assert states(await database(chosen)) == ["warning"]
    assert not file.exists()
    file.touch()
    (found,) = await database(chosen)
    assert (found.state, "has no tables" in found.text) == ("failed", True)
    file.unlink()
    upgrade(chosen.database_url, "0001")
    (found,) = await database(chosen)
    assert (found.state, "revision 0001" in found.text) == ("failed", True)
    file.write_bytes(empty_database)
    assert states(await database(chosen)) == ["ok"]
    with sqlite3.connect(file) as tables:
        tables.execute("UPDATE alembic_version SET version_num = '9999'")
    (found,) = await database(chosen)
    assert (found.state, "a later version (9999)" in found.text) == ("warning", True)
    with sqlite3.connect(file) as tables:
        tables.execute("DROP TABLE resume")
    (found,) = await database(chosen)
    assert (found.state, "there is no table resume" in found.text) == ("failed", True)


async def test_postgresql_is_known_by_its_tables_too(postgres_server: Any) -> None:
    chosen = settings(database_url=postgres_server.create_database())
    (found,) = await database(chosen)
    assert (found.state, "PostgreSQL has no tables" in found.text) == ("failed", True)
    upgrade(chosen.database_url)
    assert states(await database(chosen)) == ["ok"]


async def test_redis_answers_or_does_not(redis_url: str) -> None:
    assert states(await redis(settings())) == ["ok"]
    assert states(await redis(settings(redis_url=redis_url))) == ["ok"]
    assert states(await redis(settings(redis_url="redis://127.0.0.1:1"))) == ["failed"]


@pytest.mark.parametrize(
    ("secret", "expected"),
    [("a" * 24, ["ok"]), ("b" * 24, ["failed"]), (None, ["failed"])],
)
async def test_a_secret_that_opens_no_key_is_noticed(
    tmp_path: Path, empty_database: bytes, secret: str | None, expected: list[str]
) -> None:
    file = tmp_path / "test.db"
    file.write_bytes(empty_database)
    chosen = settings(database_url=f"sqlite:///{file}", secret_key=SecretStr(secret) if secret else None)
    assert states(await keys(chosen)) == ["ok"]
    engine = open_engine(chosen.database_url)
    await SigningKeys(engine, secret="a" * 24).current()
    assert states(await keys(chosen)) == expected
    assert len(await SigningKeys(engine).on_record()) == 1
    await engine.dispose()


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, ["warning", "warning"]),
        ({"public_url": "https://modal.example"}, ["ok", "warning"]),
        ({"public_url": "https://modal.example", "allowed_origins": (HOST_PAGE,)}, ["ok", "ok"]),
        ({"public_url": "https://modal.example", "allowed_origins": ("http://app.example.com",)}, ["ok", "warning"]),
        ({"public_url": "https://modal.example", "allowed_origins": ("http://localhost:8700",)}, ["ok", "ok"]),
        ({"allowed_origins": (HOST_PAGE,)}, ["warning", "warning"]),
        ({"allowed_origins": ("http://localhost:8700",)}, ["warning", "ok"]),
    ],
)
async def test_origins_that_cannot_work_in_a_browser_are_noticed(chosen: dict[str, Any], expected: list[str]) -> None:
    assert states(await origins(settings(**chosen))) == expected


async def _open(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text('0{"sid":"a"}')
    await websocket.close()


async def looked_at(app: ASGIApp, *, websockets: bool = True, **chosen: Any) -> list[Finding]:
    async with serving(app, websockets=websockets) as port:
        return list(await check_own_pages(settings(public_url=f"http://localhost:{port}", **chosen)))


def with_socket(app: ASGIApp) -> ASGIApp:
    return Starlette(routes=[WebSocketRoute("/_event/", _open), Mount("/", app)])


async def test_the_running_server_is_asked_as_browsers_ask_it(tmp_path: Path) -> None:
    app = with_socket(served.app(served.build(tmp_path), allowed_origins=(HOST_PAGE,)))
    assert states(await looked_at(app, allowed_origins=(HOST_PAGE,))) == ["ok", "ok"]


async def test_a_server_of_other_settings_is_noticed(tmp_path: Path) -> None:
    page, socket = await looked_at(with_socket(served.app(served.build(tmp_path))), allowed_origins=(HOST_PAGE,))
    assert (page.state, HOST_PAGE in page.text, socket.state) == ("failed", True, "ok")


async def test_a_proxy_that_passes_on_no_websockets_is_noticed(tmp_path: Path) -> None:
    found = await looked_at(served.app(served.build(tmp_path)), websockets=False)
    assert [(one.part, one.state) for one in found] == [("own pages", "ok"), ("socket", "failed")]


async def test_somebody_elses_server_is_noticed() -> None:
    async def hello(_request: Request) -> PlainTextResponse:
        return PlainTextResponse("hello")

    assert states(await looked_at(Starlette(routes=[Route("/{path:path}", hello)]))) == ["failed"]


@pytest.mark.parametrize("broken", ["/", "/.well-known/jwks.json"])
async def test_a_server_whose_pages_break_off_is_noticed(broken: str) -> None:
    async def answer(request: Request) -> PlainTextResponse:
        encoding = {"Content-Encoding": "gzip"} if request.url.path == broken else {}
        return PlainTextResponse("no gzip", headers={"X-Request-ID": "a", **encoding})

    assert states(await looked_at(Starlette(routes=[Route("/{path:path}", answer)]))) == ["failed"]


async def test_a_server_that_does_not_run_is_no_failure_of_the_settings() -> None:
    assert states(await check_own_pages(settings(public_url=f"http://localhost:{free_ports()}"))) == ["warning"]


def _node(result: object = "0x1", *, status: int = 200, error: object = None) -> BaseRoute:
    async def answer(request: Request) -> JSONResponse:
        asked = await request.json()
        told = {"error": error} if error else {"result": result}
        rows = [{"jsonrpc": "2.0", "id": one["id"], **told} for one in (asked if isinstance(asked, list) else [asked])]
        return JSONResponse(rows if isinstance(asked, list) else rows[0], status)

    return Route("/", answer, methods=["POST"])


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (lambda: _node("0x1"), "ok"),
        (lambda: _node("0x89"), "failed"),
        (lambda: _node({"no": "number"}), "failed"),
        (lambda: _node("zz"), "failed"),
        (lambda: _node(error={"code": -32601, "message": "unknown"}), "failed"),
    ],
)
async def test_a_node_must_be_of_the_network(node: Callable[[], BaseRoute], expected: str) -> None:
    async with serving(Starlette(routes=[node()])) as port:
        url = f"http://localhost:{port}/"
        assert states(await nodes(settings(rpc_urls={"eip155:1": (url,)}))) == [expected]


async def test_a_network_without_a_node_is_noticed() -> None:
    assert states(await nodes(settings())) == ["warning"]


@pytest.mark.parametrize("result", ["a" * 44, 7])
async def test_a_test_validator_of_this_machine_is_said_to_be_one(result: object) -> None:
    chain = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
    async with serving(Starlette(routes=[_node(result)])) as port:
        chosen = settings(networks=(chain,), rpc_urls={chain: (f"http://localhost:{port}/",)})
        assert states(await nodes(chosen)) == ["warning" if isinstance(result, str) else "failed"]


def _says(body: object, status: int = 200) -> Callable[[Request], Awaitable[JSONResponse]]:
    async def answer(_request: Request) -> JSONResponse:
        return JSONResponse(body, status)

    return answer


async def test_a_service_that_answers_everything_alike_is_none() -> None:
    """A page of a proxy, such as that of a wrong path."""
    everything = Starlette(routes=[Route("/{path:path}", _says({"hello": "world"}))])
    async with serving(everything) as port:
        url = f"http://localhost:{port}/secret-of-the-path"
        chosen = settings(directory_url=url, blockchain_url=url, verify_url=url, relay_url=url.replace("http", "ws"))
        found = await services(chosen)
    assert {one.part: one.state for one in found} == dict.fromkeys(
        ("DIRECTORY_URL", "BLOCKCHAIN_URL", "VERIFY_URL", "RELAY_URL"), "failed"
    )
    assert not any("secret-of-the-path" in one.text for one in found)


async def test_services_that_are_not_there_are_named_and_those_that_are_not_set_are_not() -> None:
    gone = "http://localhost:1"
    chosen = settings(
        directory_url=gone, blockchain_url=gone, analytics_url=gone, verify_url=gone, relay_url="ws://localhost:1"
    )
    assert states(await services(chosen)) == ["failed"] * 5
    assert await services(settings()) == []


async def test_a_page_is_believed_unless_it_is_broken() -> None:
    routes = [Route("/well/e", _says("no", 405)), Route("/broken", _says("no", 503))]
    async with serving(Starlette(routes=routes)) as port:
        base = f"http://localhost:{port}"
        found = await services(settings(analytics_url=f"{base}/well", secure_site_url=f"{base}/broken"))
    assert {one.part: one.state for one in found} == {"ANALYTICS_URL": "ok", "SECURE_SITE_URL": "failed"}


async def test_a_policy_that_cannot_be_loaded_is_named(tmp_path: Path) -> None:
    file = tmp_path / "policy.py"
    file.write_text("def decide(request):\n    return None\n")
    chosen = settings(policy_file=file)
    assert states(await policy(chosen)) == ["ok"]
    file.write_text("def decide(")
    assert states(await policy(chosen)) == ["failed"]
    assert await policy(settings()) == []


async def test_what_is_unwise_is_warned_of() -> None:
    good = settings(secret_key=SecretStr(SECRET), api_key=SecretStr(SECRET))
    assert states(await written_settings(good)) == ["ok"]
    poor = settings(loopback_images=True, directory_url="public")
    assert {one.part for one in await written_settings(poor) if one.state == "warning"} == {
        "SECRET_KEY",
        "API_KEY",
        "PROJECT_ID",
        "LOOPBACK_IMAGES",
    }


@pytest.mark.parametrize(
    ("chosen", "warned"),
    [
        ({"secure_site_protocol": "appkit"}, True),
        ({"secure_site_protocol": "appkit", "project_id": "p1"}, False),
        ({}, False),
    ],
)
async def test_a_secure_site_of_appkits_without_a_project_is_warned_of(chosen: dict[str, Any], *, warned: bool) -> None:
    found = await written_settings(settings(secure_site_url="https://secure.example/sdk", **chosen))
    assert any(one.part == "PROJECT_ID" for one in found) is warned


@pytest.mark.parametrize(
    ("chosen", "warned"),
    [
        ({"name_zone": "names.example"}, True),
        ({"name_zone": "names.example", "blockchain_url": "https://blockchain.example"}, False),
        ({}, False),
    ],
    ids=["no service", "a service", "no zone of its own"],
)
async def test_a_zone_of_names_wants_a_service_that_keeps_it(chosen: dict[str, Any], warned: bool) -> None:
    found = await written_settings(settings(**chosen))
    assert [one.state for one in found if one.part == "NAME_ZONE"] == ["warning"] * warned


async def test_settings_that_others_can_read_are_a_warning(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch(0o644)
    assert [one.state for one in await written_settings(settings()) if one.part == ".env"] == ["warning"]
    file.chmod(0o600)
    assert [one for one in await written_settings(settings()) if one.part == ".env"] == []
