"""Reflex wrapper of the bridge (docs/protocol.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import reflex as rx

from walletmodal.components import embedded as _embedded  # noqa: F401 -- its scripts are imported by ours, so they must be in the build
from walletmodal.components.pairing import WALLETCONNECT

for _sibling in ("calls.ts", "pictures.ts", "reads.ts", "store.ts", "theme.ts"):
    rx.asset(_sibling, shared=True)
_BRIDGE = rx.asset("bridge.tsx", shared=True)

HEAD_SCRIPT = (Path(__file__).parent / "head.js").read_text(encoding="utf-8")
"""Runs before anything else in the frame: storage that may be denied, the handshake, and an end for who waits for scripts that never come.

It has no comments: every frame loads it as it is.
"""

_Payload = Annotated[rx.EventHandler, rx.event.passthrough_event_spec(dict[str, Any])]


class WalletBridge(rx.Component):
    """Invisible; one per page."""

    library = _BRIDGE.importable_path
    tag = "WalletBridge"
    lib_dependencies: list[str] = WALLETCONNECT

    sync: rx.Var[str]
    page: rx.Var[str]
    """The life of the host page that everything else is about; the page before is told nothing of."""

    host_state: rx.Var[Any]
    """Gives what the host is told of: `place`, `network` and `accounts`, with `sync` and `page`."""

    commands: rx.Var[list[dict[str, Any]]]
    heard: rx.Var[list[str]]
    """Ids of the host's calls that the server has, and which wait for the visitor or a wallet."""

    news: rx.Var[dict[str, Any]]
    over_websocket: rx.Var[list[str]]
    """Methods of the host's provider that are not plain reads."""

    theme_changes: rx.Var[list[str]]
    """Which of `themeMode` and `themeVariables` the host may change; without it both."""

    pairing: rx.Var[dict[str, str] | None]
    """`relayUrl`, `projectId` and `verifyUrl`; an empty `relayUrl`: not configured."""

    secure: rx.Var[dict[str, Any] | None]
    """`url`, `name` and `chains` of the embedded wallet; an empty `url`: there is none."""

    confirming: rx.Var[bool]
    """Whether a view holds the secure site's frame for the requests that wait in it."""

    identify: rx.Var[str]
    """A question, which browser it is: answered once with a ticket of `/v1/browser`, "" where none is to be had."""

    on_init: _Payload
    on_snapshot: _Payload
    on_reply: _Payload
    on_call: _Payload
    on_request: _Payload
    on_call_online: _Payload
    on_request_online: _Payload
    """The same, dropped while the socket is down: the bridge sends it again by itself."""

    on_browser: _Payload


wallet_bridge = WalletBridge.create
