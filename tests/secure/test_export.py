"""Export: the half for showing phrase and keys is given for a fresh proof alone."""

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.world import ADA, Wallet, World, xor
from walletmodal.secure.encoding import decode


async def proof(world: World, device: Device, purpose: str = "export") -> str:
    begun = await device.call("/v1/proof/start", {"purpose": purpose})
    otp = world.mailbox.newest_code(ADA)
    answer = await device.call("/v1/proof/finish", {"purpose": purpose, "attempt": begun["attempt"], "otp": otp})
    return str(answer["proof"])


async def exported(wallet: Wallet, given: str) -> bytes:
    answer = await wallet.device.call("/v1/wallet/export", {"proof": given})
    return xor(wallet.device_half, decode(answer["half"]))


async def test_a_fresh_proof_gives_the_half_once(world: World) -> None:
    wallet = await world.wallet()
    given = await proof(world, wallet.device)
    assert await exported(wallet, given) == wallet.root
    assert (await wallet.device.refused("/v1/wallet/export", {"proof": given})).code == "proof"


async def test_the_mail_says_what_the_code_is_for_and_another_that_it_happened(world: World) -> None:
    wallet = await world.wallet()
    given = await proof(world, wallet.device)
    assert "shows the phrase and the keys" in world.mailbox.last(ADA).text
    await exported(wallet, given)
    await eventually(lambda: "keys of your wallet were shown" in world.mailbox.last(ADA).subject)
    (row,) = await world.sql("SELECT count(*) FROM audit WHERE kind = 'exported'")
    assert row == (1,)


async def test_a_proof_for_something_else_shows_nothing(world: World) -> None:
    wallet = await world.wallet()
    given = await proof(world, wallet.device, "password")
    assert (await wallet.device.refused("/v1/wallet/export", {"proof": given})).code == "proof"


async def test_a_proof_of_another_device_shows_nothing(world: World) -> None:
    wallet = await world.wallet()
    other = await world.login()
    given = await proof(world, other)
    assert (await wallet.device.refused("/v1/wallet/export", {"proof": given})).code == "proof"
    assert (await other.refused("/v1/wallet/export", {"proof": given})).code == "device_unknown"


async def test_a_proof_that_is_ten_minutes_old_shows_nothing(world: World) -> None:
    wallet = await world.wallet()
    given = await proof(world, wallet.device)
    world.clock.advance(10 * 60 + 1)
    assert (await wallet.device.refused("/v1/wallet/export", {"proof": given})).code == "proof"
