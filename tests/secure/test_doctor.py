"""`python -m walletmodal.secure doctor` and `verify`: each part that does not work is named, nothing is changed, and no key is shown."""

import json
import os
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text
from starlette.datastructures import MutableHeaders
from starlette.routing import Mount, Route

from tests.ports import free_ports
from tests.secure.mailbox import Mailbox
from tests.secure.test_keys import with_keys
from tests.secure.test_serving import Told as Command
from tests.secure.test_serving import told
from tests.secure.world import EVE, running, running_with_escrow, settings_for
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.operator.findings import Finding
from walletmodal.secure import doctor
from walletmodal.secure.__main__ import main
from walletmodal.secure.doctor import database, key, mail, page, providers, recovery
from walletmodal.secure.encoding import encode
from walletmodal.secure.headers import complete_headers
from walletmodal.secure.pages import Told
from walletmodal.secure.published import compare, file_hashes, pages_of
from walletmodal.secure.rotation import rotate
from walletmodal.secure.social.providers import OWN

__all__ = ["told"]


def states(found: Any) -> list[str]:
    return [one.state for one in found]


async def test_a_relay_that_takes_mail_is_fine_and_gets_none(secure_url: str, mailbox: Mailbox) -> None:
    assert states(await mail(settings_for(secure_url, mailbox.url))) == ["ok"]
    assert mailbox.mails == []


async def test_a_relay_that_is_not_there_has_failed(secure_url: str) -> None:
    (found,) = await mail(settings_for(secure_url, f"smtp://user:hunter2@127.0.0.1:{free_ports()}"))
    assert found.state == "failed"
    assert "hunter2" not in found.text


async def test_a_relay_that_knows_no_such_user_has_failed(secure_url: str, mailbox: Mailbox) -> None:
    # It offers no login at all.
    (found,) = await mail(settings_for(secure_url, f"smtp://user:hunter2@127.0.0.1:{mailbox.port}"))
    assert found.state == "failed"


