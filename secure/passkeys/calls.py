"""The calls of passkeys: `/v1/passkeys…` and `/v1/login/passkey…`.

A passkey has a set of halves of its own. The site keeps its half under envelope encryption, and the passkey's own half in a box that
only the passkey opens, in the browser.
"""

from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.wallets.refusals import too_many_passkeys
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Body, Call, Calls, Nothing, UserCall
from walletmodal.secure.calls.limits import Limits
from walletmodal.secure.calls.sessions import Sessions
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.custody.recovery import new_grant, recovered
from walletmodal.secure.custody.ways import check_last_way
from walletmodal.secure.db.tables import Wallet
from walletmodal.secure.encoding import BytesText, HalfText, decode, digest, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.calls import asked_by
from walletmodal.secure.login.proofs import FreshPurpose, new_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.passkeys.ceremony import Credential, RelyingParty, read_client_data, read_point, refused
from walletmodal.secure.passkeys.challenges import Purpose, new_challenge, use_challenge
from walletmodal.secure.passkeys.tables import Passkey
from walletmodal.secure.users import Users

MOST_PASSKEYS: Final = 20

Text = Annotated[str, Field(max_length=2048)]


class AddedBody(Body):
    """A passkey that was made, and its set.

    Attributes:
        client_data, attestation: of the browser, base64url.
        half: the server's half of the set; box: the passkey's own, sealed by it.
        site: origin of the host page, for the list.
    """

    client_data: Annotated[Text, Field(alias="clientData")]
    attestation: Annotated[str, Field(max_length=8192)]
    half: HalfText
    box: Annotated[BytesText, Field(min_length=59, max_length=59)]
    site: Annotated[str, Field(max_length=255)] = ""


class AssertedBody(Body):
    """The use of a passkey. `credential`: its id, as the browser tells it; `user`: whose account it was made for, where it says so."""

    credential: Annotated[BytesText, Field(max_length=1364)]
    client_data: Annotated[Text, Field(alias="clientData")]
    authenticator_data: Annotated[Text, Field(alias="authenticatorData")]
    signature: Text
    user: Annotated[str, Field(alias="userHandle", max_length=88)] = ""


class ProvedBody(AssertedBody):
    """The use of a passkey, and what it is to prove for."""

    purpose: FreshPurpose


class RemoveBody(Body):
    """The id of a passkey in the list."""

    id: Annotated[str, Field(max_length=64)]
    site: Annotated[str, Field(max_length=255)] = ""


def passkey_row(user: str, passkey: str) -> str:
    """The row of a passkey's half, for the envelope."""
    return row_id("passkeys", user, passkey)


def passkey_values(
    keys: KeyRing, user: str, made: Credential, body: AddedBody, *, browser: str, sites: frozenset[str], now: int
) -> dict[str, Any]:
    """The row of a new passkey.

    Args:
        keys: seal the server's half.
        user: whose it is.
        made: the credential.
        body: of the call.
        browser: that made it, by name.
        sites: origins that may be named.
        now: in ms.
    """
    passkey = digest(encode(made.id))
    return {
        "id": passkey, "user": user, "credential": made.id, "key": made.key, "counter": made.counter,
        "half": keys.seal(decode(body.half), passkey_row(user, passkey)), "box": decode(body.box),
        "name": browser, "site": body.site if body.site in sites else "", "created_at": now, "last_used_at": now,
    }  # fmt: skip


def passkey_known() -> CallError:
    """Somebody has it already."""
    return CallError(409, "passkey_known", _("This passkey is on the list already."))


class PasskeyCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        party: verifies what authenticators sign.
        users, sessions, notices, limits: of the site.
        sites: origins that may be named.
        escrow: whether the site has a recovery service.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        party: RelyingParty,
        users: Users,
        sessions: Sessions,
        notices: Notices,
        limits: Limits,
        sites: frozenset[str],
        escrow: bool,
    ) -> None:
        self._engine, self._clock, self._keys, self._party, self._escrow = engine, clock, keys, party, escrow
        self._users, self._sessions, self._notices, self._limits, self._sites = users, sessions, notices, limits, sites

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/passkeys", Nothing, self.passkeys),
            calls.user_route("/v1/passkeys/keys", Nothing, self.keys),
            calls.user_route("/v1/passkeys/add", Nothing, self.add),
            calls.user_route("/v1/passkeys/added", AddedBody, self.added),
            calls.user_route("/v1/passkeys/remove", RemoveBody, self.remove),
            calls.user_route("/v1/passkeys/open", Nothing, self.open),
            calls.user_route("/v1/passkeys/opened", AssertedBody, self.opened),
            calls.user_route("/v1/passkeys/prove", Nothing, self.prove),
            calls.user_route("/v1/passkeys/proved", ProvedBody, self.proved),
            calls.route("/v1/login/passkey", Nothing, self.login),
            calls.route("/v1/login/passkey/finish", AssertedBody, self.logged_in),
        ]

    async def passkeys(self, call: UserCall[Nothing]) -> Answer:
        """The passkeys of the wallet, the latest first."""
        async with unit_of_work(self._engine) as connection:
            return {"passkeys": await _listed(connection, call.user)}

    async def keys(self, call: UserCall[Nothing]) -> Answer:
        """The public keys of those passkeys of the wallet that can own a Safe (ES256), the latest first."""
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, self._now())
            query = select(col(Passkey.credential), col(Passkey.key), col(Passkey.name), col(Passkey.created_at))
            mine = query.where(col(Passkey.user) == call.user).order_by(col(Passkey.created_at).desc(), col(Passkey.id))
            rows = (await connection.execute(mine)).all()
        points = [(read_point(row.key), row) for row in rows]
        return {
            "keys": [
                {
                    "credential": encode(row.credential),
                    "name": row.name,
                    "createdAt": row.created_at,
                    "x": point[0].hex(),
                    "y": point[1].hex(),
                }
                for point, row in points
                if point is not None
            ]
        }

    async def add(self, call: UserCall[Nothing]) -> Answer:
        """Begins to add one: only a device that can open the wallet can give a passkey a part of it."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            await self._users.holder(connection, call.user, call.device, now)
            known = await _credentials(connection, call.user)
            if len(known) >= MOST_PASSKEYS:
                raise _too_many()
            challenge = await new_challenge(connection, "add", call.device, user=call.user, now=now)
        return {"challenge": challenge, "credentials": known}

    async def added(self, call: UserCall[AddedBody]) -> Answer:
        """Stores a passkey and its set."""
        body, now = call.body, self._now()
        client = read_client_data(body.client_data)
        await self._use(call, client.challenge, "add", call.user)
        made = self._party.registered(client, body.attestation)
        row = passkey_values(self._keys, call.user, made, body, browser=call.browser, sites=self._sites, now=now)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            count = select(func.count()).select_from(Passkey).where(col(Passkey.user) == call.user)
            if ((await connection.scalar(count)) or 0) >= MOST_PASSKEYS:
                raise _too_many()
            try:
                await connection.execute(insert(Passkey).values(row))
            except IntegrityError:
                raise passkey_known() from None
            await record(connection, "passkey_added", at=now, user=call.user, device=call.device.id)
            await self._notices.add(
                connection, "passkey_added", account, asked_by(call.browser, body.site, self._sites)
            )
            answer = {"passkeys": await _listed(connection, call.user)}
        self._notices.send_soon()
        return answer

    async def remove(self, call: UserCall[RemoveBody]) -> Answer:
        """Deletes a passkey and its set; the passkey opens nothing any more.

        Only a device of the wallet may whose transfers do not wait, as of devices: a mailbox alone must not take the owner's ways. Not the last way.
        """
        now, body = self._now(), call.body
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            mine = (col(Passkey.user) == call.user, col(Passkey.id) == body.id)
            if await connection.scalar(select(col(Passkey.id)).where(*mine)) is None:
                raise _not_listed()
            await check_last_way(connection, account, "passkey", escrow=self._escrow)
            if (await connection.execute(delete(Passkey).where(*mine))).rowcount != 1:
                raise _not_listed()
            await record(connection, "passkey_removed", at=now, user=call.user, device=call.device.id)
            detail = asked_by(call.browser, body.site, self._sites)
            await self._notices.add(connection, "passkey_removed", account, detail)
            answer = {"passkeys": await _listed(connection, call.user)}
        self._notices.send_soon()
        return answer

    async def open(self, call: UserCall[Nothing]) -> Answer:
        """Begins to open the wallet on a new device."""
        return await self._ask(call, "open")

    async def prove(self, call: UserCall[Nothing]) -> Answer:
        """Begins a fresh proof of who asks."""
        return await self._ask(call, "prove")

    async def proved(self, call: UserCall[ProvedBody]) -> Answer:
        """The proof; nothing of the passkey's set."""
        row, counter = await self._asserted(call, "prove", call.user)
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, self._now())
            await self._count(connection, row, counter)
            proof = await new_proof(connection, call.body.purpose, call.user, call.device, self._now())
        return {"proof": proof}

    async def _ask(self, call: UserCall[Nothing], purpose: Purpose) -> Answer:
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, now)
            known = await _credentials(connection, call.user)
            if not known:
                raise CallError(409, "no_passkey", _("This wallet has no passkey."))
            challenge = await new_challenge(connection, purpose, call.device, user=call.user, now=now)
        return {"challenge": challenge, "credentials": known}

    async def opened(self, call: UserCall[AssertedBody]) -> Answer:
        """Both parts of a passkey's set, and leave to make this device one of the wallet's."""
        row, counter = await self._asserted(call, "open", call.user)
        async with unit_of_work(self._engine) as connection:
            return await self._open_set(connection, call, row, counter)

    async def login(self, call: Call[Nothing]) -> Answer:
        """Begins a login with a passkey: who it is, the passkey tells."""
        await self._limits.outside(call.line)
        async with unit_of_work(self._engine) as connection:
            return {"challenge": await new_challenge(connection, "login", call.device, user="", now=self._now())}

    async def logged_in(self, call: Call[AssertedBody]) -> Answer:
        """A session for this device, and what `opened` gives."""
        row, counter = await self._asserted(call, "login", "")
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            found = await self._open_set(connection, call, row, counter)
            session = await self._sessions.begin(connection, row["user"], call.device)
            await record(connection, "login", at=now, user=row["user"], device=call.device.id)
            user = await self._users.describe(connection, row["user"], call.device, now)
        return {**found, "session": session, "user": user}

    async def _asserted(self, call: Call[Any], purpose: Purpose, user: str) -> tuple[Any, int]:
        """The row of the passkey that was used, and its counter. `user`: whose it must be; "" for anyone's."""
        body = call.body
        client = read_client_data(body.client_data)
        await self._use(call, client.challenge, purpose, user)
        mine = [col(Passkey.id) == digest(body.credential), *([col(Passkey.user) == user] if user else [])]
        async with unit_of_work(self._engine) as connection:
            row = (await connection.execute(select(Passkey).where(*mine))).mappings().first()
        # One that its owner has removed is not another's who has its id and public key: nothing shows at its making who has it.
        if row is None or body.user not in ("", row["user"]):
            raise CallError(404, "passkey_unknown", _("This passkey opens no wallet here. It may have been removed."))
        counter = self._party.asserted(client, row["key"], body.authenticator_data, body.signature)
        if counter <= row["counter"] and (counter or row["counter"]):
            async with unit_of_work(self._engine) as connection:
                await record(connection, "passkey_refused", at=self._now(), user=row["user"], device=call.device.id)
            raise CallError(
                403,
                "passkey_copied",
                _("There may be a copy of this passkey. Use another way, and remove the passkey."),
            )
        return row, counter

    async def _open_set(self, connection: AsyncConnection, call: Call[Any], row: Any, counter: int) -> Answer:
        now, user = self._now(), row["user"]
        await self._users.unfrozen(connection, user, now)
        wallet = (await connection.execute(select(Wallet).where(col(Wallet.user) == user))).mappings().first()
        if wallet is None:
            raise refused()
        await self._count(connection, row, counter)
        grant = await new_grant(connection, user, call.device, now)
        await record(connection, "passkey_used", at=now, user=user, device=call.device.id)
        half = self._keys.open(row["half"], passkey_row(user, row["id"]))
        return recovered(wallet, half, grant, box=encode(row["box"]))

    async def _count(self, connection: AsyncConnection, row: Any, counter: int) -> None:
        same = (col(Passkey.id) == row["id"], col(Passkey.counter) == row["counter"])
        used = update(Passkey).where(*same).values(counter=counter, last_used_at=self._now())
        # Removed, or used at the same moment by somebody else.
        if (await connection.execute(used)).rowcount != 1:
            raise refused()

    async def _use(self, call: Call[Any], challenge: str, purpose: Purpose, user: str) -> None:
        async with unit_of_work(self._engine) as connection:
            await use_challenge(connection, challenge, purpose, call.device, user=user, now=self._now())

    def _now(self) -> int:
        return to_ms(self._clock.now())


async def _credentials(connection: AsyncConnection, user: str) -> list[str]:
    query = select(col(Passkey.credential)).where(col(Passkey.user) == user)
    return [encode(one) for one in (await connection.execute(query)).scalars()]


async def _listed(connection: AsyncConnection, user: str) -> list[dict[str, Any]]:
    columns = (
        *(col(Passkey.id), col(Passkey.name), col(Passkey.site)),
        *(col(Passkey.created_at), col(Passkey.last_used_at)),
    )
    query = select(*columns).where(col(Passkey.user) == user).order_by(col(Passkey.created_at).desc(), col(Passkey.id))
    return [
        {"id": passkey, "name": name, "site": site, "createdAt": created_at, "lastUsedAt": last_used_at}
        for passkey, name, site, created_at, last_used_at in (await connection.execute(query)).all()
    ]


def _not_listed() -> CallError:
    return CallError(404, "passkey_unknown", _("This passkey is not on the list any more."))


def _too_many() -> CallError:
    return CallError(409, "too_many_passkeys", too_many_passkeys(MOST_PASSKEYS))
