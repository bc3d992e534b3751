"""Solana accounts: what they hold, and the payments in their transactions."""

import base64
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import Transaction

from tests.ports import sandbox_settings
from tests.sandbox.blockchain.stage import SDK, VERSION
from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.blockchain import BlockchainService
from walletmodal.sandbox.blockchain.rpc import NodeClient
from walletmodal.sandbox.onramp.purchases import PurchaseStore
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN, TOKENS, account_keys

pytestmark = pytest.mark.asyncio(loop_scope="session")

SOL = 10**9


class SolanaStage:
    def __init__(self, node: SolanaNode) -> None:
        service = BlockchainService(
            {}, node.relay, "http://localhost:8700", PurchaseStore(), clock=MovableClock(datetime.now(UTC))
        )
        self.node = node
        self.rpc = NodeClient(CHAIN, node.relay)
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(service), base_url="http://service", headers=SDK)

    async def get(self, path: str, **query: str) -> Any:
        answer = await self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def pay(self, payer: Keypair, payee: Pubkey, lamports: int) -> str:
        latest: Any = await self.rpc.call("getLatestBlockhash")
        instruction = transfer(TransferParams(from_pubkey=payer.pubkey(), to_pubkey=payee, lamports=lamports))
        message = Message([instruction], payer.pubkey())
        signed = Transaction([payer], message, Hash.from_string(latest["value"]["blockhash"]))
        options = {"encoding": "base64"}
        return str(await self.rpc.call("sendTransaction", base64.b64encode(bytes(signed)).decode(), options))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def solana() -> AsyncIterator[SolanaStage]:
    node = SolanaNode(sandbox_settings().solana_port, print)
    await node.start()
    on_stage = SolanaStage(node)
    yield on_stage
    await on_stage.http.aclose()
    await node.stop()


async def test_the_chain_is_served(solana: SolanaStage) -> None:
    assert (await solana.get("/v1/supported-chains"))["http"] == [CHAIN]


async def test_coin_and_tokens_are_the_balance(solana: SolanaStage) -> None:
    owner = str(account_keys()[2].pubkey())
    asked = {"currency": "usd", "chainId": CHAIN, "sv": VERSION}
    rows = (await solana.get(f"/v1/account/{owner}/balance", **asked))["balances"]
    coin = rows[0]
    assert (coin["name"], coin["symbol"], coin["chainId"], "address" in coin) == ("Solana", "SOL", CHAIN, False)
    assert coin["quantity"] == {"decimals": "9", "numeric": "100"}
    assert coin["value"] == 100 * coin["price"] > 0
    usdc = next(one for one in rows if one["symbol"] == "USDC")
    assert usdc["address"] == f"{CHAIN}:{TOKENS[0].mint}"
    assert (usdc["quantity"]["numeric"], usdc["value"]) == ("1500", 1500)
    assert {one["symbol"] for one in rows} == {"SOL", *(token.symbol for token in TOKENS)}


async def test_a_payment_is_in_both_histories(solana: SolanaStage) -> None:
    payer, payee = account_keys()[0], Keypair()
    sent = await solana.pay(payer, payee.pubkey(), 3 * SOL // 2)
    for who, kind, direction in ((payer, "send", "out"), (payee, "receive", "in")):
        history = await solana.get(f"/v1/account/{who.pubkey()}/history", chainId=CHAIN)
        entry = history["data"][0]
        assert entry["metadata"]["hash"] == sent
        assert (entry["metadata"]["operationType"], entry["metadata"]["chain"]) == (kind, CHAIN)
        assert (entry["metadata"]["sentFrom"], entry["metadata"]["sentTo"]) == (
            str(payer.pubkey()),
            str(payee.pubkey()),
        )
        (transfer_,) = entry["transfers"]
        assert (transfer_["direction"], transfer_["quantity"]["numeric"]) == (direction, "1.5")


async def test_tokens_that_were_given_are_received(solana: SolanaStage) -> None:
    payee = str(Keypair().pubkey())
    solana.node.give(payee, 2_500_000, TOKENS[0])
    entries = (await solana.get(f"/v1/account/{payee}/history"))["data"]
    received = [transfer_ for entry in entries for transfer_ in entry["transfers"]]
    assert [(one["fungible_info"]["symbol"], one["direction"], one["quantity"]["numeric"]) for one in received] == [
        ("USDC", "in", "2.5")
    ]


async def test_pages_lead_through_everything_once(solana: SolanaStage) -> None:
    payer, payee = account_keys()[1], Keypair().pubkey()
    sent = [await solana.pay(payer, payee, SOL // 100 + number) for number in range(60)]
    first = await solana.get(f"/v1/account/{payee}/history")
    rest = await solana.get(f"/v1/account/{payee}/history", cursor=first["next"])
    hashes = [one["metadata"]["hash"] for one in first["data"] + rest["data"]]
    assert (len(first["data"]), rest["next"], hashes) == (50, None, sent[::-1])


async def test_the_price_and_the_fee(solana: SolanaStage) -> None:
    sol = f"{CHAIN}:So11111111111111111111111111111111111111111"
    body = {"currency": "usd", "addresses": [sol]}
    (priced,) = (await solana.http.post("/v1/fungible/price", json=body)).json()["fungibles"]
    assert (priced["address"], priced["symbol"], priced["decimals"], priced["price"] > 0) == (sol, "SOL", 9, True)
    assert await solana.get("/v1/convert/gas-price", chainId=CHAIN) == dict.fromkeys(
        ("standard", "fast", "instant"), "5000"
    )
    assert await solana.get("/v1/convert/tokens", chainId=CHAIN) == {"tokens": []}
