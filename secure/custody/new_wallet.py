"""A user's first wallet: its halves are stored here, whether the user asks for it or a login brings it along."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.clock import Clock
from walletmodal.core.errors import AddressError
from walletmodal.core.language import _
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.device import Device
from walletmodal.secure.calls.endpoint import Body
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.db.tables import Half, Wallet
from walletmodal.secure.encoding import BytesText, HalfText, decode
from walletmodal.secure.errors import CallError, frozen, unavailable
from walletmodal.secure.users import Users

Site = Annotated[str, Field(max_length=255)]


class WalletBody(Body):
    """A new wallet. `site`: origin of the host page, for the list of devices."""

    evm: Annotated[str, Field(max_length=64)]
    solana: Annotated[str, Field(max_length=64)]
    device_half: Annotated[HalfText, Field(alias="deviceHalf")]
    recovery_half: Annotated[HalfText, Field(alias="recoveryHalf")]
    escrow: Annotated[BytesText, Field(max_length=512)] | None = None
    site: Site = ""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose wallet it becomes.

    Attributes:
        user: by id.
        address: for mails, or "".
        device: that has made it.
        browser: of the device, by name.
    """

    user: str
    address: str
    device: Device
    browser: str


def half_row(user: str, device: str) -> str:
    """The row of a device's half, for the envelope."""
    return row_id("halves", user, device)


def recovery_row(user: str) -> str:
    """The row of the recovery half."""
    return row_id("wallets", user, "recovery")


class NewWallets:
    """Stores wallets that browsers have made.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        users: of the site.
        boxes: gives recovery halves into escrow.
        sites: origins that may be named.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        users: Users,
        boxes: LooseBoxes,
        sites: frozenset[str],
    ) -> None:
        self._engine, self._keys, self._users = engine, keys, users
        self._boxes, self._sites, self._clock = boxes, sites, clock

    async def store_with(self, connection: AsyncConnection, owner: Owner, body: WalletBody) -> dict[str, Any]:
        """Stores the wallet of an account within the transaction that makes it, which records that; returns what the page is told of the user besides.

        Nothing where its addresses are none, or the recovery service does not have its half yet: the page asks for it by itself then, and hears why.
        """
        try:
            addresses = _addresses(body)
        except CallError:
            return {}
        box, now = "", to_ms(self._clock.now())
        if body.escrow is not None:
            if not await self._boxes.keep_given(connection, owner.user, body.escrow):
                return {}
            box = owner.user
        # The service has no address of it so far.
        await connection.execute(
            insert(Wallet), self._wallet_of(owner, body, addresses, box, now) | {"address_due": now if box else 0}
        )
        await connection.execute(insert(Half), self.half_of(owner, body.device_half, body.site, now))
        return {"wallet": addresses, "device": True, "escrow": bool(box)}

    async def store(self, owner: Owner, body: WalletBody) -> dict[str, Any]:
        """Stores a wallet of a user who may have one; returns what the page is told of the user then.

        Raises:
            CallError: 409 `wallet_exists`, another one was first; 423 `frozen`; 400 `params` or `escrow`; 503.
        """
        addresses = _addresses(body)
        # First, so that there is no wallet whose escrow was lost on the way; a box without a wallet opens nothing.
        box = await self._escrow(owner, body)
        async with unit_of_work(self._engine) as connection:
            now = to_ms(self._clock.now())
            upsert = insert_for(connection)(Wallet).on_conflict_do_nothing(index_elements=["user"])
            if (await connection.execute(upsert, self._wallet_of(owner, body, addresses, box, now))).rowcount != 1:
                await self.refuse_second(connection, owner.user, owner.device)
            if box:
                await self._boxes.keep(connection, box)
            await connection.execute(insert(Half), self.half_of(owner, body.device_half, body.site, now))
            await record(connection, "wallet_created", at=now, user=owner.user, device=owner.device.id)
            found = await self._users.describe(connection, owner.user, owner.device, now)
            if found["frozenUntil"]:
                raise frozen(found["frozenUntil"])
            # Of an address that has changed meanwhile the service was not told.
            if box and found["email"] != owner.address:
                raise unavailable()
            return found

    async def refuse_second(self, connection: AsyncConnection, user: str, device: Device) -> None:
        """Refuses a user who has a wallet.

        Raises:
            CallError: 409 `wallet_exists`, with the user.
        """
        found = await self._users.describe(connection, user, device, to_ms(self._clock.now()))
        if found["wallet"] is not None:
            raise CallError(409, "wallet_exists", _("This account has a wallet already."), user=found)

    def half_of(self, owner: Owner, half: str, site: str, now: int) -> dict[str, Any]:
        """The row of the server's half of a device's set."""
        return {
            "user": owner.user, "device": owner.device.id, "created_at": now, "last_seen_at": now, "name": owner.browser,
            "half": self._keys.seal(decode(half), half_row(owner.user, owner.device.id)),
            "site": site if site in self._sites else "",
        }  # fmt: skip

    def _wallet_of(
        self, owner: Owner, body: WalletBody, addresses: dict[str, str], box: str, now: int
    ) -> dict[str, Any]:
        half = self._keys.seal(decode(body.recovery_half), recovery_row(owner.user))
        return {"user": owner.user, **addresses, "half": half, "box": box, "created_at": now}

    async def _escrow(self, owner: Owner, body: WalletBody) -> str:
        # Who logs in at a provider that tells no mail cannot be mailed a code, either.
        if body.escrow is None or not owner.address:
            return ""
        return await self._boxes.put(user=owner.user, address=owner.address, sealed=body.escrow)


def _addresses(body: WalletBody) -> dict[str, str]:
    try:
        return {"evm": normal_address("eip155", body.evm), "solana": normal_address("solana", body.solana)}
    except AddressError as error:
        raise CallError(400, "params", _("The request is not understood.")) from error
