"""What a real node says of EIP-7702 where its network does not have it: the secure site's page asks so before it offers a smart account."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.ports import free_ports
from walletmodal.sandbox.evm.anvil_program import anvil_binary

ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
NOBODY = {"chainId": "0x0", "address": "0x" + "0" * 40, "nonce": "0x0", "yParity": "0x0", "r": "0x1", "s": "0x1"}
COUNTED = 33_500
"""Gas from which on the page takes the network for one that counts authorizations (`hasDelegations`, secure/web/src/smart_account/account.ts)."""


@contextmanager
def network(hardfork: str) -> Iterator[httpx.Client]:
    """A node of a network of that hard fork."""
    port = free_ports()
    node = subprocess.Popen(
        [anvil_binary(), "--port", str(port), "--hardfork", hardfork],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert node.stdout is not None
    try:
        said = next((line for line in node.stdout if line.startswith("Listening")), "")
        assert said, "the node did not start"
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            yield client
    finally:
        node.terminate()
        node.communicate()


@pytest.mark.parametrize(("hardfork", "has"), [("cancun", False), ("prague", True)])
def test_a_node_counts_authorizations_only_where_its_network_has_them(hardfork: str, has: bool) -> None:
    call = {"from": ACCOUNT, "to": ACCOUNT, "authorizationList": [NOBODY]}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "eth_estimateGas", "params": [call]}
    with network(hardfork) as client:
        answer = client.post("/", json=asked).json()
    assert (int(answer.get("result", "0x0"), 16) >= COUNTED) is has
