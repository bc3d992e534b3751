"""Questions to the secure site's frame: each state that asks has one at a time, and hears its answer once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from walletmodal.core.errors.codes import REJECTED
from walletmodal.core.language import _
from walletmodal.core.wallets.embedded import FrameError, read_frame_error
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.substates import AssigningMixin
from walletmodal.services.metrics import count_ignored


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """What the frame has answered, by way of the visitor's browser.

    Attributes:
        kind: type of the question; asked: its payload.
        ok: whether there is a value, which is not checked yet.
        failure: why there is none; of one that turns out to be nonsense, that something went wrong.
    """

    kind: str
    asked: dict[str, Any]
    ok: bool
    value: object
    failure: FrameError

    @property
    def error(self) -> str:
        """What to tell the visitor where the answer is of no use; "" for who has declined."""
        return "" if self.failure.code == REJECTED else self.failure.message


def refused_code(failure: FrameError) -> str:
    """Asks for another try at a code, after what was wrong with this one."""
    reason = failure.message
    # Translators: such as: Invalid code. Try Again
    return _("{reason}. Try Again", reason=reason.rstrip(".") if reason.endswith(".") else reason)


class QuestionMixin(AssigningMixin, mixin=True):
    """Asks the frame.

    Attributes:
        question: what the frame is asked: `{id, type, payload}`, empty for nothing. Its answer names the id.
    """

    question: dict[str, Any] = {}

    def _ask(self, kind: str, payload: dict[str, Any] | None = None) -> None:
        """Asks the frame; an answer to what it was asked before is not heard any more."""
        self.question = {"id": new_id(), "type": kind, "payload": payload or {}}

    def _take_answer(self, payload: object) -> FrameAnswer | None:
        """Takes the answer to the question, which is over then; None for any other."""
        asked, fields = dict(self.get_value("question")), payload if isinstance(payload, Mapping) else {}
        if not asked or fields.get("id") != asked["id"]:
            count_ignored("answer_not_awaited")
            return None
        self.question = {}
        ok = fields.get("ok") is True
        failure = read_frame_error(None if ok else fields.get("error"))
        return FrameAnswer(asked["type"], asked["payload"], ok, fields.get("value"), failure)