async def test_values_under_an_older_key_are_counted(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    old, fresh = (settings.embedded_kek or SecretStr("")).get_secret_value(), f"7:{encode(os.urandom(32))}"
    async with running(settings, mailbox) as world:
        await world.login()
    engine = open_engine(secure_url)
    await rotate(engine, with_keys(settings, f"{old},{fresh}").key_ring())
    await close_engine(engine)
    assert states(await key(with_keys(settings, f"{old},{fresh}"))) == ["ok"]
    # A worker that was not restarted.
    async with running(with_keys(settings, f"{fresh},{old}"), mailbox) as world:
        await world.login(EVE)
    (found,) = await key(with_keys(settings, f"{old},{fresh}"))
    assert (found.state, "1 of version 1" in found.text) == ("warning", True)
    (found,) = await key(with_keys(settings, fresh))
    assert (found.state, "1 of version 1" in found.text) == ("failed", True)


async def test_the_key_of_the_database_is_fine_and_another_has_failed(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    assert "nothing in it yet" in (await key(settings))[0].text
    async with running(settings, mailbox) as world:
        await world.login()
    assert states(await key(settings)) == ["ok"]
    (found,) = await key(settings_for(secure_url, mailbox.url))
    assert (found.state, "another key" in found.text) == ("failed", True)


async def test_a_key_file_that_others_can_read_has_failed(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    file = tmp_path / "kek"
    file.write_text(f"1:{encode(os.urandom(32))}")
    settings = settings_for(secure_url, mailbox.url, embedded_kek=None, embedded_kek_file=file)
    file.chmod(0o640)
    assert states(await key(settings)) == ["failed", "ok"]
    file.chmod(0o600)
    assert states(await key(settings)) == ["ok"]


async def test_a_database_without_tables_has_failed(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    assert states(await database(settings_for(secure_url, mailbox.url))) == ["ok"]
    empty = settings_for(f"sqlite:///{tmp_path / 'none.db'}", mailbox.url)
    assert states(await database(empty)) == ["failed"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE alembic_version SET version_num = 'later'", "has the tables of a later version (later)"),
        ("DELETE FROM alembic_version", "has no tables, this version needs"),
    ],
    ids=["later", "none"],
)
async def test_which_tables_there_are_is_said(secure_url: str, mailbox: Mailbox, change: str, said: str) -> None:
    engine = open_engine(secure_url)
    async with unit_of_work(engine) as connection:
        await connection.execute(text(change))
    await close_engine(engine)
    (found,) = await database(settings_for(secure_url, mailbox.url))
    assert (found.state, said in found.text) == ("failed", True)


@pytest.mark.parametrize(("off", "expected"), [(-60, 1), (-10, 0), (10, 0), (60, 1)])
def test_a_clock_that_is_off_is_a_warning(off: float, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    date = httpx.Response(200, headers={"date": "Thu, 01 Jan 2026 00:01:00 GMT"})
    monkeypatch.setattr("walletmodal.secure.doctor.time.time", lambda: 1767225660 - off)
    assert states(doctor.clock_of("RECOVERY_URL", date)) == ["warning"] * expected


async def test_a_recovery_service_that_is_not_there_has_failed(
    secure_url: str, tmp_path: Path, mailbox: Mailbox
) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        changed = world.settings.model_copy(update={"recovery_url": f"http://127.0.0.1:{free_ports()}"})
        assert states(await recovery(changed)) == ["failed"]
    assert states(await recovery(settings_for(secure_url, mailbox.url))) == ["ok"]


async def test_a_provider_that_cannot_be_reached_has_failed(secure_url: str, mailbox: Mailbox) -> None:
    client = {"social_github_client_id": "id", "social_github_client_secret": "hunter2"}
    settings = settings_for(secure_url, mailbox.url, social_url=f"http://127.0.0.1:{free_ports()}", **client)
    (found,) = await providers(settings)
    assert (found.state, found.part) == ("failed", "GitHub login")
    assert "hunter2" not in found.text


async def test_without_providers_nothing_is_said_of_them(secure_url: str, mailbox: Mailbox) -> None:
    assert await providers(settings_for(secure_url, mailbox.url)) == []


async def test_a_site_that_does_not_run_is_a_warning(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url, secure_public_url=f"http://localhost:{free_ports()}")
    (found,) = await page(settings)
    assert found.state in ("warning", "failed")
    assert found == Finding(found.state, "page", found.text)


async def test_a_part_that_hangs_has_failed(secure_url: str, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(doctor, "LOOK_SECONDS", 0.2)
        settings = settings_for(secure_url, f"smtp://127.0.0.1:{silent.getsockname()[1]}")
        (found,) = await doctor.in_time("SMTP_URL", mail, settings)
    assert (found.state, found.text) == ("failed", "has not answered within 0 s")


async def test_a_file_that_was_changed_is_named(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    static = tmp_path / "static"
    static.mkdir()
    for name in ("frame.js", "later.js", "frame.css"):
        (static / name).write_text(f"/* {name} */")
    built = file_hashes(static)
    assert sorted(built) == ["/oauth/back.js", "/oauth/pages.css", "/sdk/frame.css", "/sdk/frame.js", "/sdk/later.js"]
    async with running(settings_for(secure_url, mailbox.url), mailbox, static=static) as world:
        transport = httpx.ASGITransport(world.app)
        assert (await compare("http://localhost:8701", built, transport)).wrong == []
        (static / "later.js").write_text("steal()")
        (static / "frame.css").unlink()
        assert (await compare("http://localhost:8701", built, transport)).wrong == ["/sdk/frame.css", "/sdk/later.js"]


def _site(path: str, page: tuple[str, str], header: tuple[str, str], **more: str) -> httpx.MockTransport:
    """A site whose `path` somebody has changed: a text of the page, and of its headers; `more`: headers."""
    told = Told("http://localhost:3000", "http://localhost:8700", "", "", "social", "Example", "frame", "", "", "")

    def answer(request: httpx.Request) -> httpx.Response:
        asked = request.url.raw_path.decode()
        served = pages_of(told, OWN.values())[asked][0]
        headers, content = dict(complete_headers(MutableHeaders(served.headers))), bytes(served.body).decode()
        if asked == path:
            headers |= more
            headers, content = {name: value.replace(*header) for name, value in headers.items()}, content.replace(*page)
        del headers["content-length"]
        return httpx.Response(served.status_code, headers=headers, content=content.encode())

    return httpx.MockTransport(answer)


SAME = ("", "")


@pytest.mark.parametrize(
    ("path", "page", "header"),
    [
        ("/sdk", ("</body>", "<script>steal()</script></body>"), SAME),
        (
            "/sdk",
            ('<meta name="viewport"', '<link rel="modulepreload" href="//x.example/a.js"><meta name="viewport"'),
            SAME,
        ),
        ("/sdk", ("/sdk/frame.js", "/sdk/other.js"), SAME),
        ("/sdk", ('<html lang="en"', '<html lang="en" onclick="steal()"'), SAME),
        ("/sdk", ('"walletmodal-consent"', '"walletmodal-unknown"'), SAME),
        ("/sdk", SAME, ("script-src 'self'", "script-src 'self' 'unsafe-inline'")),
        ("/sdk", SAME, ("trusted-types 'none'", "trusted-types *")),
        ("/sdk", SAME, ("http://localhost:8700", "*")),
        ("/sdk", SAME, ("text/html", "text/xml")),
        ("/sdk", SAME, ("camera=()", "camera=*")),
        ("/popup", SAME, ("frame-ancestors 'none'", "frame-ancestors *")),
        ("/popup", ('content="frame"', 'content="window"'), SAME),
        ("/within?site=http%3A%2F%2Flocalhost%3A8700", SAME, ("'self' http://localhost:3000", "*")),
        ("/not-me/-", ("</main>", '<script src="/sdk/other.js"></script></main>'), SAME),
        ("/device/-", SAME, ("script-src 'self'", "script-src *")),
        ("/keep/-", SAME, ("frame-ancestors 'none'", "frame-ancestors *")),
        ("/oauth/go/google/-", SAME, ("https://accounts.google.com", "https://x.example")),
        ("/oauth/back/apple", ("</main>", '<iframe src="/sdk"></iframe></main>'), SAME),
        ("/", SAME, ("text/plain", "text/html")),
    ],
)
async def test_a_page_that_was_changed_is_named(path: str, page: tuple[str, str], header: tuple[str, str]) -> None:
    assert (await compare("http://localhost:8701", {}, _site(path, page, header))).wrong == [path]


@pytest.mark.parametrize("more", [{"refresh": "0; url=//x.example"}, {"link": "</a.js>; rel=modulepreload"}])
async def test_a_header_that_a_page_must_not_have_is_named(more: dict[str, str]) -> None:
    assert (await compare("http://localhost:8701", {}, _site("/popup", SAME, SAME, **more))).wrong == ["/popup"]


async def test_every_page_of_the_site_is_compared(secure_url: str, mailbox: Mailbox, tmp_path: Path) -> None:
    (tmp_path / "frame.js").write_text("/* frame.js */")
    offered = {"social_github_client_id": "me", "social_github_client_secret": "secret"}
    async with running(settings_for(secure_url, mailbox.url, **offered), mailbox, static=tmp_path) as world:
        found = await compare("http://localhost:8701", file_hashes(tmp_path), httpx.ASGITransport(world.app))
        (mounted,) = world.app.routes
        assert isinstance(mounted, Mount)
        routes = [route for route in mounted.routes if isinstance(route, Route) and "GET" in (route.methods or ())]
    assert found.wrong == []
    # Files have hashes, and the others show nothing.
    besides = {"/sdk/{file}", "/oauth/{file}", "/_health", "/metrics"}
    paths = [path.partition("?")[0] for path in found.pages]
    missing = {route.path for route in routes if not any(route.path_regex.match(path) for path in paths)}
    assert missing == besides


async def test_what_the_page_tells_of_the_deployment_is_for_the_auditor(
    secure_url: str, mailbox: Mailbox, tmp_path: Path
) -> None:
    (tmp_path / "frame.js").write_text("/* frame.js */")
    settings = settings_for(secure_url, mailbox.url, mail_name='A & "B"')
    async with running(settings, mailbox, static=tmp_path) as world:
        wrong, _, told = await compare("http://localhost:8701", file_hashes(tmp_path), httpx.ASGITransport(world.app))
    assert wrong == []
    assert (told["walletmodal-site"], told["walletmodal-hosts"]) == ('A & "B"', "http://localhost:8700")


async def test_the_script_of_social_logins_is_compared_where_the_site_has_it(
    secure_url: str, mailbox: Mailbox, tmp_path: Path
) -> None:
    (tmp_path / "frame.js").write_text("/* frame.js */")
    built = file_hashes(tmp_path)
    offered = {"social_github_client_id": "me", "social_github_client_secret": "secret"}
    settings = settings_for(secure_url, mailbox.url, **offered)
    async with running(settings, mailbox, static=tmp_path) as world:
        transport = httpx.ASGITransport(world.app)
        assert (await compare("http://localhost:8701", built, transport)).wrong == []
        built["/oauth/back.js"] = built["/sdk/frame.js"]
        assert (await compare("http://localhost:8701", built, transport)).wrong == ["/oauth/back.js"]


def test_the_command_names_what_is_wrong_with_status_1(told: Command) -> None:
    status, said = told("doctor", "--json", SMTP_URL=f"smtp://user:hunter2@127.0.0.1:{free_ports()}")
    assert status == 1
    failed = {one["part"] for one in json.loads(said) if one["state"] == "failed"}
    assert {"SMTP_URL", "database"} <= failed
    assert "hunter2" not in said


def test_the_command_needs_a_url_to_verify() -> None:
    assert main(["verify"]) == 2
