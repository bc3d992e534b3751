"""Honest messages of a browser, for tests that change one part of them."""

import copy
from typing import Any

from hypothesis import strategies as st

ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
WALLET = {"id": "injected", "namespaces": ["eip155"], "type": "INJECTED", "name": "W", "icon": "", "rdns": ""}
SESSION = {
    "connector": "injected",
    "accounts": [ADDRESS.lower()],
    "chain": "1",
    "approved": None,
    "peer": None,
    "user": None,
    "said": 0,
}
SNAPSHOT: dict[str, Any] = {
    "epoch": "e1",
    "rev": 3,
    "settled": True,
    "wallets": [WALLET],
    "sessions": {"eip155": SESSION},
    "marks": ["isMetaMask", "phantom"],
    "injected": True,
    "storage": {
        "activeNetworkId": "eip155:1",
        "activeNamespace": "eip155",
        "recent": [{"id": "injected", "name": "W", "rdns": ""}],
        "interrupted": {"namespace": "solana", "connector": "Phantom", "wallet": None},
        "connectors": {"eip155": "injected"},
    },
}
REPLY: dict[str, Any] = {"id": "c1", "epoch": "e1", "ok": True, "value": {"a": 1}, "error": None}
INIT: dict[str, Any] = {
    "epoch": "e1",
    "host": {
        "origin": "https://app.example",
        "url": "https://app.example/a?b",
        "title": "App",
        "description": "",
        "icon": "https://app.example/i.png",
        "standalone": False,
        "mobile": False,
        "telegram": True,
        "system": "ios",
    },
    "options": {"networks": ["eip155:1"]},
    "theme": {"mode": None, "variables": {}},
    "snapshot": SNAPSHOT,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


def changed(message: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The message with one part replaced; `KeyError` as value takes it out."""
    result = copy.deepcopy(message)
    *parents, last = path.split(".")
    target: Any = result
    for key in parents:
        target = target[key]
    if value is KeyError:
        del target[last]
    else:
        target[last] = value
    return result
