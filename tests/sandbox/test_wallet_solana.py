"""The Sandbox Wallet on Solana: the Wallet Standard, with transactions that land on the sandbox's chain."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, expect
from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import Transaction, VersionedTransaction

from tests.sandbox.page_side import PageSide
from walletmodal.sandbox.solana.world import CHAIN, account_keys

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[..., Awaitable[Page]]
Rpc = Callable[..., Awaitable[object]]

FIRST, SECOND, THIRD = (str(key.pubkey()) for key in account_keys())
CONNECT = "feature('standard:connect')()"
SILENTLY = "feature('standard:connect')({silent: true})"
LAMPORTS = 1_500_000_000


async def _page(open_page: OpenPage, connected: bool = True) -> PageSide:
    page = await PageSide(await open_page(loader=False)).find()
    if connected:
        await page.approved(CONNECT)
    return page


async def _blockhash(rpc: Rpc) -> Hash:
    answer = await rpc(CHAIN, "getLatestBlockhash")
    assert isinstance(answer, dict)
    return Hash.from_string(answer["value"]["blockhash"])


def _payment(to: str, payer: str = FIRST) -> Instruction:
    from_, to_ = Pubkey.from_string(payer), Pubkey.from_string(to)
    return transfer(TransferParams(from_pubkey=from_, to_pubkey=to_, lamports=LAMPORTS))


def _v0(instruction: Instruction, blockhash: Hash, payer: str = FIRST) -> str:
    message = MessageV0.try_compile(Pubkey.from_string(payer), [instruction], [], blockhash)
    return bytes(VersionedTransaction.populate(message, [Signature.default()])).hex()


def _legacy(instruction: Instruction, blockhash: Hash, payer: str = FIRST) -> str:
    message = Message.new_with_blockhash([instruction], Pubkey.from_string(payer), blockhash)
    return bytes(Transaction.new_unsigned(message)).hex()


def _input(transaction: str) -> str:
    return f"{{account: account('solana:mainnet'), chain: 'solana:mainnet', transaction: bytes('{transaction}')}}"


async def test_it_is_registered_with_solana_and_bitcoin(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    wallet = (await page.silent("standard"))["value"]
    assert (wallet["name"], wallet["chains"]) == ("Sandbox Wallet", ["solana:mainnet", "bitcoin:mainnet"])
    assert wallet["icon"].startswith("data:image/svg+xml;base64,")


async def test_connecting_needs_approval(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.silent(SILENTLY))["value"] == {"accounts": []}
    connected = await page.approved(CONNECT)
    assert [account["address"] for account in connected["accounts"]] == [FIRST]


async def test_rejecting_is_4001(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.rejected(CONNECT))["code"] == 4001


async def test_the_question_says_which_namespace_it_is_about(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    await page.ask(CONNECT)
    await expect(page.page.get_by_test_id("sandbox-wallet-asked-for")).to_have_text("Solana")
    await expect(page.page.locator("#sandbox-wallet")).to_contain_text(FIRST)


async def test_after_a_reload_it_is_connected_without_a_question(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.page.reload()
    await page.find()
    accounts = (await page.silent(SILENTLY))["value"]["accounts"]
    assert [account["address"] for account in accounts] == [FIRST]
    await expect(page.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


async def test_the_owner_changes_account_lock_and_permission(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.choose("solana", 1)
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-disconnect").click()
    assert await page.heard() == [[FIRST], [SECOND], [], [SECOND], []]


async def test_the_page_may_disconnect(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.silent("feature('standard:disconnect')()")
    assert (await page.silent(SILENTLY))["value"] == {"accounts": []}


async def test_a_signed_message_verifies(open_page: OpenPage) -> None:
    page = await _page(open_page)
    message = "Grüße".encode()
    await page.ask(
        f"feature('solana:signMessage')({{account: account('solana:mainnet'), message: bytes('{message.hex()}')}})"
    )
    await expect(page.page.get_by_test_id("sandbox-wallet-detail")).to_have_text("Grüße")
    await page.page.get_by_test_id("sandbox-wallet-approve").click()
    (output,) = (await page.answer())["value"]
    assert Signature(bytes.fromhex(output["signature"])).verify(Pubkey.from_string(FIRST), message)


async def test_a_transaction_is_no_message(open_page: OpenPage, rpc: Rpc) -> None:
    page = await _page(open_page)
    raw = MessageV0.try_compile(Pubkey.from_string(FIRST), [_payment(SECOND)], [], await _blockhash(rpc))
    disguised = (b"\x80" + bytes(raw)).hex()
    work = f"feature('solana:signMessage')({{account: account('solana:mainnet'), message: bytes('{disguised}')}})"
    assert (await page.silent(work))["code"] == -32602


@pytest.mark.parametrize("compiled", [_v0, _legacy])
async def test_a_signed_transaction_is_whole(
    open_page: OpenPage, rpc: Rpc, compiled: Callable[[Instruction, Hash], str]
) -> None:
    page = await _page(open_page)
    unsigned = compiled(_payment(SECOND), await _blockhash(rpc))
    (output,) = await page.approved(f"feature('solana:signTransaction')({_input(unsigned)})")
    signed = VersionedTransaction.from_bytes(bytes.fromhex(output["signedTransaction"]))
    assert signed.verify_with_results() == [True]


async def test_a_sent_transaction_lands(open_page: OpenPage, rpc: Rpc) -> None:
    page = await _page(open_page)
    to = str(Keypair().pubkey())
    await page.ask(f"feature('solana:signAndSendTransaction')({_input(_v0(_payment(to), await _blockhash(rpc)))})")
    card = page.page.locator("#sandbox-wallet")
    await expect(card).to_contain_text("1.5 SOL")
    await expect(card).to_contain_text(to)
    await expect(card).to_contain_text("0.000005 SOL")
    await page.page.get_by_test_id("sandbox-wallet-approve").click()
    assert "value" in await page.answer()
    balance = await rpc(CHAIN, "getBalance", to)
    assert isinstance(balance, dict)
    assert balance["value"] == LAMPORTS


async def test_what_the_wallet_cannot_read_is_warned_of(open_page: OpenPage, rpc: Rpc) -> None:
    page = await _page(open_page)
    unknown = Instruction(Pubkey.from_string(THIRD), b"\x01\x02", [])
    await page.ask(f"feature('solana:signTransaction')({_input(_v0(unknown, await _blockhash(rpc)))})")
    card = page.page.locator("#sandbox-wallet")
    await expect(card).to_contain_text("cannot tell what all of it does")
    await expect(card).to_contain_text(THIRD)


async def test_what_the_node_refuses_is_told(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.ask(f"feature('solana:signAndSendTransaction')({_input(_v0(_payment(SECOND), Hash.default()))})")
    await page.page.get_by_test_id("sandbox-wallet-approve").click()
    assert "lockhash not found" in (await page.answer())["message"]


async def test_what_cannot_be_done_is_refused_at_once(open_page: OpenPage) -> None:
    page = await _page(open_page)
    others = _v0(_payment(FIRST, SECOND), Hash.default(), SECOND)
    mine = _v0(_payment(SECOND), Hash.default())
    cases = [
        ("feature('solana:signTransaction')({account: account('solana:mainnet'), transaction: bytes('00')})", -32602),
        (f"feature('solana:signTransaction')({_input(mine + '00')})", -32602),
        (f"feature('solana:signTransaction')({_input(mine[:-2])})", -32602),
        (f"feature('solana:signTransaction')({_input(others)})", -32602),
        (f"feature('solana:signTransaction')({{...{_input(mine)}, chain: 'solana:devnet'}})", -32602),
        (f"feature('solana:signTransaction')({{...{_input(mine)}, account: {{address: '{SECOND}'}}}})", 4100),
        ("feature('solana:signMessage')({message: bytes('00')})", -32602),
        ("feature('solana:signMessage')({account: account('solana:mainnet'), message: 'text'})", -32602),
    ]
    assert [(await page.silent(work))["code"] for work, _ in cases] == [code for _, code in cases]
