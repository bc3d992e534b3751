"""Passkeys: each opens the wallet on a device that has no part of it, and is used by its owner alone."""

import os
from typing import Any

import pytest
from fido2.cose import EdDSA

from tests.patience import eventually
from tests.secure.authenticator import PRESENT, VERIFIED, Passkey, add, addition, begun, client_data, opened, rsa_key
from tests.secure.test_database import swept
from tests.secure.world import ADA, EVE, World, xor
from walletmodal.db.engine import open_engine
from walletmodal.secure.app import create
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.encoding import decode, encode
from walletmodal.secure.rotation import rotate


def told(world: World, subject: str) -> bool:
    return any(mail.subject == f"{subject}: Example" for mail in world.mailbox.of(ADA))


async def test_a_passkey_brings_the_wallet_to_a_new_device(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    other = await world.login()
    answer = await opened(other, passkey)
    root = passkey.root(answer)
    assert (root, answer["evm"], answer["solana"]) == (wallet.root, wallet.evm, wallet.solana)
    fresh = os.urandom(16)
    body = {"deviceHalf": encode(xor(root, fresh)), "grant": answer["grant"]}
    assert (await other.call("/v1/wallet/device", body))["user"]["device"] is True
    half = (await other.call("/v1/wallet/half", {"use": "sign"}))["half"]
    assert xor(fresh, decode(half)) == wallet.root


async def test_a_passkey_logs_in_where_nobody_has_typed_an_address(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    other = world.device()
    answer = await other.call("/v1/login/passkey/finish", passkey.used(await begun(other, "/v1/login/passkey")))
    assert passkey.root(answer) == wallet.root
    assert (answer["user"]["id"], answer["user"]["email"]) == (wallet.user_id, ADA)
    other.session = answer["session"]
    await other.call("/v1/wallet/device", {"deviceHalf": encode(os.urandom(16)), "grant": answer["grant"]})
    assert (await other.call("/v1/me"))["user"]["device"] is True


async def test_the_list_tells_of_each_passkey_and_a_removed_one_opens_nothing(world: World) -> None:
    wallet = await world.wallet()
    assert (await wallet.device.call("/v1/passkeys"))["passkeys"] == []
    first = await add(wallet)
    world.clock.advance(60)
    body = await addition(wallet, Passkey())
    listed = (await wallet.device.call("/v1/passkeys/added", {**body, "site": "http://localhost:8700"}))["passkeys"]
    assert [(one["name"], one["site"]) for one in listed] == [
        ("Chrome on Windows", "http://localhost:8700"),
        ("Chrome on Windows", ""),
    ]
    assert listed[0]["createdAt"] - listed[1]["createdAt"] == 60_000
    left = (await wallet.device.call("/v1/passkeys/remove", {"id": listed[1]["id"]}))["passkeys"]
    assert left == listed[:1]
    other = await world.login()
    challenge = await begun(other, "/v1/passkeys/open")
    assert (await other.refused("/v1/passkeys/opened", first.used(challenge))).code == "passkey_unknown"
    assert (await wallet.device.refused("/v1/passkeys/remove", {"id": listed[1]["id"]})).code == "passkey_unknown"


async def test_the_keys_that_can_own_a_safe_are_told_to_the_wallets_owner_alone(world: World) -> None:
    wallet, eve = await world.wallet(), await world.wallet(EVE)
    passkey = await add(wallet)
    point = passkey.key.public_key().public_numbers()
    (told_of,) = (await wallet.device.call("/v1/passkeys/keys"))["keys"]
    assert told_of["credential"] == passkey.credential
    assert (told_of["x"], told_of["y"]) == (f"{point.x:064x}", f"{point.y:064x}")
    assert (await eve.device.call("/v1/passkeys/keys"))["keys"] == []


async def test_a_key_of_another_algorithm_can_own_no_safe(world: World) -> None:
    wallet = await world.wallet()
    key = EdDSA({1: 1, 3: -8, -1: 6, -2: os.urandom(32)})
    await wallet.device.call("/v1/passkeys/added", await addition(wallet, Passkey(), key=key))
    assert (await wallet.device.call("/v1/passkeys/keys"))["keys"] == []


async def test_what_the_site_names_is_never_signed_as_it_stands(world: World) -> None:
    """It could be the hash of an operation of a Safe that the passkey owns."""
    wallet = await world.wallet()
    passkey = await add(wallet)
    challenge = await begun(wallet.device, "/v1/passkeys/prove")
    as_it_stands = client_data("webauthn.get", challenge, {})
    used = {**passkey.used(challenge), "clientData": as_it_stands, "purpose": "hold"}
    assert (await wallet.device.refused("/v1/passkeys/proved", used)).code == "challenge"


async def test_who_has_the_mailbox_alone_removes_no_passkey(world: World) -> None:
    """Where every device is lost, the passkey may be the owner's only way."""
    wallet = await world.wallet()
    await add(wallet)
    other = await world.login()
    (kept,) = (await other.call("/v1/passkeys"))["passkeys"]
    refused = await other.refused("/v1/passkeys/remove", {"id": kept["id"]})
    assert (refused.status, refused.code) == (404, "device_unknown")
    assert (await wallet.device.call("/v1/passkeys"))["passkeys"] == [kept]


async def test_the_owner_is_told_of_a_passkey_that_was_added_or_removed(world: World) -> None:
    wallet = await world.wallet()
    await add(wallet)
    await eventually(lambda: told(world, "A passkey was added to your wallet"))
    passkey = (await wallet.device.call("/v1/passkeys"))["passkeys"][0]["id"]
    await wallet.device.call("/v1/passkeys/remove", {"id": passkey})
    await eventually(lambda: told(world, "A passkey of your wallet was removed"))
    kinds = [row[0] for row in await world.sql("SELECT kind FROM audit ORDER BY id")]
    assert kinds == ["login", "wallet_created", "passkey_added", "passkey_removed"]


async def test_the_passkeys_of_a_wallet_are_named_to_the_browser_so_that_none_is_made_twice(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    answer = await wallet.device.call("/v1/passkeys/add")
    assert (answer["credentials"], len(decode(answer["challenge"]))) == ([passkey.credential], 32)
    body = await addition(wallet, passkey)
    assert (await wallet.device.refused("/v1/passkeys/added", body)).code == "passkey_known"


async def test_a_wallet_has_twenty_passkeys_at_most(world: World) -> None:
    wallet = await world.wallet()
    late = await addition(wallet, Passkey())
    for _ in range(20):
        await add(wallet)
    assert (await wallet.device.refused("/v1/passkeys/add")).code == "too_many_passkeys"
    assert (await wallet.device.refused("/v1/passkeys/added", late)).code == "too_many_passkeys"


async def test_only_a_device_of_the_wallet_adds_a_passkey(world: World) -> None:
    await world.wallet()
    other = await world.login()
    assert (await other.refused("/v1/passkeys/add")).code == "device_unknown"


async def test_who_has_no_passkey_is_told_so(world: World) -> None:
    wallet = await world.wallet()
    assert (await wallet.device.refused("/v1/passkeys/open")).code == "no_passkey"


async def test_a_challenge_counts_once_even_where_the_answer_is_refused(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    other = await world.login()
    answer = passkey.used(await begun(other, "/v1/passkeys/open"))
    await other.call("/v1/passkeys/opened", answer)
    assert (await other.refused("/v1/passkeys/opened", answer)).code == "challenge"
    challenge = await begun(other, "/v1/passkeys/open")
    assert (
        await other.refused("/v1/passkeys/opened", passkey.used(challenge, origin="https://evil.example"))
    ).code == "passkey"
    assert (await other.refused("/v1/passkeys/opened", passkey.used(challenge))).code == "challenge"


async def test_a_challenge_counts_for_five_minutes(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    challenge = await begun(wallet.device, "/v1/passkeys/open")
    world.clock.advance(5 * 60)
    assert (await wallet.device.refused("/v1/passkeys/opened", passkey.used(challenge))).code == "challenge"


async def test_a_challenge_counts_on_its_device_and_for_its_purpose(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    other = await world.login()
    challenge = await begun(other, "/v1/passkeys/open")
    assert (await wallet.device.refused("/v1/passkeys/opened", passkey.used(challenge))).code == "challenge"
    assert (await other.refused("/v1/login/passkey/finish", passkey.used(challenge))).code == "challenge"
    login = await begun(other, "/v1/login/passkey")
    assert (await other.refused("/v1/passkeys/opened", passkey.used(login))).code == "challenge"
    made_up = passkey.used(encode(os.urandom(32)))
    assert (await other.refused("/v1/passkeys/opened", made_up)).code == "challenge"


WRONG: dict[str, dict[str, Any]] = {
    "origin": {"origin": "https://evil.example"},
    "page around the frame": {"topOrigin": "https://evil.example"},
    "host": {"host": "evil.example"},
    "type": {"type": "payment.get"},
    "nobody there": {"flags": VERIFIED},
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
async def test_what_was_signed_for_somebody_else_is_refused(world: World, wrong: dict[str, Any]) -> None:
    wallet = await world.wallet()
    body = await addition(wallet, Passkey(), **wrong)
    assert (await wallet.device.refused("/v1/passkeys/added", body)).code == "passkey"
    passkey = await add(wallet)
    challenge = await begun(wallet.device, "/v1/passkeys/open")
    assert (await wallet.device.refused("/v1/passkeys/opened", passkey.used(challenge, **wrong))).code == "passkey"


async def test_a_passkey_that_does_not_verify_its_owner_is_refused(world: World) -> None:
    wallet = await world.wallet()
    body = await addition(wallet, Passkey(), flags=PRESENT)
    assert (await wallet.device.refused("/v1/passkeys/added", body)).code == "passkey_unverified"
    passkey = await add(wallet)
    challenge = await begun(wallet.device, "/v1/passkeys/open")
    refused = await wallet.device.refused("/v1/passkeys/opened", passkey.used(challenge, flags=PRESENT))
    assert refused.code == "passkey_unverified"


async def test_a_window_of_the_site_itself_has_no_page_around_it(world: World) -> None:
    wallet = await world.wallet()
    body = await addition(wallet, Passkey(), crossOrigin=False, topOrigin=None)
    assert len((await wallet.device.call("/v1/passkeys/added", body))["passkeys"]) == 1


async def test_a_passkey_of_somebody_else_opens_nothing(world: World) -> None:
    await add(await world.wallet())
    eves = await add(await world.wallet(EVE))
    attacker = await world.login()
    challenge = await begun(attacker, "/v1/passkeys/open")
    assert (await attacker.refused("/v1/passkeys/opened", eves.used(challenge))).code == "passkey_unknown"


async def test_the_id_of_a_passkey_without_its_key_opens_nothing(world: World) -> None:
    passkey = await add(await world.wallet())
    attacker = world.device()
    challenge = await begun(attacker, "/v1/login/passkey")
    assert (
        await attacker.refused("/v1/login/passkey/finish", Passkey(id=passkey.id).used(challenge))
    ).code == "passkey"


async def test_a_counter_that_goes_back_tells_of_a_copy(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet, Passkey(counter=3))
    other = await world.login()
    for counter, code in ((3, "passkey_copied"), (2, "passkey_copied"), (0, "passkey_copied")):
        passkey.counter = counter
        assert (
            await other.refused("/v1/passkeys/opened", passkey.used(await begun(other, "/v1/passkeys/open")))
        ).code == code
    passkey.counter = 4
    await opened(other, passkey)
    assert await world.sql("SELECT count(*) FROM audit WHERE kind = 'passkey_refused'") == [(3,)]
    assert await world.sql("SELECT counter FROM passkeys") == [(4,)]


async def test_a_frozen_account_is_not_opened_by_a_passkey(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    await world.sql("UPDATE addresses SET frozen_until = 99999999999999")
    other = world.device()
    refused = await other.refused("/v1/login/passkey/finish", passkey.used(await begun(other, "/v1/login/passkey")))
    assert refused.code == "frozen"
    assert (await wallet.device.refused("/v1/passkeys/add")).code == "frozen"
    assert (await wallet.device.refused("/v1/passkeys/keys")).code == "frozen"


MALFORMED = {
    "client data": {"clientData": encode(b"[]")},
    "no challenge": {"clientData": encode(b'{"type": "webauthn.create"}')},
    "no CBOR": {"attestation": encode(b"\xff\xff")},
    "deep CBOR": {"attestation": encode(b"\x81" * 5000)},
    "other CBOR": {"attestation": encode(b"\x80")},
}


@pytest.mark.parametrize("wrong", MALFORMED.values(), ids=MALFORMED)
async def test_malformed_answers_are_refused(world: World, wrong: dict[str, str]) -> None:
    wallet = await world.wallet()
    body = {**await addition(wallet, Passkey()), **wrong}
    assert (await wallet.device.refused("/v1/passkeys/added", body)).code == "passkey"


async def test_a_key_of_an_algorithm_that_was_not_asked_for_is_refused(world: World) -> None:
    wallet = await world.wallet()
    body = await addition(wallet, Passkey(), key=rsa_key())
    assert (await wallet.device.refused("/v1/passkeys/added", body)).code == "passkey"


async def test_boxes_and_halves_have_their_sizes(world: World) -> None:
    wallet = await world.wallet()
    body = await addition(wallet, Passkey())
    for wrong in ({"box": body["box"] + "AA"}, {"half": encode(os.urandom(15))}, {"box": "*" * 59}):
        assert (await wallet.device.refused("/v1/passkeys/added", {**body, **wrong})).code == "params"


async def test_rotation_wraps_the_halves_of_passkeys_too(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    assert world.settings.embedded_kek is not None
    old = world.settings.embedded_kek.get_secret_value()
    fresh = encode(os.urandom(32))
    engine = open_engine(world.settings.secure_database_url)
    try:
        both = KeyRing([(1, decode(old[2:])), (2, decode(fresh))])
        await rotate(engine, both)
    finally:
        await engine.dispose()
    site = create(
        world.settings.model_copy(update={"embedded_kek": type(world.settings.embedded_kek)(f"2:{fresh}")}),
        clock=world.clock,
    )
    async with site.router.lifespan_context(site):
        assert await world.sql("SELECT hex(substr(half, 1, 1)) FROM passkeys") == [("02",)]
    assert passkey.counter == 0


async def test_challenges_that_nobody_answers_are_deleted(world: World) -> None:
    wallet = await world.wallet()
    await begun(wallet.device, "/v1/passkeys/add")
    world.clock.advance(5 * 60 + 3600)
    await swept(world)
    assert await world.sql("SELECT count(*) FROM passkey_challenges") == [(0,)]
