"""Who an account is: its ENS name, if the name is its own, and its picture."""

from typing import Any

import pytest
from eth_utils.crypto import keccak

from tests.sandbox.blockchain.stage import Foreign, Stage, caip10, world
from walletmodal.sandbox.blockchain.ens import namehash
from walletmodal.sandbox.evm.artifacts import call_data

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def named(stage: Stage, who: Foreign, claimed: str) -> None:
    """The account says by its reverse record that it has this name."""
    ens = world().ens
    assert ens is not None
    await who.call(ens.reverse_registrar, "setName(string)", claimed)


async def owned(stage: Stage, who: Foreign, label: str, address: str, avatar: str = "") -> None:
    """The owner of `eth` gives a name to the account, which sets its records."""
    ens = world().ens
    assert ens is not None
    data = call_data("setSubnodeOwner(bytes32,bytes32,address)", namehash("eth"), keccak(text=label), who.address)
    await stage.node.rpc("anvil_impersonateAccount", [ens.owner])
    given = {"from": ens.owner, "to": ens.registry, "data": f"0x{data.hex()}"}
    await stage.node.rpc("eth_sendTransactionSync", [given])
    node = namehash(f"{label}.eth")
    await who.call(ens.registry, "setResolver(bytes32,address)", node, ens.resolver)
    await who.call(ens.resolver, "setAddr(bytes32,address)", node, address)
    if avatar:
        await who.call(ens.resolver, "setText(bytes32,string,string)", node, "avatar", avatar)


async def identity(stage: Stage, address: str, **query: str) -> dict[str, Any]:
    found: dict[str, Any] = await stage.get(f"/v1/identity/{address}", **query)
    assert found.pop("resolvedAt")
    return found


async def test_the_names_of_the_beginning(stage: Stage) -> None:
    ens = world().ens
    assert ens is not None
    for one in ens.names:
        found = await identity(stage, one.address, sender=one.address)
        assert found["name"] == one.name
        assert found["avatar"].startswith("data:image/svg+xml")


async def test_an_account_without_a_name(stage: Stage, someone: Foreign) -> None:
    assert await identity(stage, someone.key.address) == {"name": None, "avatar": None}


async def test_a_name_of_a_foreign_client_is_seen_at_once(stage: Stage, someone: Foreign) -> None:
    assert (await identity(stage, someone.address))["name"] is None
    await owned(stage, someone, "carol", someone.address, "https://pictures.example/carol.png")
    await named(stage, someone, "carol.eth")
    assert await identity(stage, someone.address) == {
        "name": "carol.eth",
        "avatar": "https://pictures.example/carol.png",
    }


async def test_a_name_that_resolves_to_somebody_else_is_not_believed(stage: Stage, someone: Foreign) -> None:
    await named(stage, someone, "alice.eth")
    assert await identity(stage, someone.address) == {"name": None, "avatar": None}


@pytest.mark.parametrize("claimed", ["ALICE.eth", "аlice.eth", "a..eth", "", "al\u200bice.eth", "x" * 300])
async def test_names_that_are_not_in_normal_form(stage: Stage, someone: Foreign, claimed: str) -> None:
    await named(stage, someone, claimed)
    assert (await identity(stage, someone.address))["name"] is None


@pytest.mark.parametrize(
    "avatar", ["javascript:alert(1)", "http://10.0.0.1/x.png", "data:text/html,x", "eip155:1/erc721:0x01/1"]
)
async def test_pictures_that_are_none(stage: Stage, someone: Foreign, avatar: str) -> None:
    label = f"dave{someone.address[2:10]}"
    await owned(stage, someone, label, someone.address, avatar)
    await named(stage, someone, f"{label}.eth")
    assert await identity(stage, someone.address) == {"name": f"{label}.eth", "avatar": None}


async def test_an_nft_is_a_picture_for_its_owner_only(stage: Stage, someone: Foreign) -> None:
    nfts = await someone.deploy("SandboxCollectibles", "(string,string,address)", "Birds", "BRD", someone.address)
    await someone.call(nfts, "mint(address,uint256)", someone.address, 1)
    await owned(stage, someone, "erin", someone.address, f"eip155:1/erc721:{nfts}/1")
    await named(stage, someone, "erin.eth")
    assert (await identity(stage, someone.address))["avatar"].startswith("data:image/svg+xml")
    await someone.call(nfts, "transferFrom(address,address,uint256)", someone.address, nfts, 1)
    assert await identity(stage, someone.address) == {"name": "erin.eth", "avatar": None}


async def test_an_answer_is_kept_while_the_chain_stands_still(stage: Stage, someone: Foreign) -> None:
    path = f"/v1/identity/{someone.address}"
    first = (await stage.get(path))["resolvedAt"]
    stage.clock.advance(60)
    assert (await stage.get(path))["resolvedAt"] == first
    assert (await stage.get(path, useCache="false"))["resolvedAt"] != first


async def test_solana_accounts_have_no_name(stage: Stage) -> None:
    assert await identity(stage, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM") == {"name": None, "avatar": None}


@pytest.mark.parametrize("address", ["0x12", "alice.eth", "0x" + "g" * 40, caip10("0x" + "1" * 40)])
async def test_what_is_no_address_is_400(stage: Stage, address: str) -> None:
    answer = await stage.http.get(f"/v1/identity/{address}")
    assert (answer.status_code, answer.json()["reasons"][0]["field"]) == (400, "address")
