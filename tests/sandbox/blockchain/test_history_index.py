"""The index behind histories: pages, what waits, what the chain takes back, and what a new process finds again."""

import asyncio

import pytest

from tests.sandbox.blockchain.stage import (
    ETHER,
    ETHEREUM,
    POLYGON,
    Foreign,
    Stage,
    caip10,
    staged,
    token,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

STRANGER = "0x00000000000000000000000000000000000a11ce"


async def test_a_chain_can_be_asked_for_alone(stage: Stage, someone: Foreign) -> None:
    there = Foreign(stage.nodes[POLYGON], someone.key)
    await there.node.rpc("anvil_setBalance", [there.key.address, hex(ETHER)])
    await someone.send(STRANGER, value=1)
    await there.send(STRANGER, value=1)
    everywhere = await stage.history(someone.address)
    assert {one["metadata"]["chain"] for one in everywhere} == {ETHEREUM, POLYGON}
    assert [one["metadata"]["chain"] for one in await stage.history(someone.address, chainId=POLYGON)] == [POLYGON]


async def test_an_account_may_be_named_by_its_caip10_id(stage: Stage, someone: Foreign) -> None:
    await someone.send(STRANGER, value=1)
    assert await stage.history(caip10(someone.key.address)) == await stage.history(someone.address)


async def test_pages_of_fifty_lead_through_everything_once(stage: Stage, someone: Foreign) -> None:
    sent = [await someone.send(STRANGER, value=number + 1) for number in range(120)]
    seen: list[str] = []
    sizes: list[int] = []
    query: dict[str, str] = {}
    while len(sizes) < 5:
        page = await stage.get(f"/v1/account/{someone.address}/history", **query)
        seen += [one["metadata"]["hash"] for one in page["data"]]
        sizes.append(len(page["data"]))
        if page["next"] is None:
            break
        query = {"cursor": page["next"]}
        await someone.send(STRANGER, value=1)  # a page that was given is not moved by what comes after it
    assert sizes == [50, 50, 20]
    assert seen == sent[::-1]


async def test_a_waiting_transaction_is_pending(stage: Stage, someone: Foreign) -> None:
    await stage.node.rpc("evm_setAutomine", [False])
    try:
        sent = await someone.send(STRANGER, value=ETHER, mined=False)
        entry = await stage.newest(someone.address)
    finally:
        await stage.node.rpc("evm_setAutomine", [True])
        await stage.node.rpc("evm_mine")
    assert (entry["metadata"]["hash"], entry["metadata"]["status"]) == (sent, "pending")
    assert (await stage.newest(someone.address))["metadata"]["status"] == "confirmed"


async def test_what_the_chain_forgets_the_history_forgets(stage: Stage, someone: Foreign) -> None:
    kept = await someone.send(STRANGER, value=1)
    before = await stage.node.rpc("evm_snapshot")
    await someone.send(STRANGER, value=2)
    assert len(await stage.history(someone.address)) == 2
    await stage.node.rpc("evm_revert", [before])
    assert [one["metadata"]["hash"] for one in await stage.history(someone.address)] == [kept]
    again = await someone.send(STRANGER, value=3)
    assert [one["metadata"]["hash"] for one in await stage.history(someone.address)] == [again, kept]


async def test_another_contract_at_a_forgotten_address_is_asked_anew(stage: Stage, someone: Foreign) -> None:
    before = await stage.node.rpc("evm_snapshot")
    names = []
    for name in ("First", "Second"):
        deployed = await someone.deploy("SandboxToken", "(string,string,uint8,address)", name, "T", 0, someone.address)
        await someone.call(deployed, "mint(address,uint256)", someone.address, 1)
        names.append((await stage.newest(someone.address))["transfers"][0]["fungible_info"]["name"])
        if name == "First":
            await stage.node.rpc("evm_revert", [before])
    assert names == ["First", "Second"]


async def test_a_new_process_tells_the_same(stage: Stage, someone: Foreign) -> None:
    await someone.call(token("WETH"), "deposit()", value=ETHER)
    await someone.send(STRANGER, value=1)
    told = await stage.history(someone.address)
    later = staged(stage.nodes)
    assert await later.history(someone.address) == told
    await later.http.aclose()
    await later.service.close()


async def test_many_who_ask_at_once_are_told_the_same(stage: Stage, someone: Foreign) -> None:
    for number in range(10):
        await someone.send(STRANGER, value=number + 1)
    told = await asyncio.gather(*(stage.history(someone.address, chainId=ETHEREUM) for _ in range(20)))
    assert all(one == told[0] for one in told)
    assert len(told[0]) == 10


async def test_hundreds_of_empty_blocks_are_passed_over(stage: Stage, someone: Foreign) -> None:
    before = await stage.node.rpc("evm_snapshot")
    sent = await someone.send(STRANGER, value=1)
    await stage.node.rpc("anvil_mine", [hex(450)])
    assert (await stage.newest(someone.address))["metadata"]["hash"] == sent
    await stage.node.rpc("evm_revert", [before])
    assert await stage.history(someone.address, chainId=ETHEREUM) == []
