"""The Sandbox Wallet on Bitcoin: the Wallet Standard and `btc_providers`; its signatures verify with other implementations."""

import base64
from collections.abc import Awaitable, Callable

import bip322
import pytest
from embit import bip32, bip39, script
from embit.psbt import PSBT
from embit.transaction import Transaction, TransactionInput, TransactionOutput
from playwright.async_api import Page, expect

from tests.sandbox.page_side import PageSide
from walletmodal.core.chains.bitcoin_scripts import locked_by
from walletmodal.core.chains.caip import ChainId
from walletmodal.services.chains.bip122.signatures import is_recoverably_signed

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[..., Awaitable[Page]]

ROOT = bip32.HDKey.from_seed(bip39.mnemonic_to_seed("test test test test test test test test test test test junk"))
LOCKS = {
    purpose: [lock(ROOT.derive(f"m/{purpose}h/0h/0h/0/{number}").to_public()) for number in range(3)]
    for purpose, lock in ((84, script.p2wpkh), (86, script.p2tr))
}
PAYMENTS, ORDINALS = ([lock.address() for lock in LOCKS[purpose]] for purpose in (84, 86))
MAINNET = ChainId("bip122", "000000000019d6689c085ae165831e93")
CONNECT = "feature('bitcoin:connect')({purposes: ['payment', 'ordinals']})"
SILENTLY = "feature('standard:connect')({silent: true})"
MESSAGE = "Grüße"


async def _page(open_page: OpenPage, connected: bool = True) -> PageSide:
    page = await PageSide(await open_page(loader=False)).find()
    if connected:
        await page.approved(CONNECT)
    return page


def _psbt(purpose: int = 84) -> PSBT:
    """One input of the first account, 1,000 satoshis of which are the fee."""
    spent = TransactionInput(bytes(range(32)), 1)
    outputs = [TransactionOutput(60_000_000, LOCKS[84][1]), TransactionOutput(39_999_000, LOCKS[84][0])]
    psbt = PSBT(Transaction(vin=[spent], vout=outputs))
    psbt.inputs[0].witness_utxo = TransactionOutput(100_000_000, LOCKS[purpose][0])
    return psbt


async def test_connecting_needs_approval(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.silent(SILENTLY))["value"] == {"accounts": []}
    connected = await page.approved(CONNECT)
    assert [account["address"] for account in connected["accounts"]] == [PAYMENTS[0], ORDINALS[0]]


async def test_the_accounts_are_those_of_the_published_phrase(open_page: OpenPage) -> None:
    page = await _page(open_page)
    for number in range(3):
        await page.choose("bip122", number)
        assert (await page.silent("standard.accounts.map(({address}) => address)"))["value"] == [
            PAYMENTS[number],
            ORDINALS[number],
        ]


async def test_rejecting_is_4001(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.rejected(CONNECT))["code"] == 4001


