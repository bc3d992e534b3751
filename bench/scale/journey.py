"""What a visit is made of: its acts, what a page says for each, and how it is known that the server has done it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

SHELL: Final = "walletmodal.features.shell.state:ShellState"
BRIDGE: Final = "walletmodal.features.bridge.state:BridgeState"
EIP155: Final = "walletmodal.features.account.state:Eip155State"
TOKENS: Final = "walletmodal.features.account.tokens:TokensState"
SIGN_IN: Final = "walletmodal.features.signin.state:SignInState"
SEND: Final = "walletmodal.features.send.state:SendState"
REVIEW: Final = "walletmodal.features.send.review:ReviewState"
PENDING: Final = "walletmodal.features.transactions.state:PendingState"
PICK: Final = "walletmodal.features.send.picker:PickState"
APPROVE: Final = "walletmodal.features.approve.state:ApproveState"
RESUME: Final = "walletmodal.features.resume.state:ResumeState"
STATES: Final = (SHELL, BRIDGE, EIP155, TOKENS, SIGN_IN, SEND, REVIEW, PENDING, PICK, APPROVE, RESUME)
"""The states that a page of the load reads or speaks to."""

FIELD: Final = "_rx_state_"
"""How the framework ends the name of a variable on the socket."""


@dataclass(frozen=True)
class Journey:
    """A recorded visit.

    Attributes:
        url: origin of the app.
        version: the socket's subprotocol.
        namespace: Socket.IO namespace, also the path of the socket.
        connect: the packet that opens the namespace.
        init: what the bridge says of the host's page first; payload of its event.
        snapshot: what it says of the browser once a wallet is connected; payload of its event.
        acts: name of an act → the events that a page sends for it, what the bridge answers by itself left out.
        own: texts in these events that each visitor has of its own: what they stand for → the recorded text.
        states: `module:Class` → the state's name on the socket.
        events: `Class.handler` → the event's name on the socket.
    """

    url: str
    version: str
    namespace: str
    connect: str
    init: dict[str, Any]
    snapshot: dict[str, Any]
    acts: dict[str, list[dict[str, Any]]]
    own: dict[str, str]
    states: dict[str, str]
    events: dict[str, str]

    def written(self, act: str, own: dict[str, str]) -> list[dict[str, Any]]:
        """The events of an act as a visitor says them. `own`: what the recorded texts are for this one."""
        text = json.dumps(self.acts[act])
        for name, recorded in self.own.items():
            text = text.replace(recorded, own[name])
        events: list[dict[str, Any]] = json.loads(text)
        return events
