"""What a foreign client does on the node is in the histories of all whom it concerns."""

from typing import Any

import pytest

from tests.sandbox.blockchain.stage import (
    ETHER,
    ETHEREUM,
    NATIVE,
    Foreign,
    Stage,
    caip10,
    token,
    world,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

STRANGER = "0x00000000000000000000000000000000000a11ce"


def moved(entry: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (one["direction"], one["quantity"]["numeric"], (one["fungible_info"] or one["nft_info"])["name"])
        for one in entry["transfers"]
    ]


async def test_a_payment_is_a_send_for_the_payer(stage: Stage, someone: Foreign) -> None:
    sent = await someone.send(STRANGER, value=ETHER // 4)
    entry = await stage.newest(someone.address)
    assert entry["metadata"] == {
        "operationType": "send",
        "hash": sent,
        "minedAt": entry["metadata"]["minedAt"],
        "sentFrom": someone.address,
        "sentTo": STRANGER,
        "status": "confirmed",
        "nonce": 0,
        "application": None,
        "chain": ETHEREUM,
    }
    (transfer,) = entry["transfers"]
    assert transfer["fungible_info"]["symbol"] == "ETH"
    assert transfer["fungible_info"]["icon"]["url"].endswith("/getTokenImage/ETH")
    assert (transfer["nft_info"], transfer["direction"], transfer["quantity"]) == (None, "out", {"numeric": "0.25"})
    assert transfer["value"] == pytest.approx(transfer["price"] / 4)


async def test_a_payment_is_received_by_the_payee(stage: Stage, someone: Foreign) -> None:
    payee = await Foreign.funded(stage.node, 0)
    await someone.send(payee.address, value=1)
    entry = await stage.newest(payee.address)
    assert entry["metadata"]["operationType"] == "receive"
    assert moved(entry) == [("in", "0.000000000000000001", "Ether")]


async def test_a_payment_to_oneself_is_self(stage: Stage, someone: Foreign) -> None:
    await someone.send(someone.address, value=ETHER)
    assert moved(await stage.newest(someone.address)) == [("self", "1", "Ether")]


async def test_a_payment_of_nothing_to_oneself_is_a_cancel(stage: Stage, someone: Foreign) -> None:
    await someone.send(someone.address)
    assert (await stage.newest(someone.address))["metadata"]["operationType"] == "cancel"


async def test_a_token_transfer_names_the_people_not_the_contract(stage: Stage, someone: Foreign) -> None:
    await someone.call(token("WETH"), "deposit()", value=ETHER)
    await someone.call(token("WETH"), "transfer(address,uint256)", STRANGER, ETHER // 2)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "send"
    assert (entry["metadata"]["sentFrom"], entry["metadata"]["sentTo"]) == (someone.address, STRANGER)
    assert moved(entry) == [("out", "0.5", "Wrapped Ether")]


async def test_wrapping_is_a_deposit_and_unwrapping_a_withdrawal(stage: Stage, someone: Foreign) -> None:
    await someone.call(token("WETH"), "deposit()", value=ETHER)
    await someone.call(token("WETH"), "withdraw(uint256)", ETHER)
    unwrapped, wrapped = await stage.history(someone.address, chainId=ETHEREUM)
    assert (wrapped["metadata"]["operationType"], unwrapped["metadata"]["operationType"]) == ("deposit", "withdraw")
    assert moved(wrapped) == [("out", "1", "Ether"), ("in", "1", "Wrapped Ether")]
    assert moved(unwrapped) == [("out", "1", "Wrapped Ether"), ("in", "1", "Ether")]


async def test_an_approval_is_one(stage: Stage, someone: Foreign) -> None:
    await someone.call(token("USDC"), "approve(address,uint256)", STRANGER, 5)
    entry = await stage.newest(someone.address)
    assert (entry["metadata"]["operationType"], entry["transfers"]) == ("approve", [])


async def test_a_transaction_that_failed_moved_nothing(stage: Stage, someone: Foreign) -> None:
    await someone.call(token("USDC"), "transfer(address,uint256)", STRANGER, 10**30)
    entry = await stage.newest(someone.address)
    assert (entry["metadata"]["status"], entry["metadata"]["operationType"]) == ("failed", "send")
    assert entry["transfers"] == []


async def test_a_swap_of_a_foreign_client_is_a_trade(stage: Stage, someone: Foreign) -> None:
    path = [token("WETH"), token("DAI")]
    signature = "swapExactETHForTokens(uint256,address[],address,uint256)"
    await someone.call(world().router, signature, 0, path, someone.address, 2**40, value=ETHER)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "trade"
    assert entry["metadata"]["application"]["name"] == "Uniswap V2"
    assert [(one["direction"], one["fungible_info"]["symbol"]) for one in entry["transfers"]] == [
        ("out", "ETH"),
        ("in", "DAI"),
    ]


async def test_coin_that_a_contract_pays_out_is_seen(stage: Stage, someone: Foreign) -> None:
    router, weth, dai = world().router, token("WETH"), token("DAI")
    swap = "swapExactETHForTokens(uint256,address[],address,uint256)"
    await someone.call(router, swap, 0, [weth, dai], someone.address, 2**40, value=ETHER)
    await someone.call(dai, "approve(address,uint256)", router, 2**255)
    back = "swapExactTokensForETH(uint256,uint256,address[],address,uint256)"
    await someone.call(router, back, 1000 * ETHER, 0, [dai, weth], someone.address, 2**40)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "trade"
    assert [(one["direction"], one["fungible_info"]["symbol"]) for one in entry["transfers"]] == [
        ("out", "DAI"),
        ("in", "ETH"),
    ]


async def test_change_of_a_payment_is_not_a_transfer(stage: Stage, someone: Foreign) -> None:
    swap = "swapETHForExactTokens(uint256,address[],address,uint256)"
    path = [token("WETH"), token("DAI")]
    await someone.call(world().router, swap, 32 * ETHER, path, someone.address, 2**40, value=ETHER)
    gone, come = moved(await stage.newest(someone.address))
    assert come == ("in", "32", "Dai Stablecoin")
    assert gone[0] == "out"
    assert float(gone[1]) < 0.02


async def test_deploying_and_calling_a_contract(stage: Stage, someone: Foreign) -> None:
    deployed = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    await someone.call(deployed, "transferOwnership(address)", someone.address)
    called, made = await stage.history(someone.address, chainId=ETHEREUM)
    assert (made["metadata"]["operationType"], made["metadata"]["sentTo"]) == ("deploy", deployed)
    assert (called["metadata"]["operationType"], called["metadata"]["sentTo"]) == ("execute", deployed)


async def test_tokens_of_a_foreign_contract_have_its_own_name_and_no_price(stage: Stage, someone: Foreign) -> None:
    deployed = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    await someone.call(deployed, "mint(address,uint256)", someone.address, 123_456)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "mint"
    (transfer,) = entry["transfers"]
    assert transfer["fungible_info"] == {"name": "Mine", "symbol": "MNE", "icon": None}
    assert (transfer["quantity"]["numeric"], transfer["price"], transfer["value"]) == ("12.3456", None, None)


async def test_an_nft_is_minted_and_sent_with_its_name_and_picture(stage: Stage, someone: Foreign) -> None:
    nfts = await someone.deploy("SandboxCollectibles", "(string,string,address)", "Birds", "BRD", someone.address)
    await someone.call(nfts, "mint(address,uint256)", someone.address, 7)
    await someone.call(nfts, "transferFrom(address,address,uint256)", someone.address, STRANGER, 7)
    sent, minted, *_ = await stage.history(someone.address, chainId=ETHEREUM)
    assert (sent["metadata"]["operationType"], minted["metadata"]["operationType"]) == ("send", "mint")
    (transfer,) = sent["transfers"]
    info = transfer["nft_info"]
    assert (transfer["fungible_info"], transfer["direction"], transfer["quantity"]["numeric"]) == (None, "out", "1")
    assert "7" in info["name"]
    assert info["content"]["preview"]["url"].startswith("data:image/svg+xml")
    assert info["content"]["preview"]["content_type"] == "image/svg+xml"
    assert info["flags"] == {"is_spam": False}


async def test_an_edition_moves_in_copies(stage: Stage, someone: Foreign) -> None:
    editions = await someone.deploy("SandboxEditions", "(string,string,address)", "Badges", "BDG", someone.address)
    await someone.call(editions, "mint(address,uint256,uint256)", someone.address, 3, 10)
    signature = "safeTransferFrom(address,address,uint256,uint256,bytes)"
    await someone.call(editions, signature, someone.address, STRANGER, 3, 4, b"")
    (transfer,) = (await stage.newest(someone.address))["transfers"]
    assert (transfer["direction"], transfer["quantity"]["numeric"]) == ("out", "4")


async def test_the_contract_account_has_a_history_too(stage: Stage, someone: Foreign) -> None:
    account = world().contract_account
    assert account is not None
    await someone.send(account.address, value=5)
    entry = await stage.newest(account.address)
    assert moved(entry) == [("in", "0.000000000000000005", "Ether")]


async def test_events_that_are_no_transfers_do_no_harm(stage: Stage, someone: Foreign) -> None:
    liar = "0x" + "1a" * 20
    # PUSH32 <topic of Transfer>, PUSH1 192, PUSH1 0, LOG1, STOP: neither parties nor an amount.
    code = "7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60c06000a100"
    await stage.node.rpc("anvil_setCode", [liar, "0x" + code])
    await someone.send(liar, b"\x01")
    entry = await stage.newest(someone.address)
    assert (entry["metadata"]["operationType"], entry["transfers"]) == ("execute", [])


async def test_the_native_stand_in_is_no_contract_of_histories(stage: Stage, someone: Foreign) -> None:
    await someone.send(NATIVE, value=1)
    assert moved(await stage.newest(someone.address)) == [("out", "0.000000000000000001", "Ether")]


async def test_burning_shares_of_a_pool_and_paying_contracts(stage: Stage, someone: Foreign) -> None:
    mine = await someone.deploy("SandboxToken", "(string,string,uint8,address)", "Mine", "MNE", 4, someone.address)
    router = world().router
    await someone.call(mine, "mint(address,uint256)", someone.address, 10**9)
    await someone.call(mine, "approve(address,uint256)", router, 2**255)
    add = "addLiquidityETH(address,uint256,uint256,uint256,address,uint256)"
    await someone.call(router, add, mine, 10**9, 0, 0, someone.address, 2**40, value=ETHER)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "deposit"
    assert [(one["direction"], one["fungible_info"]["symbol"]) for one in entry["transfers"]] == [
        ("out", "ETH"),
        ("out", "MNE"),
        ("in", "UNI-V2"),
    ]
    pool = entry["transfers"][2]
    shares = int(pool["quantity"]["numeric"].replace(".", "").ljust(18, "0"))
    pair = next(
        one["address"]
        for one in await stage.balances(someone.address, forceUpdate=caip10(NATIVE))
        if one["symbol"] == "UNI-V2"
    )
    await someone.call(pair.rpartition(":")[2], "approve(address,uint256)", router, 2**255)
    remove = "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)"
    await someone.call(router, remove, mine, shares // 10**6, 0, 0, someone.address, 2**40)
    entry = await stage.newest(someone.address)
    assert entry["metadata"]["operationType"] == "withdraw"
    assert sorted((one["direction"], one["fungible_info"]["symbol"]) for one in entry["transfers"]) == [
        ("in", "ETH"),
        ("in", "MNE"),
        ("out", "UNI-V2"),
    ]


async def test_nobody_plants_a_payment_of_nothing_in_another_s_history(stage: Stage, someone: Foreign) -> None:
    victim = await Foreign.funded(stage.node, 0)
    plant = "transferFrom(address,address,uint256)"
    await someone.call(token("DAI"), plant, victim.address, STRANGER, 0)
    assert await stage.history(victim.address) == []
    assert (await stage.newest(someone.address))["metadata"]["operationType"] == "send"


async def test_advertisements_are_spam(stage: Stage, someone: Foreign) -> None:
    nfts = await someone.deploy(
        "SandboxCollectibles", "(string,string,address)", "Visit win.example.com", "X", someone.address
    )
    await someone.call(nfts, "mint(address,uint256)", someone.address, 1)
    (transfer,) = (await stage.newest(someone.address))["transfers"]
    assert transfer["nft_info"]["flags"] == {"is_spam": True}
