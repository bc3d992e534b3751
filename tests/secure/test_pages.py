"""The pages, their headers, and what programs ask."""

import re
from pathlib import Path

import pytest

from tests.secure.mailbox import Mailbox
from tests.secure.world import World, running, settings_for


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A built page."""
    folder = tmp_path / "static"
    folder.mkdir()
    for name in (
        "frame.js",
        "typed_data.js",
        "later.js",
        "recovery_settings.js",
        "host_client.js",
        "handover.js",
        "frame.css",
    ):
        (folder / name).write_text(f"/* {name} */")
    (folder / "frame.js.map").write_text("{}")
    return folder


def policy(text: str) -> dict[str, str]:
    return {part.split()[0]: " ".join(part.split()[1:]) for part in text.split(";")}


async def test_the_page_names_its_files_and_what_they_need(secure_url: str, mailbox: Mailbox, built: Path) -> None:
    settings = settings_for(
        secure_url,
        mailbox.url,
        mail_name='A "good" <name>',
        allowed_origins="https://app.example",
        secure_consent="window",
    )
    async with running(settings, mailbox, static=built) as world:
        page = await world.client.get("/sdk")
    metas = dict(re.findall(r'<meta name="([a-z-]+)" content="([^"]*)">', page.text))
    assert metas["walletmodal-modals"] == "http://localhost:3000"
    assert metas["walletmodal-hosts"] == "https://app.example"
    assert metas["walletmodal-recovery-key"] == ""
    assert metas["walletmodal-consent"] == "window"
    assert metas["walletmodal-site"] == "A &quot;good&quot; &lt;name&gt;"
    assert '<script type="module" src="/sdk/frame.js"></script>' in page.text
    assert '<link rel="stylesheet" href="/sdk/frame.css">' in page.text
    assert not re.search(r"<style|style=|<script>| on[a-z]+=", page.text), "nothing inline"


async def test_the_headers_of_the_page(secure_url: str, mailbox: Mailbox, built: Path) -> None:
    async with running(settings_for(secure_url, mailbox.url), mailbox, static=built) as world:
        headers = (await world.client.get("/sdk")).headers
        pop_up = (await world.client.get("/popup")).headers
    found = policy(headers["content-security-policy"])
    assert found == {
        "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'", "img-src": "data:",
        "frame-src": "'self'", "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "http://localhost:3000 http://localhost:8700",
        "require-trusted-types-for": "'script'", "trusted-types": "'none'",
    }  # fmt: skip
    assert policy(pop_up["content-security-policy"]) == found | {"frame-ancestors": "'none'", "frame-src": "'none'"}
    assert headers["origin-agent-cluster"] == "?1"
    assert (headers["referrer-policy"], headers["x-content-type-options"]) == ("no-referrer", "nosniff")
    allowed = headers["permissions-policy"]
    assert "publickey-credentials-get=(self), publickey-credentials-create=(self)" in allowed
    assert "camera=()" in allowed


async def test_the_files_of_the_page_are_for_this_origin(secure_url: str, mailbox: Mailbox, built: Path) -> None:
    async with running(settings_for(secure_url, mailbox.url), mailbox, static=built) as world:
        script = await world.client.get("/sdk/frame.js")
        assert script.text == "/* frame.js */"
        assert script.headers["cross-origin-resource-policy"] == "same-origin"
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.headers["cache-control"] == "no-cache"
        for name in ("nothing.js", "frame.js.map", "..%2fsettings.py", "%2e%2e/app.py"):
            assert (await world.client.get(f"/sdk/{name}")).status_code == 404


async def test_a_file_comes_compressed_and_once(secure_url: str, mailbox: Mailbox, built: Path) -> None:
    async with running(settings_for(secure_url, mailbox.url), mailbox, static=built) as world:
        first = await world.client.get("/sdk/frame.js", headers={"accept-encoding": "gzip"})
        plain = await world.client.get("/sdk/frame.js", headers={"accept-encoding": "identity"})
        known = {"if-none-match": first.headers["etag"]}
        again = await world.client.get("/sdk/frame.js", headers=known)
        (built / "frame.js").write_text("/* newer */")
        newer = await world.client.get("/sdk/frame.js", headers=known)
    assert (first.headers["content-encoding"], first.text) == ("gzip", plain.text)
    assert "content-encoding" not in plain.headers
    assert (again.status_code, again.content) == (304, b"")
    assert (newer.status_code, newer.text) == (200, "/* newer */")


@pytest.mark.parametrize("path", ["/sdk", "/popup"])
async def test_a_page_that_is_not_built_says_so(secure_url: str, mailbox: Mailbox, tmp_path: Path, path: str) -> None:
    async with running(settings_for(secure_url, mailbox.url), mailbox, static=tmp_path / "none") as world:
        page = await world.client.get(path)
    assert page.status_code == 503
    assert "is not built" in page.text


async def test_pages_with_a_button_may_send_their_own_form_and_nobody_may_frame_them(world: World) -> None:
    await world.begin()
    page = await world.client.get(world.mailbox.mails[0].link("/not-me"))
    found = policy(page.headers["content-security-policy"])
    assert (found["form-action"], found["frame-ancestors"]) == ("'self'", "'none'")
    assert page.headers["cache-control"] == "no-store"


async def test_what_loads_within_one_site_alone_names_it(world: World) -> None:
    page = await world.client.get("/within", params={"site": "http://localhost:8700"})
    found = policy(page.headers["content-security-policy"])
    assert found["frame-ancestors"] == "'self' http://localhost:3000 http://localhost:8700"
    assert '<html lang="en" data-within="http://localhost:8700">' in page.text


async def test_nothing_loads_within_a_site_that_is_not_known(world: World) -> None:
    for site in ("", "https://evil.example", "*", "http://localhost:8700 *", "http://localhost:8700;"):
        page = await world.client.get("/within", params={"site": site})
        assert (page.status_code, policy(page.headers["content-security-policy"])["frame-ancestors"]) == (404, "'none'")


async def test_health(world: World) -> None:
    health = await world.client.get("/_health")
    assert (health.status_code, health.json()) == (200, {"status": "ok", "db": True})


async def test_what_is_not_there_is_404_with_all_headers(world: World) -> None:
    answer = await world.client.get("/nothing")
    assert answer.status_code == 404
    assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert (await world.client.get("/v1/me")).status_code == 405
