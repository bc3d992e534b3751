"""Names: registered by those who signed, found both ways, kept by the file."""

import json
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import defunct_hash_message, encode_typed_data

from tests.sandbox.blockchain.stage import Foreign, Stage, staged, world

pytestmark = pytest.mark.asyncio(loop_scope="session")

ENSIP_11_MAINNET, ENSIP_11_POLYGON = 0x8000_0001, 0x8000_0089


def registration(stage: Stage, who: Foreign, name: str, **changes: Any) -> dict[str, Any]:
    said = {"name": name, "attributes": {}, "timestamp": int(stage.clock.now().timestamp())}
    said.update(changes.pop("said", {}))
    message = json.dumps(said, separators=(",", ":"))
    body = {
        "coin_type": ENSIP_11_MAINNET,
        "address": who.key.address,
        "message": message,
        "signature": who.sign(message),
    }
    return {**body, **changes}


async def refused(stage: Stage, body: object) -> tuple[int, str]:
    answer = await stage.http.post("/v1/profile/account", json=body)
    (reason,) = answer.json()["reasons"]
    assert reason["description"]
    return answer.status_code, reason["field"]


async def test_a_registered_name_is_found_by_name_and_by_address(stage: Stage, someone: Foreign) -> None:
    body = registration(stage, someone, "maple.reown.id", said={"attributes": {"bio": "hi there"}})
    record = await stage.post("/v1/profile/account", body)
    moment = record["registered_at"]
    assert record == {
        "name": "maple.reown.id",
        "registered_at": moment,
        "updated_at": moment,
        "attributes": {"bio": "hi there"},
        "addresses": {
            "60": {"address": someone.address, "created_at": moment},
            "2147483649": {"address": someone.address, "created_at": moment},
        },
    }
    assert await stage.get("/v1/profile/account/maple.reown.id", apiVersion="2") == record
    assert await stage.get(f"/v1/profile/reverse/{someone.key.address}", apiVersion="2", sender=someone.address) == [
        record
    ]


async def test_missing_names_are_404_and_empty_in_version_2(stage: Stage) -> None:
    nobody = "0x" + "0c" * 20
    for path in ("/v1/profile/account/nobody.reown.id", f"/v1/profile/reverse/{nobody}"):
        assert (await stage.http.get(path)).status_code == 404
        assert await stage.get(path, apiVersion="2") == []


async def test_a_name_has_one_owner(stage: Stage, someone: Foreign) -> None:
    await stage.post("/v1/profile/account", registration(stage, someone, "single.reown.id"))
    other = await Foreign.funded(stage.node, 0)
    assert await refused(stage, registration(stage, other, "single.reown.id")) == (400, "name")


@pytest.mark.parametrize(
    "name",
    [
        "maple",
        "maple.id",
        "a.maple.reown.id",
        "ab.reown.id",
        "x" * 65 + ".reown.id",
        "Maple.reown.id",
        "maple.eth.id",
        "ma_ple.reown.id",
        "",
    ],
)
async def test_names_that_cannot_be(stage: Stage, someone: Foreign, name: str) -> None:
    assert await refused(stage, registration(stage, someone, name)) == (400, "name")


@pytest.mark.parametrize("seconds", [-11, 11])
async def test_a_message_is_ten_seconds_old_at_most(stage: Stage, someone: Foreign, seconds: int) -> None:
    moment = int(stage.clock.now().timestamp()) + seconds
    body = registration(stage, someone, "late.reown.id", said={"timestamp": moment})
    assert await refused(stage, body) == (400, "timestamp")


@pytest.mark.parametrize("attributes", [{"mail": "x"}, {"bio": "x" * 256}, {"bio": "<b>"}, {"bio": ""}])
async def test_attributes_are_a_plain_bio(stage: Stage, someone: Foreign, attributes: dict[str, str]) -> None:
    body = registration(stage, someone, "bio.reown.id", said={"attributes": attributes})
    assert await refused(stage, body) == (400, "attributes")


@pytest.mark.parametrize("coin_type", [0, 1, 501, 0x8000_0000 | 7_777_777])
async def test_coin_types_of_unknown_chains(stage: Stage, someone: Foreign, coin_type: int) -> None:
    assert await refused(stage, registration(stage, someone, "coin.reown.id", coin_type=coin_type)) == (
        400,
        "coin_type",
    )


