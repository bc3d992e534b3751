"""What pages of the modal say on the socket, without a browser to hear it from: the names are those of the state classes."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

from reflex.utils.format import format_event_handler

from bench.scale.journey import STATES, Journey
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.wiring import WIRING

HOST: Final = "https://host.example"
"""Origin of the pages that embed the modal."""
CONNECTOR: Final = "io.example.wallet"
RECEIVER: Final = "0x8ba1f109551bD432803012645Ac136ddd64DBA72"

_CHOICE: Final = "walletmodal.features.connect.choice:ChoiceState"
_CONNECT: Final = "walletmodal.features.connecting.state:ConnectState"
_NAMESPACE: Final = "/_event"
_WALLET: Final = {
    "id": CONNECTOR,
    "namespaces": ["eip155"],
    "type": "ANNOUNCED",
    "name": "Example Wallet",
    "icon": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
    "rdns": CONNECTOR,
}


def journey(url: str) -> Journey:
    """Pages of the modal at `url`, embedded by `HOST`."""
    assert WIRING  # its import registers the states
    states, events = dict[str, str](), dict[str, str]()
    for place in (*STATES, _CHOICE, _CONNECT):
        module, _, name = place.partition(":")
        state: Any = getattr(import_module(module), name)
        states[name] = state.get_full_name()
        events |= {f"{name}.{handler}": format_event_handler(found) for handler, found in state.event_handlers.items()}
    opening = {"event": {"name": HYDRATE, "payload": {}, "router_data": {"pathname": "/", "asPath": "/"}}}
    snapshot = {
        "settled": True,
        "wallets": [_WALLET],
        "sessions": {},
        "marks": [],
        "injected": False,
        "storage": {"activeNetworkId": None, "activeNamespace": None, "recent": [], "interrupted": None},
    }
    host = {"origin": HOST, "url": f"{HOST}/", "title": "Host", "description": "", "icon": "", "standalone": False}
    init = {
        "host": host | {"mobile": False},
        "options": {"siwx": {"required": False}},
        "theme": {"mode": None, "variables": {}},
        "snapshot": snapshot,
    }
    return Journey(
        url=url,
        version=version("reflex"),
        namespace=_NAMESPACE,
        connect=f"40{_NAMESPACE},{json.dumps(opening)}",
        init=init,
        snapshot=snapshot,
        acts={},
        own={},
        states=states,
        events=events,
    )
