"""The calls of wallets: `/v1/wallet…`. The site keeps one half of each set, and never has the other."""

import secrets
from contextlib import suppress
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from secure.audit import record
from secure.calls.endpoint import Answer, Body, Calls, UserCall
from secure.custody.deletion_requests import stop_deletion
from secure.custody.envelope import KeyRing, row_id
from secure.custody.holds import Holds, TransactionsBody
from secure.custody.recovery_client import RecoveryClient
from secure.db.tables import Grant, Half, Wallet
from secure.encoding import BytesText, HalfText, decode, digest, encode
from secure.errors import CallError
from secure.login.calls import asked_by
from secure.login.proofs import ProofText, use_proof
from secure.metrics import HALVES
from secure.notices import Notices
from secure.users import Users
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.clock import Clock
from walletmodal.core.errors import AddressError
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms

_SEEN_MS = 3_600_000
"""That a device was seen is written down once an hour."""

Site = Annotated[str, Field(max_length=255)]


class WalletBody(Body):
    """A new wallet. `site`: origin of the host page, for the list of devices."""

    evm: Annotated[str, Field(max_length=64)]
    solana: Annotated[str, Field(max_length=64)]
    device_half: Annotated[HalfText, Field(alias="deviceHalf")]
    recovery_half: Annotated[HalfText, Field(alias="recoveryHalf")]
    escrow: Annotated[BytesText, Field(max_length=512)] | None = None
    site: Site = ""


class HalfBody(TransactionsBody):
    """What a half is for: `sign` for messages, `transfer` for what moves value, of which transactions are named, and `join`."""

    use: Literal["sign", "transfer", "join"]


class ExportBody(Body):
    """A fresh proof."""

    proof: ProofText


class DeviceBody(Body):
    """The set of a new device."""

    device_half: Annotated[HalfText, Field(alias="deviceHalf")]
    grant: Annotated[str, Field(max_length=64)]
    site: Site = ""


def half_row(user: str, device: str) -> str:
    """The row of a device's half, for the envelope."""
    return row_id("halves", user, device)


def recovery_row(user: str) -> str:
    """The row of the recovery half."""
    return row_id("wallets", user, "recovery")


class WalletCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        users, notices, holds: of the site.
        recovery: None where there is no escrow.
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
        notices: Notices,
        holds: Holds,
        recovery: RecoveryClient | None,
        sites: frozenset[str],
    ) -> None:
        self._engine, self._keys, self._users, self._notices = engine, keys, users, notices
        self._holds, self._recovery, self._sites, self._clock = holds, recovery, sites, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/wallet", WalletBody, self.create),
            calls.user_route("/v1/wallet/half", HalfBody, self.half),
            calls.user_route("/v1/wallet/export", ExportBody, self.export),
            calls.user_route("/v1/wallet/device", DeviceBody, self.add_device),
        ]

    async def create(self, call: UserCall[WalletBody]) -> Answer:
        """Stores the first wallet of a user; a second one is refused, and changes nothing."""
        evm, solana = _addresses(call.body)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, self._now())
            await self._refuse_second(connection, call)
        # First, so that there is no wallet whose escrow was lost on the way; a box without a wallet opens nothing.
        box = await self._escrow(call, account.address)
        try:
            async with unit_of_work(self._engine) as connection:
                now = self._now()
                half = self._keys.seal(decode(call.body.recovery_half), recovery_row(call.user))
                row = {"user": call.user, "evm": evm, "solana": solana, "half": half, "box": box, "created_at": now}
                upsert = _insert(connection)(Wallet).values(row).on_conflict_do_nothing(index_elements=["user"])
                if (await connection.execute(upsert)).rowcount != 1:
                    await self._refuse_second(connection, call)
                await connection.execute(insert(Half).values(self._half_of(call, call.body.device_half, now)))
                await record(connection, "wallet_created", at=now, user=call.user, device=call.device.id)
                return {"user": await self._users.describe(connection, call.user, call.device, now)}
        except CallError:
            if box and self._recovery:
                with suppress(CallError):
                    await self._recovery.delete(box)
            raise

    async def half(self, call: UserCall[HalfBody]) -> Answer:
        """The server's half of this device's set."""
        now = self._now()
        mine = (col(Half.user) == call.user, col(Half.device) == call.device.id)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(
                connection, call.user, call.device, now, even_held=call.body.use != "join"
            )
            if call.body.use == "transfer":
                await self._holds.admit(connection, call.user, call.device, now, call.body)
            # Whoever uses the wallet has not lost every device.
            stopped = await stop_deletion(connection, self._notices, account, call.browser, now)
            query = select(col(Half.half), col(Half.last_seen_at)).where(*mine)
            found = (await connection.execute(query)).one()
            if now - found[1] >= _SEEN_MS:
                await connection.execute(update(Half).where(*mine).values(last_seen_at=now))
            HALVES.labels(call.body.use).inc()
            if call.body.use == "join":
                await record(connection, "half_joined", at=now, user=call.user, device=call.device.id)
        if stopped:
            self._notices.send_soon()
        return {"half": encode(self._keys.open(found[0], half_row(call.user, call.device.id)))}

    async def export(self, call: UserCall[ExportBody]) -> Answer:
        """The same half, for the phrase and keys to be shown: needs a fresh proof, and the owner is told."""
        now = self._now()
        mine = (col(Half.user) == call.user, col(Half.device) == call.device.id)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            await use_proof(connection, call.body.proof, "export", call, now)
            half = (await connection.execute(select(col(Half.half)).where(*mine))).scalar_one()
            await record(connection, "exported", at=now, user=call.user, device=call.device.id)
            await self._notices.add(connection, "exported", account.address, call.browser)
        self._notices.send_soon()
        return {"half": encode(self._keys.open(half, half_row(call.user, call.device.id)))}

    async def add_device(self, call: UserCall[DeviceBody]) -> Answer:
        """Stores the set of a new device, which recovery has given leave for."""
        now = self._now()
        leave = (
            *(col(Grant.token) == digest(call.body.grant), col(Grant.user) == call.user),
            *(col(Grant.device) == call.device.id, col(Grant.expires_at) > now),
        )
        async with unit_of_work(self._engine) as connection:
            until = await connection.scalar(select(col(Grant.held_until)).where(*leave))
            if (await connection.execute(delete(Grant).where(*leave))).rowcount != 1:
                raise CallError(403, "grant", "This took too long. Please recover the wallet again.")
            account = await self._users.unfrozen(connection, call.user, now)
            row = {**self._half_of(call, call.body.device_half, now), "held_until": until}
            upsert = _insert(connection)(Half).values(row)
            fresh = {name: row[name] for name in ("half", "name", "site", "created_at", "last_seen_at", "held_until")}
            await connection.execute(upsert.on_conflict_do_update(index_elements=["user", "device"], set_=fresh))
            await record(connection, "device_added", at=now, user=call.user, device=call.device.id)
            detail = asked_by(call.browser, call.body.site, self._sites)
            await self._notices.add(connection, "new_device", account.address, detail)
            await stop_deletion(connection, self._notices, account, call.browser, now)
            answer = {"user": await self._users.describe(connection, call.user, call.device, now)}
        self._notices.send_soon()
        return answer

    async def _refuse_second(self, connection: AsyncConnection, call: UserCall[WalletBody]) -> None:
        user = await self._users.describe(connection, call.user, call.device, self._now())
        if user["wallet"] is not None:
            raise CallError(409, "wallet_exists", "This account has a wallet already.", user=user)

    async def _escrow(self, call: UserCall[WalletBody], address: str) -> str:
        # Who logs in at a provider that tells no mail cannot be mailed a code, either.
        if call.body.escrow is None or not address:
            return ""
        if self._recovery is None:
            raise CallError(400, "escrow", "This site keeps no recovery halves.")
        box = encode(secrets.token_bytes(16))
        await self._recovery.put(box, user=call.user, address=address, sealed=call.body.escrow)
        return box

    def _half_of(self, call: UserCall[Any], half: str, now: int) -> dict[str, Any]:
        return {
            "user": call.user, "device": call.device.id, "created_at": now, "last_seen_at": now, "name": call.browser,
            "half": self._keys.seal(decode(half), half_row(call.user, call.device.id)),
            "site": call.body.site if call.body.site in self._sites else "",
        }  # fmt: skip

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _addresses(body: WalletBody) -> tuple[str, str]:
    try:
        return normal_address("eip155", body.evm), normal_address("solana", body.solana)
    except AddressError as error:
        raise CallError(400, "params", "The request is not understood.") from error


def _insert(connection: AsyncConnection) -> Any:
    return postgresql_insert if connection.dialect.name == "postgresql" else sqlite_insert
