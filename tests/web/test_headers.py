"""Every answer carries the headers that its kind needs."""

import base64
import hashlib
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message

from tests.web import served
from walletmodal.web.headers import SecurityHeaders

HOSTS = ("https://app.example.com", "http://localhost:8700")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return served.build(tmp_path)


def source(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nothing",
        "/assets/a-1b2c.js",
        "/walletmodal.js",
        "/v/0.1.0/walletmodal.js",
        "/_health",
        "/v1/none",
        "/openapi.json",
    ],
)
async def test_every_answer_forbids_guessing_its_type_and_sends_no_referrer(folder: Path, path: str) -> None:
    async with served.client(served.app(folder)) as client:
        answer = await client.get(path)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/index.html", "/nothing"])
async def test_a_page_runs_our_scripts_and_its_own_inline_ones_alone(folder: Path, path: str) -> None:
    async with served.client(served.app(folder)) as client:
        found = served.policy(await client.get(path))
    inline = {source("early()"), source("\nlate()\n"), source("missing()")}
    assert set(found["script-src"]) == {"'self'", *inline}
    assert found["default-src"] == ["'none'"]
    assert "'unsafe-eval'" not in found["script-src"]


async def test_a_page_may_be_framed_by_the_allowed_origins_and_our_own(folder: Path) -> None:
    async with served.client(served.app(folder, allowed_origins=HOSTS)) as client:
        found = served.policy(await client.get("/"))
    assert found["frame-ancestors"] == ["'self'", "http://localhost:3000", *HOSTS]


async def test_a_page_may_speak_to_the_host_that_it_came_from(folder: Path) -> None:
    public = "https://modal.example.com"
    async with served.client(served.app(folder, public_url=public), host="modal.example.com") as client:
        found = served.policy(await client.get("/"))
    assert found["connect-src"] == ["'self'", "ws://modal.example.com", "wss://modal.example.com"]


async def test_a_page_may_speak_to_the_relay_and_frame_the_attestation_host(folder: Path) -> None:
    relay, verify = "wss://relay.example.com/socket", "https://verify.example.com/path"
    async with served.client(served.app(folder, relay_url=relay, verify_url=verify)) as client:
        found = served.policy(await client.get("/"))
    assert found["connect-src"][-1] == "wss://relay.example.com"
    assert found["frame-src"] == ["https://verify.example.com"]


async def test_a_page_may_frame_the_embedded_wallet_which_may_copy(folder: Path) -> None:
    async with served.client(served.app(folder, secure_site_url="https://secure.example.com/sdk")) as client:
        answer = await client.get("/")
    assert served.policy(answer)["frame-src"] == ["https://secure.example.com"]
    assert answer.headers["permissions-policy"].endswith('clipboard-write=(self "https://secure.example.com")')


async def test_without_these_services_it_may_do_neither(folder: Path) -> None:
    async with served.client(served.app(folder)) as client:
        found = served.policy(await client.get("/"))
    assert (found["connect-src"][0], found["frame-src"]) == ("'self'", ["'none'"])


async def test_a_host_that_is_none_does_not_reach_the_policy(folder: Path) -> None:
    async with served.client(served.app(folder)) as client:
        answer = await client.get("/", headers={"Host": "x; script-src *"})
    assert (answer.status_code, served.policy(answer)["default-src"]) == (421, ["'none'"])


async def test_pictures_of_this_machine_are_for_a_modal_on_this_machine(folder: Path) -> None:
    async with served.client(served.app(folder, public_url="https://modal.example.com")) as client:
        found = served.policy(await client.get("/"))
    assert found["img-src"] == ["'self'", "data:", "https:"]


async def test_an_unchanged_page_keeps_a_working_policy(folder: Path) -> None:
    """A browser replaces the headers of its copy by those of the 304."""
    async with served.client(served.app(folder)) as client:
        page = await client.get("/")
        again = await client.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["content-security-policy"] == page.headers["content-security-policy"]


