"""Messages from the browser but snapshots: read, or refused with a reason; and the limits of all."""

import contextlib
from typing import Any

import pytest
from hypothesis import given

from tests.cases import every_case
from tests.core.browser_messages import INIT, JSON, REPLY, changed
from walletmodal.core.errors import ProtocolError
from walletmodal.core.protocol.limits import MAX_BYTES, MAX_DEPTH, MAX_NODES, check_limits
from walletmodal.core.protocol.messages import parse_init, parse_reply
from walletmodal.core.protocol.snapshots import parse_snapshot


@pytest.mark.parametrize(
    ("path", "value"),
    [("options", {"metadata": {"name": "\ud83d"}}), ("options", {"\ud83d": 1}), ("theme", {"mode": "\ud800"})],
)
def test_options_with_a_text_that_is_no_unicode_are_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_init(changed(INIT, path, value))
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize("value", ["\ud800", ["a\udfff"], {"\udc00": 1}])
def test_a_value_with_a_text_that_is_no_unicode_is_refused(value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_reply({**REPLY, "value": value})
    assert raised.value.reason == "malformed"


def test_an_error_that_was_cut_within_an_emoji_is_still_an_answer() -> None:
    reply = parse_reply({**REPLY, "ok": False, "error": {"code": 4001, "message": "no \ud83d"}})
    assert reply.error is not None
    assert reply.error.message == "no"


@pytest.mark.parametrize("field", ["url", "title", "description", "icon"])
def test_all_that_is_kept_of_a_host_can_be_sent(field: str) -> None:
    init = parse_init(changed(INIT, f"host.{field}", "https://a.example/\ud83d"))
    assert init.host.model_dump_json().encode()


@pytest.mark.parametrize("system", ["windows", None, 5, ["ios"], KeyError])
def test_a_system_that_makes_no_difference_is_none(system: object) -> None:
    assert parse_init(changed(INIT, "host.system", system)).host.system == ""


@pytest.mark.parametrize("value", ["yes", 1, None, KeyError])
def test_only_true_says_that_the_page_is_within_telegram(value: object) -> None:
    assert parse_init(changed(INIT, "host.telegram", value)).host.telegram is False


def test_a_reply_is_read() -> None:
    reply = parse_reply(REPLY)
    assert (reply.id, reply.epoch, reply.ok, reply.value, reply.error) == ("c1", "e1", True, {"a": 1}, None)


def test_the_message_of_a_reply_is_cleaned_and_cut() -> None:
    error = {"code": 4001, "message": "no\u202e\n" + "x" * 1000}
    reply = parse_reply({**REPLY, "ok": False, "error": error})
    assert reply.error is not None
    assert (reply.error.code, reply.error.message) == (4001, ("no " + "x" * 1000)[:500])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("id", ""),
        ("id", None),
        ("id", "a/b"),
        ("epoch", KeyError),
        ("ok", "true"),
        ("ok", False),
        ("error", {"code": 1, "message": "x"}),
        ("error", {"code": "1", "message": "x"}),
        ("error", "x"),
    ],
)
def test_a_reply_of_the_wrong_shape_is_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_reply(changed(REPLY, path, value))
    assert raised.value.reason == "malformed"


def test_init_is_read() -> None:
    init = parse_init(INIT)
    assert (init.epoch, init.host.origin, init.options, init.theme.mode, init.snapshot.rev) == (
        "e1",
        "https://app.example",
        {"networks": ["eip155:1"]},
        None,
        3,
    )


@every_case(
    ("path", "value"),
    [
        ("epoch", "other"),
        ("host", KeyError),
        ("host.origin", "null"),
        ("host.origin", "https://app.example/"),
        ("host.origin", "https://APP.example"),
        ("host.origin", "https://app.example:443"),
        ("host.origin", "javascript:x"),
        ("host.origin", None),
        ("host.origin", "https://app.example\ud800"),
        ("epoch", "\ud800"),
        ("host.standalone", "no"),
        ("host.mobile", 0),
        ("host.title", None),
        ("options", []),
        ("theme", None),
        ("theme.mode", "blue"),
        ("theme.variables", []),
        ("snapshot", None),
        ("snapshot.rev", -1),
    ],
)
def test_an_init_of_the_wrong_shape_is_refused(path: str, value: object) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse_init(changed(INIT, path, value))
    assert raised.value.reason == "malformed"


@pytest.mark.parametrize(
    ("path", "value", "field", "kept"),
    [
        ("host.url", "javascript:alert(1)", "url", "https://app.example"),
        ("host.url", "https://app.example/" + "x" * 3000, "url", "https://app.example"),
        ("host.icon", "data:text/html,x", "icon", ""),
        ("host.icon", None, "icon", ""),
        ("host.title", "T\u202e" + "x" * 500, "title", "T" + "x" * 119),
    ],
)
def test_what_is_only_shown_of_a_host_is_repaired(path: str, value: object, field: str, kept: str) -> None:
    assert getattr(parse_init(changed(INIT, path, value)).host, field) == kept


@every_case("parse", [parse_snapshot, parse_reply, parse_init])
@every_case(
    ("message", "reason"),
    [
        (None, "malformed"),
        ([], "malformed"),
        ("x", "malformed"),
        ({"a": "x" * MAX_BYTES}, "oversized"),
        ({"a": ["x"] * 100_000}, "oversized"),
        ({"a": [0] * (MAX_NODES - 1)}, "oversized"),
        ({"a": [[[]] * 100] * 100}, "oversized"),
        ({"a": object()}, "malformed"),
        ({1: 2}, "malformed"),
        ({"a": float("nan")}, "malformed"),
        ({"a": 2**53}, "malformed"),
    ],
)
def test_any_message_has_its_limits(parse: Any, message: object, reason: str) -> None:
    with pytest.raises(ProtocolError) as raised:
        parse(message)
    assert raised.value.reason == reason


def test_a_deep_message_is_refused_without_recursion() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ProtocolError) as raised:
        parse_reply({**REPLY, "value": deep})
    assert raised.value.reason == "deep"
    # Python itself would recurse when it frees the list.
    while deep:
        deep = deep.pop()


def test_the_limits_are_exact() -> None:
    check_limits("x" * (MAX_BYTES - 2))
    with pytest.raises(ProtocolError):
        check_limits("x" * (MAX_BYTES - 1))
    check_limits([0] * (MAX_NODES - 1))
    with pytest.raises(ProtocolError):
        check_limits([0] * MAX_NODES)
    nested: list[Any] = []
    for _ in range(MAX_DEPTH - 1):
        nested = [nested]
    check_limits(nested)
    with pytest.raises(ProtocolError):
        check_limits([nested])


@given(JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    for parse in (parse_snapshot, parse_reply, parse_init):
        with contextlib.suppress(ProtocolError):
            parse(value)
