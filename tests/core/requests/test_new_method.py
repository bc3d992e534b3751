"""A method is added by its record alone: whatever deals with methods finds it there."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

_ADDED = """
import json
from walletmodal.core.namespaces.eip155 import methods as table
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.shapes import no_params

table.METHODS += (
    MethodSpec("eth_blobBaseFee", "node", params=no_params, repeatable=True),
    MethodSpec("wallet_getNotes", "wallet_read", paired=True),
)

from walletmodal.core.requests.methods import PAIRED_METHODS
from walletmodal.features.requests.handlers import OVER_WEBSOCKET
from walletmodal.services.rpc.reads import READ_METHODS
from walletmodal.web.openapi import document
from walletmodal.web.rpc import NODE_METHODS

documented = [one["properties"]["method"]["enum"] for one in document()["components"]["schemas"]["RpcCall"]["anyOf"]]
print(json.dumps({
    "nodes": NODE_METHODS["eth_blobBaseFee"].check(None),
    "joined": "eth_blobBaseFee" in READ_METHODS,
    "documented": any("eth_blobBaseFee" in names for names in documented),
    "brought by the frame": [name for name in ("eth_blobBaseFee", "wallet_getNotes") if name in OVER_WEBSOCKET],
    "asked of pairings": "wallet_getNotes" in PAIRED_METHODS["eip155"],
}))
"""


@pytest.fixture(scope="module")
def added() -> Any:
    """What a fresh process makes of two more records."""
    made = subprocess.run([sys.executable, "-c", _ADDED], check=True, capture_output=True, text=True)
    return json.loads(made.stdout)


def test_a_read_of_nodes_needs_its_record_alone(added: dict[str, Any]) -> None:
    assert (added["nodes"], added["joined"], added["documented"]) == ([], True, True)


def test_a_read_of_wallets_needs_its_record_alone(added: dict[str, Any]) -> None:
    assert (added["brought by the frame"], added["asked of pairings"]) == (["wallet_getNotes"], True)
