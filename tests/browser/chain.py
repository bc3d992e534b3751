"""The sandbox's chains, seen directly: what the modal shows is held against what they say."""

from dataclasses import dataclass
from decimal import Decimal

import httpx
from eth_account import Account
from eth_account.signers.local import LocalAccount

WEI = 10**18


@dataclass(frozen=True)
class TestAccount:
    """A key that no other test uses."""

    __test__ = False

    key: str
    address: str

    @property
    def truncated(self) -> str:
        """The address as the modal shows it: the first 4 and the last 6 characters."""
        return f"{self.address[:4]}...{self.address[-6:]}"


def new_account() -> TestAccount:
    """A fresh key."""
    account: LocalAccount = Account.create()
    return TestAccount("0x" + bytes(account.key).hex(), account.address)


class Chain:
    """One chain of the sandbox.

    Args:
        chain_id: chain id (EIP-155).
        node_url: its own node.
        sandbox_url: where the sandbox's gateway and control are.
    """

    def __init__(self, chain_id: int, node_url: str, sandbox_url: str, client: httpx.Client) -> None:
        self.id = chain_id
        self.node_url = node_url
        self._sandbox = sandbox_url
        self._client = client

    @property
    def caip2(self) -> str:
        """The CAIP-2 id."""
        return f"eip155:{self.id}"

    def balance(self, address: str) -> int:
        """The native balance in wei, as the gateway tells it."""
        gateway = f"{self._sandbox}/rpc/v1/"
        body = {"jsonrpc": "2.0", "id": 1, "method": "eth_getBalance", "params": [address, "latest"]}
        answer = self._client.post(gateway, params={"chainId": self.caip2, "projectId": "test"}, json=body)
        return int(answer.raise_for_status().json()["result"], 16)

    def call(self, method: str, *params: object) -> object:
        """Ask the chain's own node, also what only a test node has."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        answer = self._client.post(f"{self._sandbox}/sandbox/nodes/{self.caip2}", json=body).raise_for_status().json()
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        result: object = answer["result"]
        return result

    def fund(self, address: str, amount: str) -> None:
        """Give an account `amount` whole coins (decimal string) more."""
        wei = int(Decimal(amount) * WEI)
        body = {"address": address, "chain": self.caip2, "amount": str(wei)}
        self._client.post(f"{self._sandbox}/sandbox/faucet", json=body).raise_for_status()


def floored(wei: int, places: int = 3) -> str:
    """An amount of wei as the modal shows it: whole coins, cut after three decimals, without padding; nothing is '0.000'."""
    whole, rest = divmod(wei, WEI)
    if wei == 0:
        return "0.000"
    return f"{whole}.{rest * 10**places // WEI:0{places}d}".rstrip("0").rstrip(".")
