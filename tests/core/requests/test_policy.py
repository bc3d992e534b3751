"""What a policy can answer."""

from __future__ import annotations

import pytest

from walletmodal import policy
from walletmodal.core.requests.policy import MAX_REASON, Confirm, ConfirmRequests, DeniedError, Deny, stricter


@pytest.mark.parametrize("decision", [Deny, Confirm])
def test_a_reason_is_one_short_line(decision: type[Deny | Confirm]) -> None:
    assert decision("too\nmuch\u202e " + "x" * 500).reason == ("too much " + "x" * 500)[:MAX_REASON]


@pytest.mark.parametrize("reason", [None, 5, b"no"])
def test_a_reason_is_a_text(reason: object) -> None:
    with pytest.raises(TypeError):
        Deny(reason)  # type: ignore[arg-type]  # what an operator may do all the same


@pytest.mark.parametrize(
    ("one", "other", "holds"),
    [
        ("off", "off", "off"),
        ("off", "all", "all"),
        ("all", "off", "all"),
        ("policy", "off", "policy"),
        ("policy", "all", "all"),
    ],
)
def test_a_page_may_want_more_confirmations_and_never_fewer(
    one: ConfirmRequests, other: ConfirmRequests, holds: ConfirmRequests
) -> None:
    assert stricter(one, other) == holds


@pytest.mark.parametrize(
    ("reason", "text"), [("not today", "Not allowed by policy: not today"), ("", "Not allowed by policy")]
)
def test_a_denial_is_told_with_its_reason(reason: str, text: str) -> None:
    assert DeniedError(reason).wire() == {"code": 4100, "message": text}


def test_operators_find_every_name_in_one_module() -> None:
    assert all(getattr(policy, name) for name in policy.__all__)
