"""The log: one line per entry that nobody else can write, with the id of its request and without what opens something."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from pydantic import SecretStr

from tests.cases import every_case
from walletmodal.config import Settings
from walletmodal.core.clock import MovableClock
from walletmodal.logs import (
    MAX_ERROR,
    MAX_MESSAGE,
    REQUEST_ID,
    STRANGERS_A_MINUTE,
    FewAboutStrangers,
    Lines,
    LogForm,
    log_as_set,
    logging_to,
    secrets_of,
)

OWN = logging.getLogger("walletmodal.tests")
TOKEN = "0a1b2c3d-1111-2222-3333-444455556666"
KEY, SECRET, PASSWORD = "key-of-the-host-http-api", "secret-of-the-deployment", "hunter2-of-the-database"
KEY_PASSWORD = "opens-the-key-of-the-database"
NEXT_KEY = "the-next-key-of-24-characters"
NODE = "https://node.example/v2/0123456789abcdef"

Written = Callable[[], str]


def written(form: LogForm, log: Callable[[], object], **options: Any) -> str:
    stream = io.StringIO()
    with logging_to(stream, **{"form": form, "level": "INFO", **options}):
        log()
    return stream.getvalue()


def entry(log: Callable[[], object], **options: Any) -> dict[str, Any]:
    (line,) = written("json", log, **options).splitlines()
    read: dict[str, Any] = json.loads(line)
    return read


@pytest.fixture(autouse=True)
def _no_request() -> Iterator[None]:
    before = REQUEST_ID.set("")
    yield
    REQUEST_ID.reset(before)


def fail(message: str) -> None:
    try:
        raise ValueError(message)
    except ValueError:
        OWN.exception("it failed")


def test_an_entry_is_one_object_on_one_line() -> None:
    read = entry(lambda: OWN.warning("%s of %s", "one", "two"))
    assert read.pop("time").endswith("Z")
    assert read.pop("process") > 0
    assert read == {"level": "WARNING", "logger": "walletmodal.tests", "message": "one of two"}


def test_an_entry_in_text_is_one_line() -> None:
    line = written("text", lambda: OWN.warning("one"))
    assert line.endswith(" WARNING walletmodal.tests: one\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_entries_carry_the_id_of_the_request(form: LogForm) -> None:
    REQUEST_ID.set("the-request")
    assert "the-request" in written(form, lambda: OWN.warning("one"))
    REQUEST_ID.set("")
    assert "the-request" not in written(form, lambda: OWN.warning("one"))


def test_entries_carry_the_ids_that_they_are_given() -> None:
    ids: Mapping[str, str] = {"event_id": "a", "after": "b"}
    read = entry(lambda: OWN.warning("one"), ids=lambda: ids)
    assert (read["event_id"], read["after"]) == ("a", "b")


@every_case(
    "words",
    [
        "x\n2026-01-01T00:00:00.000Z ERROR walletmodal: forged",
        "x\r\nforged",
        "x\u2028forged",
        "x\x85forged",
        "x\x1b[2K\x1b[1Aforged",
        "x\u202eforged",
        "x\x00\x08forged",
        "x\ud800forged",
    ],
)
@every_case("form", ["text", "json"])
def test_no_stranger_writes_a_line_or_moves_the_cursor(form: LogForm, words: str) -> None:
    line = written(form, lambda: OWN.warning("said: %s", words))
    assert len(line.splitlines()) == 1
    assert line.rstrip("\n").isprintable()
    assert "forged" in line
    line.encode()


def test_an_escaped_line_break_is_told_from_a_real_one() -> None:
    real, spelled = (written("text", lambda text=text: OWN.warning(text)) for text in ("a\nb", "a\\nb"))  # type: ignore[misc]  # mypy: a lambda's default
    assert real.partition(": ")[2] != spelled.partition(": ")[2]


def test_lines_of_a_traceback_cannot_pass_for_entries() -> None:
    lines = written("text", lambda: fail("x\nERROR forged\x1b[1A")).splitlines()
    assert lines[0].endswith("ERROR walletmodal.tests: it failed")
    assert all(line.startswith("    ") for line in lines[1:])
    assert "\x1b" not in "".join(lines)
    assert "ValueError: x\nERROR forged" in entry(lambda: fail("x\nERROR forged"))["error"]


def test_long_entries_are_cut() -> None:
    assert len(entry(lambda: OWN.warning("x" * 10 * MAX_MESSAGE))["message"]) == MAX_MESSAGE
    told = entry(lambda: fail("x" * 10 * MAX_ERROR))["error"]
    assert len(told) == MAX_ERROR


def test_an_entry_with_wrong_arguments_is_still_written() -> None:
    wrong = logging.LogRecord("walletmodal.tests", logging.WARNING, "", 0, "%d of %d", ("one",), None)
    assert "%d of %d" in Lines().format(wrong)


def deployed(**more: Any) -> Settings:
    return Settings(
        _env_file=None,
        api_key=SecretStr(f"{KEY}, {NEXT_KEY}"),
        secret_key=SecretStr(SECRET),
        database_url=f"postgresql://walletmodal:{PASSWORD}@localhost/walletmodal?sslpassword={KEY_PASSWORD}",
        redis_url=f"redis://:{PASSWORD}@localhost/0",
        rpc_urls={"eip155:1": (NODE,)},
        **more,
    )


@pytest.mark.parametrize("secret", [KEY, NEXT_KEY, SECRET, PASSWORD, KEY_PASSWORD, NODE.rpartition("/")[2]])
@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_of_the_settings_are_crossed_out(form: LogForm, secret: str) -> None:
    known = secrets_of(deployed())
    assert secret not in written(form, lambda: OWN.warning("connecting with %s", f"{NODE} {secret}"), secrets=known)
    assert secret not in written(form, lambda: fail(f"no way to {NODE}: {secret}"), secrets=known)


@pytest.mark.parametrize(
    "words",
    [
        f"<Task pending name='reflex_event|state.on_init|{TOKEN}|0123456789ab' coro=<…>>",
        "<Task pending name='reflex_event|state.on_init|chosen-by-the-visitor|0123456789ab' coro=<…>>",
        f"Attempting to send delta to disconnected client '{TOKEN}'",
        "headers={'cookie': 'a=b; __Host-walletmodal=chosen-by-the-visitor; c=d'}",
        "a token: eyJhbGciOiJFUzI1NiJ9.chosen-by-the-visitor.signature-of-it",
        "authorization: Bearer chosen-by-the-visitor, and more",
    ],
)
def test_what_speaks_for_a_visitor_is_crossed_out(words: str) -> None:
    line = written("text", lambda: logging.getLogger("asyncio").error(words))
    assert TOKEN not in line
    assert "chosen-by-the-visitor" not in line
    assert "***" in line


@pytest.mark.parametrize(
    ("logger", "words"),
    [
        ("reflex.app", "Received event from session a with no associated token. Event data: {'secret': 1}"),
        ("reflex_base.event.processor", "Error processing entry for Event(name='a', payload={'secret': 1}) [txid=1]"),
        ("engineio.server", "Failed to deserialize event data: {'secret':\n 1}."),
    ],
)
def test_what_pages_have_sent_is_left_out(logger: str, words: str) -> None:
    assert "secret" not in entry(lambda: logging.getLogger(logger).error(words))["message"]


def test_a_flood_of_nonsense_is_written_in_part_and_other_entries_in_full() -> None:
    clock = MovableClock()
    few = FewAboutStrangers(clock)

    def passed(logger: str) -> int:
        entries = (logging.LogRecord(logger, logging.ERROR, "", 0, "nonsense", (), None) for _ in range(500))
        return sum(few.filter(one) for one in entries)

    assert passed("reflex_base.event.processor") == STRANGERS_A_MINUTE
    assert passed("reflex_base.event.processor") == 0
    assert passed("walletmodal.services.failures") == STRANGERS_A_MINUTE
    assert passed("walletmodal.web.origin") == STRANGERS_A_MINUTE
    assert passed("walletmodal.db.requests") == 500
    clock.advance(61)
    assert passed("reflex.app") == STRANGERS_A_MINUTE


def test_libraries_count_from_warnings_on_and_our_own_from_the_level() -> None:
    def log() -> None:
        for name in ("httpx", "walletmodal.tests"):
            for level in (logging.DEBUG, logging.INFO, logging.WARNING):
                logging.getLogger(name).log(level, "%s %d", name, level)

    lines = written("text", log).splitlines()
    assert [line.rpartition(": ")[2] for line in lines] == ["httpx 30", "walletmodal.tests 20", "walletmodal.tests 30"]


def test_loggers_with_handlers_of_their_own_write_here_alone_and_get_them_back() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    granian = logging.getLogger("_granian")
    granian.addHandler(handler)
    granian.propagate = False
    try:
        assert "worker" in written("text", lambda: granian.warning("worker"))
        assert stream.getvalue() == ""
        assert granian.handlers == [handler]
        assert granian.propagate is False
    finally:
        granian.removeHandler(handler)
        granian.propagate = True


async def test_the_app_logs_as_it_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    async with log_as_set(deployed(log_format="json", log_level="ERROR"))():
        OWN.warning("less")
        OWN.error("more than %s", KEY)
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line)["message"] == "more than ***"
