"""The shape of a resume record: what an older release wrote, or a hand changed, is not put into a session unseen."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from walletmodal.core.views import BUILT_VIEWS


def _built(view: str) -> str:
    if view not in BUILT_VIEWS:
        raise ValueError("not a view of this release")
    return view


def _built_entry(entry: list[str]) -> list[str]:
    _built(entry[0])
    return entry


BuiltView = Annotated[str, AfterValidator(_built)]
_Text = Annotated[str, Field(max_length=64 * 1024)]
StackEntry = Annotated[list[_Text], Field(min_length=2, max_length=2), AfterValidator(_built_entry)]
"""One entry of the view stack: view, title."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class ShellPart(_Part):
    """Where the visitor was."""

    stack: Annotated[list[StackEntry], Field(min_length=1, max_length=32)]
    open: bool
    after_connect: BuiltView | Literal[""]


class CommandPart(_Part):
    """A pending command (docs/protocol.md §3)."""

    id: _Text
    epoch: _Text
    replay: bool
    method: _Text
    params: dict[str, Any]


class StepPart(_Part):
    """What continues with a pending command's reply."""

    then: _Text
    context: dict[str, Any]
    calls: list[_Text]


class WaitingPart(_Part):
    """A request of the host that waits for the visitor to connect."""

    call: _Text
    method: _Text


class ConnectPart(_Part):
    """The wallet being connected."""

    connector: _Text
    wallet_name: _Text
    phase: Literal["idle", "connecting", "error"]
    error: _Text
    command: _Text
    offered: _Text


class NetworksPart(_Part):
    """The active network, and the one being switched to."""

    active: _Text
    target: _Text
    target_name: _Text
    phase: Literal["idle", "switching", "error"]
    error: _Text
    command: _Text


class ResumeRecord(_Part):
    """Everything that a lost session gets back."""

    shell: ShellPart
    epoch: _Text
    commands: Annotated[list[CommandPart], Field(max_length=64)]
    records: dict[str, StepPart]
    waiting: list[WaitingPart]
    connect: ConnectPart
    networks: NetworksPart
