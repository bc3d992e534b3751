"""web3 as the tests use it: a client of the gateway that is none of ours."""

import warnings
from typing import Any

from tests.patience import PATIENCE

with warnings.catch_warnings():
    # web3 7 still imports the old client of websockets, which warns.
    warnings.filterwarnings("ignore", "websockets.legacy is deprecated", DeprecationWarning)
    from web3 import AsyncHTTPProvider, AsyncWeb3
    from web3.contract.async_contract import AsyncContract
    from web3.exceptions import ContractLogicError

__all__ = ["ContractLogicError", "Web3", "call", "connected", "contract_at", "send"]

Web3 = AsyncWeb3[AsyncHTTPProvider]


def connected(url: str) -> Web3:
    """A client of the chain behind a URL; to be disconnected by its provider."""
    return AsyncWeb3(AsyncHTTPProvider(url))


def contract_at(web3: Web3, address: str, abi: list[dict[str, Any]]) -> AsyncContract:
    """A contract that is there."""
    return web3.eth.contract(address=web3.to_checksum_address(address), abi=abi)


async def call(web3: Web3, to: str, data: bytes, sender: str | None = None) -> bytes:
    """What a call returns."""
    asked: Any = {"to": to, "data": "0x" + data.hex()} | ({"from": sender} if sender else {})
    return bytes(await web3.eth.call(asked))


async def send(web3: Web3, account: Any, function: Any, value: int = 0) -> Any:
    """Sign a call with an account's key, send it and wait until it is mined; the receipt."""
    nonce = await web3.eth.get_transaction_count(account.address)
    transaction = await function.build_transaction({"from": account.address, "nonce": nonce, "value": value})
    sent = await web3.eth.send_raw_transaction(account.sign_transaction(transaction).raw_transaction)
    receipt = await web3.eth.wait_for_transaction_receipt(sent, timeout=PATIENCE, poll_latency=0.05)
    assert receipt["status"] == 1
    return receipt