async def test_a_new_build_gets_a_new_policy(folder: Path) -> None:
    async with served.client(served.app(folder)) as client:
        before = served.policy(await client.get("/"))
        (folder / "index.html").write_text("<script>newer()</script>")
        after = served.policy(await client.get("/"))
    assert source("newer()") not in before["script-src"]
    assert source("newer()") in after["script-src"]


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/assets/a-1b2c.js", "public, max-age=31536000, immutable"),
        ("/v/0.1.0/walletmodal.js", "public, max-age=31536000, immutable"),
        ("/v/0.1.0/walletmodal-wallets.js", "public, max-age=31536000, immutable"),
        ("/v/0.1.0/walletmodal-onramp.js", "public, max-age=31536000, immutable"),
        ("/walletmodal.js", "public, max-age=300, must-revalidate"),
        ("/walletmodal-wallets.js?hash", "public, max-age=300, must-revalidate"),
        ("/walletmodal-onramp.js?hash", "public, max-age=300, must-revalidate"),
        ("/walletmodal.d.ts", "public, max-age=300, must-revalidate"),
        ("/", "no-cache"),
        ("/favicon.svg", "no-cache"),
        ("/assets/gone.js", "no-cache"),
        ("/_health", "no-store"),
    ],
)
async def test_what_never_changes_is_kept_and_the_rest_is_asked_for_again(folder: Path, path: str, kept: str) -> None:
    async with served.client(served.app(folder)) as client:
        assert (await client.get(path)).headers["cache-control"] == kept


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("/walletmodal.js", "text/javascript; charset=utf-8"),
        ("/walletmodal.d.ts", "application/typescript; charset=utf-8"),
        ("/v/0.1.0/walletmodal.js", "text/javascript; charset=utf-8"),
        ("/walletmodal-wallets.js", "text/javascript; charset=utf-8"),
        ("/v/0.1.0/walletmodal-wallets.js", "text/javascript; charset=utf-8"),
        ("/walletmodal-onramp.js", "text/javascript; charset=utf-8"),
        ("/v/0.1.0/walletmodal-onramp.js", "text/javascript; charset=utf-8"),
    ],
)
async def test_the_loader_is_readable_by_every_host_page(folder: Path, path: str, type_: str) -> None:
    async with served.client(served.app(folder)) as client:
        answer = await client.get(path, headers={"Origin": "https://app.example.com"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
    assert answer.headers["content-type"] == type_


@pytest.mark.parametrize(
    "path",
    [
        "/v/0.1.0/",
        "/v/0.1.0/index.html",
        "/v/x/walletmodal.js",
        "/v/0.1.0/x/walletmodal.js",
        "/v/0.1.0/walletmodal.jsx",
        "/v/0.1.0/walletmodal-other.js",
    ],
)
async def test_a_page_below_the_versions_has_the_policy_of_a_page(folder: Path, path: str) -> None:
    (folder / "v/0.1.0/index.html").write_text("<!DOCTYPE html>")
    async with served.client(served.app(folder)) as client:
        answer = await client.get(path)
    assert served.policy(answer)["default-src"] == ["'none'"]
    assert "access-control-allow-origin" not in answer.headers


async def test_another_file_below_the_versions_is_none_of_the_loaders(folder: Path) -> None:
    (folder / "v/0.1.0/other.js").write_text("1;")
    async with served.client(served.app(folder)) as client:
        answer = await client.get("/v/0.1.0/other.js")
    assert served.policy(answer)["default-src"] == ["'none'"]
    assert (answer.headers["cache-control"], answer.headers["cross-origin-resource-policy"]) == (
        "no-cache",
        "same-origin",
    )


@pytest.mark.parametrize(
    "path",
    [
        "/v/0.1.0/../../index.html",
        "/v/0.1.0/..",
        "/../index.html",
        "/v/%2e%2e/index.html",
        "/v/.%2E/index.html",
        "/v/..%2findex.html",
        "/v/..%5cindex.html",
        "/v/%252e%252e/index.html",
        "/v/%252e%252e%252findex.html",
        "/v/0.1.0/..\\index.html",
    ],
)
async def test_a_path_that_leads_upward_leads_nowhere(folder: Path, path: str) -> None:
    answers: list[Message] = []

    async def send(message: Message) -> None:
        answers.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {
        "type": "http",
        "method": "GET",
        "path": unquote(path),
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", served.HOST.encode())],
        "client": ("127.0.0.1", 50000),
        "server": ("localhost", 3000),
        "scheme": "http",
        "http_version": "1.1",
    }
    await served.app(folder)(scope, receive, send)
    headers = Headers(raw=answers[0]["headers"])
    assert (answers[0]["status"], headers["content-type"]) == (404, "application/json")
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize("path", ["/assets/a..b.js", "/..well-known", "/a../"])
async def test_two_dots_within_a_name_are_a_name(folder: Path, path: str) -> None:
    async with served.client(served.app(folder)) as client:
        assert (await client.get(path)).headers["content-type"] != "application/json"


@pytest.mark.parametrize("path", ["/", "/assets/a-1b2c.js", "/openapi.json", "/_health"])
async def test_nothing_but_the_loader_is_readable_by_other_origins(folder: Path, path: str) -> None:
    async with served.client(served.app(folder)) as client:
        answer = await client.get(path, headers={"Origin": "https://app.example.com"})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("path", ["/gallery", "/gallery/", "/gallery.html", "/gallery/connect"])
async def test_the_gallery_is_not_there_unless_the_deployment_shows_it(folder: Path, path: str) -> None:
    async with served.client(served.app(folder)) as client:
        assert (await client.get(path)).status_code == 404


async def test_the_gallery_is_there_when_the_deployment_shows_it(folder: Path) -> None:
    async with served.client(served.app(folder, walletmodal_gallery=True)) as client:
        assert (await client.get("/gallery.html")).status_code == 200


@pytest.mark.parametrize(("status", "connection"), [(503, "close"), (500, None), (429, None), (200, None)])
async def test_whom_a_server_cannot_serve_now_asks_over_another_connection(status: int, connection: str | None) -> None:
    app = SecurityHeaders(Response(status_code=status), document_policy=lambda _host: "")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://modal.example") as client:
        assert (await client.get("/v1/browser")).headers.get("Connection") == connection