async def test_somebody_else_s_signature_is_401(stage: Stage, someone: Foreign) -> None:
    body = registration(stage, someone, "mine.reown.id", address=Account.create().address)
    assert await refused(stage, body) == (401, "signature")


@pytest.mark.parametrize("signature", ["", "0x", "0xzz", "hello", "0x" + "00" * 9000])
async def test_what_is_no_signature_is_400(stage: Stage, someone: Foreign, signature: str) -> None:
    assert await refused(stage, registration(stage, someone, "form.reown.id", signature=signature)) == (
        400,
        "signature",
    )


@pytest.mark.parametrize("signature", ["0x00", "0x" + "00" * 65, "0x" + "ff" * 65, "0x" + "11" * 64 + "1b"])
async def test_forged_signatures_are_401(stage: Stage, someone: Foreign, signature: str) -> None:
    assert await refused(stage, registration(stage, someone, "forged.reown.id", signature=signature)) == (
        401,
        "signature",
    )


async def test_a_contract_account_signs_by_its_own_rule(stage: Stage) -> None:
    account = world().contract_account
    assert account is not None
    message = json.dumps({"name": "safe.reown.id", "attributes": {}, "timestamp": int(stage.clock.now().timestamp())})
    body = {
        "coin_type": 60,
        "address": account.address,
        "message": message,
        "signature": safe_signature(account.address, message),
    }
    record = await stage.post("/v1/profile/account", body)
    assert list(record["addresses"]) == ["60"]
    wrong = {**body, "message": message.replace("safe.", "sofa.")}
    assert await refused(stage, wrong) == (401, "signature")


def safe_signature(account: str, text: str) -> str:
    """The owner's signature of a Safe's own message over the hash of a text (EIP-191 inside EIP-712)."""
    owner = Account.from_key("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
    typed = encode_typed_data(
        {"chainId": 1, "verifyingContract": account},
        {"SafeMessage": [{"name": "message", "type": "bytes"}]},
        {"message": bytes(defunct_hash_message(text=text))},
    )
    return f"0x{owner.sign_message(typed).signature.hex()}"


async def test_suggestions_begin_with_the_very_name(stage: Stage, someone: Foreign) -> None:
    await stage.post("/v1/profile/account", registration(stage, someone, "otter.reown.id"))
    listed = (await stage.get("/v1/profile/suggestions/otter", zone="reown.id"))["suggestions"]
    assert listed[0] == {"name": "otter.reown.id", "registered": True}
    assert len(listed) == 5
    assert len({one["name"] for one in listed}) == 5
    for one in listed[1:]:
        assert not one["registered"]
        assert await stage.get(f"/v1/profile/account/{one['name']}", apiVersion="2") == []


async def test_suggestions_for_a_part_of_a_word_complete_it(stage: Stage) -> None:
    listed = (await stage.get("/v1/profile/suggestions/chest", zone="reown.id"))["suggestions"]
    assert [one["name"] for one in listed[:2]] == ["chest.reown.id", "chestnut.reown.id"]


@pytest.mark.parametrize(
    ("name", "zone"),
    [("ab", "reown.id"), ("x" * 65, "reown.id"), ("Maple", "reown.id"), ("map.le", "reown.id"), ("maple", "other.id")],
)
async def test_suggestions_are_made_for_possible_names(stage: Stage, name: str, zone: str) -> None:
    assert (await stage.http.get(f"/v1/profile/suggestions/{name}", params={"zone": zone})).status_code == 400


async def test_names_outlive_the_process(stage: Stage, someone: Foreign, tmp_path: Path) -> None:
    first = staged(stage.nodes, folder=tmp_path)
    await first.post(
        "/v1/profile/account", registration(first, someone, "lasting.reown.id", coin_type=ENSIP_11_POLYGON)
    )
    await first.service.close()
    second = staged(stage.nodes, folder=tmp_path)
    record = await second.get("/v1/profile/account/lasting.reown.id")
    assert list(record["addresses"]) == ["60", "2147483785"]
    second.service.reset()
    assert await second.get("/v1/profile/account/lasting.reown.id", apiVersion="2") == []
    await second.service.close()
