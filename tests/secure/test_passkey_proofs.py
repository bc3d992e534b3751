"""Fresh proofs by a passkey: each counts once, for its purpose, user and device, and tells nothing of the wallet."""

import pytest
import pytest_asyncio

from tests.secure.authenticator import Passkey, add, begun
from tests.secure.device import CallFailedError, Device
from tests.secure.world import EVE, Wallet, World, xor
from walletmodal.secure.encoding import decode

PURPOSES = ("password", "escrow", "delete", "export")


async def proved(device: Device, passkey: Passkey, purpose: str = "export") -> str:
    """A proof of this passkey."""
    body = {"purpose": purpose, **passkey.used(await begun(device, "/v1/passkeys/prove"))}
    answer = await device.call("/v1/passkeys/proved", body)
    assert set(answer) == {"proof"}
    return str(answer["proof"])


async def not_exported(device: Device, proof: str) -> str:
    return (await device.refused("/v1/wallet/export", {"proof": proof})).code


@pytest_asyncio.fixture
async def owned(world: World) -> tuple[Wallet, Passkey]:
    """A wallet with a passkey."""
    wallet = await world.wallet()
    return wallet, await add(wallet, Passkey(counter=1))


async def refused(device: Device, passkey: Passkey, challenge: str, **changed: object) -> CallFailedError:
    body = {"purpose": "export", **passkey.used(challenge, **changed)}
    return await device.refused("/v1/passkeys/proved", body)


async def test_a_proof_by_passkey_counts_once(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    proof = await proved(wallet.device, passkey)
    half = (await wallet.device.call("/v1/wallet/export", {"proof": proof}))["half"]
    assert xor(wallet.device_half, decode(half)) == wallet.root
    assert await not_exported(wallet.device, proof) == "proof"


@pytest.mark.parametrize("purpose", [one for one in PURPOSES if one != "export"])
async def test_it_counts_for_its_purpose_alone(world: World, owned: tuple[Wallet, Passkey], purpose: str) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    assert await not_exported(wallet.device, await proved(wallet.device, passkey, purpose)) == "proof"


async def test_there_is_none_for_a_purpose_that_is_not_known(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    body = {"purpose": "transfer", **passkey.used(await begun(wallet.device, "/v1/passkeys/prove"))}
    assert (await wallet.device.refused("/v1/passkeys/proved", body)).code == "params"


async def test_it_counts_on_its_device_alone(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    other = await world.login()
    passkey.counter += 1
    assert await not_exported(wallet.device, await proved(other, passkey)) == "proof"


async def test_it_counts_for_its_user_alone(world: World, owned: tuple[Wallet, Passkey]) -> None:
    """Two users, one after the other, on one device."""
    wallet, passkey = owned
    passkey.counter += 1
    proof = await proved(wallet.device, passkey)
    eves = await world.wallet(EVE, Device(world.client, world.clock, wallet.device.key))
    assert await not_exported(eves.device, proof) == "proof"
    assert (await wallet.device.call("/v1/wallet/export", {"proof": proof}))["half"]


async def test_ten_minutes_later_it_counts_no_more(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    proof = await proved(wallet.device, passkey)
    world.clock.advance(10 * 60)
    assert await not_exported(wallet.device, proof) == "proof"


async def test_a_passkey_of_somebody_else_proves_nothing(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, _ = owned
    eves = await add(await world.wallet(EVE))
    challenge = await begun(wallet.device, "/v1/passkeys/prove")
    assert (await refused(wallet.device, eves, challenge)).code == "passkey_unknown"


async def test_who_has_no_passkey_is_told_so(world: World) -> None:
    wallet = await world.wallet()
    assert (await wallet.device.refused("/v1/passkeys/prove")).code == "no_passkey"


async def test_a_removed_passkey_proves_nothing(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    challenge = await begun(wallet.device, "/v1/passkeys/prove")
    (listed,) = (await wallet.device.call("/v1/passkeys"))["passkeys"]
    await wallet.device.call("/v1/passkeys/remove", {"id": listed["id"]})
    passkey.counter += 1
    assert (await refused(wallet.device, passkey, challenge)).code == "passkey_unknown"


async def test_its_challenge_counts_once_even_where_the_answer_is_refused(
    world: World, owned: tuple[Wallet, Passkey]
) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    challenge = await begun(wallet.device, "/v1/passkeys/prove")
    assert (await refused(wallet.device, passkey, challenge, origin="https://evil.example")).code == "passkey"
    assert (await refused(wallet.device, passkey, challenge)).code == "challenge"


@pytest.mark.parametrize("ceremony", ["/v1/passkeys/open", "/v1/passkeys/add", "/v1/login/passkey"])
async def test_a_challenge_of_another_ceremony_proves_nothing(
    world: World, owned: tuple[Wallet, Passkey], ceremony: str
) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    assert (await refused(wallet.device, passkey, await begun(wallet.device, ceremony))).code == "challenge"


async def test_a_challenge_of_another_device_proves_nothing(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    other = await world.login()
    passkey.counter += 1
    assert (await refused(wallet.device, passkey, await begun(other, "/v1/passkeys/prove"))).code == "challenge"


async def test_a_proof_moves_the_counter_so_that_a_copy_is_noticed(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    await proved(wallet.device, passkey)
    assert await world.sql("SELECT counter FROM passkeys") == [(2,)]
    assert (await refused(wallet.device, passkey, await begun(wallet.device, "/v1/passkeys/prove"))).code == (
        "passkey_copied"
    )


async def test_a_frozen_account_is_proven_by_nothing(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    challenge = await begun(wallet.device, "/v1/passkeys/prove")
    await world.sql("UPDATE addresses SET frozen_until = 99999999999999")
    passkey.counter += 1
    assert (await refused(wallet.device, passkey, challenge)).code == "frozen"
    assert (await wallet.device.refused("/v1/passkeys/prove")).code == "frozen"


async def test_the_proof_lies_in_the_database_as_a_hash(world: World, owned: tuple[Wallet, Passkey]) -> None:
    wallet, passkey = owned
    passkey.counter += 1
    proof = await proved(wallet.device, passkey)
    ((row,),) = await world.sql("SELECT token FROM proofs")
    assert proof not in str(row)
