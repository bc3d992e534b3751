"""`python -m walletmodal.secure delete`: the operator erases an account, whoever it was is told, and the audit keeps no person."""

import io
from collections.abc import Callable

import pytest

from tests.secure.test_deletion import gone, left, owner
from tests.secure.world import ADA, EVE, Wallet, World
from walletmodal.secure.erasure import erase_account, read_who
from walletmodal.secure.errors import StartError


@pytest.mark.parametrize(
    "by",
    [
        lambda _: f" {ADA.upper()} ",
        lambda wallet: wallet.user_id,
        lambda wallet: wallet.evm.lower(),
        lambda wallet: wallet.solana,
    ],
    ids=["email", "id", "evm", "solana"],
)
async def test_an_account_is_erased_by_its_address_its_wallet_or_its_id(
    world: World, by: Callable[[Wallet], str]
) -> None:
    wallet = await owner(world)
    await world.wallet(EVE)
    said = await erase_account(world.settings, by(wallet), really=True)
    assert wallet.user_id in said
    assert len(await world.sql("SELECT id FROM users")) == 1
    assert await world.sql("SELECT user FROM halves WHERE user = ?", (wallet.user_id,)) == []


async def test_of_several_accounts_that_name_one_wallet_none_is_erased_by_it(world: World) -> None:
    """Whose an address is, nobody shows to the site: somebody else may have named it."""
    wallet, eve = await owner(world), Wallet(await world.login(EVE), "")
    await eve.device.call("/v1/wallet", eve.body() | {"evm": wallet.evm})
    ids = [row[0] for row in await world.sql("SELECT id FROM users ORDER BY id")]
    with pytest.raises(StartError, match=", ".join(ids)):
        await erase_account(world.settings, wallet.evm, really=True)
    assert len(await world.sql("SELECT id FROM users")) == 2
    assert wallet.user_id in await erase_account(world.settings, wallet.user_id, really=False)


async def test_without_yes_it_only_says_which_account_it_is(world: World) -> None:
    wallet = await owner(world)
    said = await erase_account(world.settings, ADA, really=False)
    assert (wallet.user_id in said, wallet.evm in said, "--yes" in said) == (True, True, True)
    assert await wallet.joined() == wallet.root


async def test_nothing_of_the_person_is_left_and_the_owner_is_told(world: World) -> None:
    wallet = await owner(world)
    await erase_account(world.settings, ADA, really=True, clock=world.clock)
    assert await left(world) == {}
    subject = "Your wallet and your account were deleted: Example"

    async def waiting() -> bool:
        return all(mail.subject != subject for mail in world.mailbox.of(ADA))

    await gone(world, waiting)
    rows = await world.sql("SELECT kind, user, device FROM audit ORDER BY id")
    assert rows[-1][0] == "account_deleted_by_operator"
    assert wallet.user_id not in {user for _, user, _ in rows}
    assert {device for _, _, device in rows} == {""}


@pytest.mark.parametrize("who", ["nobody@example.com", "no-such-id", "@"])
async def test_an_account_that_is_not_there_is_said_not_to_be(world: World, who: str) -> None:
    with pytest.raises(StartError, match=r"no such account|no email address"):
        await erase_account(world.settings, who, really=True)


def test_the_address_may_come_by_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{ADA}\n"))
    assert (read_who("-"), read_who(EVE)) == (ADA, EVE)
