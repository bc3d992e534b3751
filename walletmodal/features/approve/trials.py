"""What nodes say that a waiting request would do: the one that is shown, or those that the embedded wallet's frame has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import reflex as rx

from walletmodal.features.approve.showing import NO_TRIAL, Attempt, Trial, try_out
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.process import PROCESS
from walletmodal.features.substates import AssigningMixin


class Untried(TypedDict):
    """What no node has run yet, or could. `worker`: the process that has it run now, "" for none."""

    attempt: Attempt
    worker: str


class TrialsMixin(AssigningMixin, mixin=True):
    """Trials of requests.

    Attributes:
        trial: what a node says that it would do, a `Trial`.
        phase: idle where no request waits here.
        seen: which request is shown, and which reading of it.
    """

    trial: dict[str, Any] = {}
    phase: str = "idle"
    seen: str = ""

    # What nodes say of the requests that the embedded wallet's frame has, by the command's id, and which of them is shown.
    _trials: dict[str, Trial] = {}
    _framed: str = ""
    # By the reading of a request, or the command's id.
    _untried: dict[str, Untried] = {}
    # What a node has said before the visitor was asked, a `Tried`.
    _tried: dict[str, Any] = {}

    def _drop_attempt(self) -> None:
        """Drops what was still to be run for the reading that ends."""
        if self.seen in self.get_value("_untried"):
            self._untried = {one: untried for one, untried in self.get_value("_untried").items() if one != self.seen}

    @rx.event(background=True)
    async def run_trial(self) -> None:
        """Has a node run the request that is shown, where none has: also the button of one that could not be simulated."""
        async with self:
            subject = self.seen or self._framed
            untried: Untried | None = self.get_value("_untried").get(subject)
            if untried is None or untried["worker"] == PROCESS:
                return
            attempt = untried["attempt"]
            self._untried = {**self.get_value("_untried"), subject: Untried(attempt=attempt, worker=PROCESS)}
            self._note_trial(subject, {**NO_TRIAL, "state": "running"})
        trial = await try_out(attempt)
        async with self:
            left = dict(self.get_value("_untried"))
            if left.pop(subject, untried)["worker"] == PROCESS:
                self._untried = left
                self._note_trial(subject, trial, attempt)

    def _left_trial(self) -> Followups:
        """The trial that is shown as running, where this process has not begun it: another one may have, and be gone."""
        untried = self.get_value("_untried").get(self.seen or self._framed)
        running = self.get_value("trial").get("state") == "running"
        cls: Any = self.__class__
        return [cls.run_trial] if running and untried is not None and untried["worker"] != PROCESS else []

    def _note_trial(self, subject: str, trial: Trial, attempt: Attempt | None = None) -> None:
        """Notes what a node says of the request that is shown, or of one that the frame has. `attempt`: to be run while nothing is known."""
        framed = self.get_value("_trials")
        if subject not in (self.seen, *framed):
            return
        if attempt is not None and trial["state"] in ("running", "unknown"):
            self._untried = {**self.get_value("_untried"), subject: Untried(attempt=attempt, worker="")}
        if subject in framed:
            self._trials = {**framed, subject: trial}
        if subject == (self.seen or self._framed):
            self._put(trial=dict(trial))

    def _keep_trial(self, command_id: str, trial: Trial, attempt: Attempt | None) -> None:
        """Keeps what a node says of a request, to be shown while the frame has it."""
        self._trials = {**self.get_value("_trials"), command_id: trial}
        self._note_trial(command_id, trial, attempt)

    def _show_trial(self, waiting: Sequence[str]) -> None:
        """Shows what is known of the first request that the frame has; only those of `waiting` are kept."""
        known = {one: trial for one, trial in self.get_value("_trials").items() if one in waiting}
        if known != self.get_value("_trials"):
            self._trials = known
            kept = self.get_value("_untried").items()
            self._untried = {one: untried for one, untried in kept if one in known or one == self.seen}
        self._put(_framed=waiting[0] if waiting else "")
        if self.phase == "idle" and waiting:
            self._put(trial=dict(known.get(waiting[0], NO_TRIAL)))