async def test_after_a_reload_it_is_connected_without_a_question(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.page.reload()
    await page.find()
    accounts = (await page.silent(SILENTLY))["value"]["accounts"]
    assert [account["address"] for account in accounts] == [PAYMENTS[0], ORDINALS[0]]
    await expect(page.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


async def test_solana_and_bitcoin_are_permitted_one_by_one(open_page: OpenPage) -> None:
    page = await _page(open_page)
    chains = "standard.accounts.flatMap(({chains}) => [...chains])"
    assert set((await page.silent(chains))["value"]) == {"bitcoin:mainnet"}
    await page.approved("feature('standard:connect')()")
    assert set((await page.silent(chains))["value"]) == {"bitcoin:mainnet", "solana:mainnet"}


async def test_the_owner_changes_account_lock_and_permission(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.choose("bip122", 1)
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-disconnect").click()
    second = [PAYMENTS[1], ORDINALS[1]]
    assert await page.heard() == [[PAYMENTS[0], ORDINALS[0]], second, [], second, []]


@pytest.mark.parametrize("address", [PAYMENTS[0], ORDINALS[0]])
async def test_a_message_is_signed_by_bip322(open_page: OpenPage, address: str) -> None:
    page = await _page(open_page)
    account = f"standard.accounts.find(({{address}}) => address === '{address}')"
    work = f"feature('bitcoin:signMessage')({{account: {account}, message: bytes('{MESSAGE.encode().hex()}')}})"
    (output,) = await page.approved(work)
    signature = base64.b64encode(bytes.fromhex(output["signature"])).decode()
    bip322.verify_simple_encoded(address, MESSAGE, signature)


async def test_a_message_is_signed_recoverably_when_asked_to(open_page: OpenPage) -> None:
    page = await _page(open_page)
    message = f"bytes('{MESSAGE.encode().hex()}')"
    asked = f"{{account: standard.accounts[0], message: {message}, protocol: 'ecdsa'}}"
    (output,) = await page.approved(f"feature('bitcoin:signMessage')({asked})")
    signature = bytes.fromhex(output["signature"])
    assert is_recoverably_signed(locked_by(PAYMENTS[0], MAINNET), MESSAGE.encode(), signature)


async def test_a_psbt_is_told_and_signed(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.ask(
        f"feature('bitcoin:signTransaction')({{psbt: bytes('{_psbt().serialize().hex()}'), inputsToSign: []}})"
    )
    card = page.page.locator("#sandbox-wallet")
    await expect(card).to_contain_text(f"0.6 BTC to {PAYMENTS[1]}")
    await expect(card).to_contain_text(f"Back to you0.39999 BTC to {PAYMENTS[0]}")
    await expect(card).to_contain_text("Fee0.00001 BTC")
    await page.page.get_by_test_id("sandbox-wallet-approve").click()
    (output,) = (await page.answer())["value"]
    signed = PSBT.parse(bytes.fromhex(output["signedPsbt"]))
    key = ROOT.derive("m/84h/0h/0h/0/0").get_public_key()
    assert signed.inputs[0].partial_sigs[key][-1:] == b"\x01"


async def test_a_psbt_of_a_taproot_address_is_signed(open_page: OpenPage) -> None:
    page = await _page(open_page)
    account = f"{{account: {{address: '{ORDINALS[0]}'}}, signingIndexes: [0]}}"
    psbt = _psbt(86).serialize().hex()
    (output,) = await page.approved(
        f"feature('bitcoin:signTransaction')({{psbt: bytes('{psbt}'), inputsToSign: [{account}]}})"
    )
    # The field of BIP-371 for the signature of a taproot key, which embit keeps without reading it.
    assert len(PSBT.parse(bytes.fromhex(output["signedPsbt"])).inputs[0].unknown[b"\x13"]) == 64


async def test_a_psbt_of_others_is_refused(open_page: OpenPage) -> None:
    page = await _page(open_page)
    psbt = _psbt()
    psbt.inputs[0].witness_utxo = TransactionOutput(100_000_000, LOCKS[84][2])
    work = f"feature('bitcoin:signTransaction')({{psbt: bytes('{psbt.serialize().hex()}')}})"
    assert (await page.silent(work))["code"] == -32602


async def test_the_listed_provider_connects(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.silent("btc_providers.at(-1).name"))["value"] == "Sandbox Wallet"
    answer = await page.approved("bitcoin.request('getAccounts', {purposes: ['payment']})")
    assert [(one["address"], one["purpose"]) for one in answer["result"]] == [(PAYMENTS[0], "payment")]


async def test_the_listed_provider_tells_silently_what_it_holds(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.silent("bitcoin.request('wallet_getAccount')"))["value"]["error"]["code"] == -32002
    await page.approved("bitcoin.request('wallet_connect')")
    account = (await page.silent("bitcoin.request('wallet_getAccount')"))["value"]["result"]
    assert [one["address"] for one in account["addresses"]] == [PAYMENTS[0], ORDINALS[0]]


async def test_the_listed_provider_answers_a_rejection(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    answer = await page.rejected("bitcoin.request('getAccounts', {purposes: ['payment']})")
    assert answer["value"]["error"]["code"] == -32000


async def test_the_listed_provider_tells_of_another_account(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.silent("bitcoin.addListener({eventName: 'accountChange', cb: ({addresses}) => heard.push(addresses)})")
    await page.choose("bip122", 2)
    assert [one["address"] for one in (await page.heard())[-1]] == [PAYMENTS[2], ORDINALS[2]]


async def test_the_listed_provider_signs_recoverably(open_page: OpenPage) -> None:
    page = await _page(open_page)
    answer = await page.approved(f"bitcoin.request('signMessage', {{address: '{PAYMENTS[0]}', message: '{MESSAGE}'}})")
    assert answer["result"]["protocol"] == "ECDSA"
    signature = base64.b64decode(answer["result"]["signature"])
    assert is_recoverably_signed(locked_by(PAYMENTS[0], MAINNET), MESSAGE.encode(), signature)


async def test_the_listed_provider_signs_by_bip322_when_asked_to(open_page: OpenPage) -> None:
    page = await _page(open_page)
    asked = f"{{address: '{PAYMENTS[0]}', message: '{MESSAGE}', protocol: 'BIP322'}}"
    answer = await page.approved(f"bitcoin.request('signMessage', {asked})")
    bip322.verify_simple_encoded(PAYMENTS[0], MESSAGE, answer["result"]["signature"])


async def test_the_listed_provider_signs_a_psbt(open_page: OpenPage) -> None:
    page = await _page(open_page)
    inputs = f"{{'{PAYMENTS[0]}': [0]}}"
    answer = await page.approved(
        f"bitcoin.request('signPsbt', {{psbt: '{_psbt().to_string()}', signInputs: {inputs}}})"
    )
    assert PSBT.from_string(answer["result"]["psbt"]).inputs[0].partial_sigs


async def test_what_cannot_be_done_is_refused_at_once(open_page: OpenPage) -> None:
    page = await _page(open_page)
    cases = [
        (f"{{address: '{PAYMENTS[1]}', message: ''}}", "signMessage", -32002),
        (f"{{address: '{PAYMENTS[0]}'}}", "signMessage", -32602),
        (f"{{address: '{PAYMENTS[0]}', message: '', protocol: 'x'}}", "signMessage", -32602),
        ("{psbt: 'cHNidP8='}", "signPsbt", -32602),
        ("{psbt: '%'}", "signPsbt", -32602),
        (f"{{psbt: '{_psbt().to_string()}', signInputs: {{'{PAYMENTS[0]}': [1]}}}}", "signPsbt", -32602),
        ("{}", "stx_signMessage", -32601),
        ("{}", "toString", -32601),
    ]
    answers = [(await page.silent(f"bitcoin.request('{method}', {params})"))["value"] for params, method, _ in cases]
    assert [answer["error"]["code"] for answer in answers] == [code for _, _, code in cases]
