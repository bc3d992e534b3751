"""`python -m walletmodal.secure delete`: the operator erases an account, such as that of somebody who asks for it on paper."""

import sys
from typing import Final

from sqlalchemy import func, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.language import _
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.deletion import Deletions
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.custody.recovery_client import open_recovery
from walletmodal.secure.db.tables import User, Wallet
from walletmodal.secure.errors import CallError, StartError
from walletmodal.secure.language import open_languages
from walletmodal.secure.login.email_address import normal_email
from walletmodal.secure.login.mails import Sender
from walletmodal.secure.mailer import open_mailer
from walletmodal.secure.notices import Notices
from walletmodal.secure.pepper import Pepper, open_pepper
from walletmodal.secure.settings import Settings
from walletmodal.secure.users import Users

_BY: Final = _("The people who run this site")


async def erase_account(settings: Settings, who: str, *, really: bool, clock: Clock | None = None) -> str:
    """Erases an account; returns what was done, or would be. The running site tells the owner, and forgets what is left within a day.

    Args:
        settings: of the site; its database must be migrated.
        who: email address, an address of the wallet, or the account's id as in the audit.
        really: False tells alone which account it is.
        clock: what moments are written by; tests move theirs.

    Raises:
        StartError: there is no such account, or there are several, or the database or the keys cannot be had.
    """
    engine, clock = open_engine(settings.secure_database_url, durable=True), clock or SystemClock()
    recovery = open_recovery(settings)
    try:
        keys = settings.key_ring()
        pepper, users = await open_pepper(engine, keys), Users(keys)
        sender = Sender(settings.mail_name, settings.own_origin, settings.own_host, open_languages(settings.locales))
        mailer = open_mailer(settings, clock)
        notices = Notices(engine, clock, keys=keys, pepper=pepper, mailer=mailer, sender=sender)
        deletions = Deletions(engine, notices, LooseBoxes(engine, recovery, clock), clock)
        async with unit_of_work(engine) as connection:
            user = await _find(connection, pepper, who)
            wallet = await connection.scalar(select(col(Wallet.evm)).where(col(Wallet.user) == user))
            named = f"account {user}, wallet {wallet or 'none'}"
            if not really:
                return f"{named}: would be erased for good; say --yes to do it"
            account = await users.account(connection, user)
            now = to_ms(clock.now())
            await deletions.begin(connection, account, now, detail=_BY, kind="account_deleted_by_operator")
        await deletions.carry_on(user)
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of SECURE_DATABASE_URL cannot be used: {type(error).__name__}") from error
    finally:
        if recovery is not None:
            await recovery.close()
        await close_engine(engine)
    return f"{named}: erased; the site tells the owner by mail, and asks the recovery service until it has forgotten its part"


def read_who(argument: str) -> str:
    """The argument, or for `-` a line of standard input, which no list of processes shows."""
    return sys.stdin.readline().strip() if argument == "-" else argument


async def _find(connection: AsyncConnection, pepper: Pepper, who: str) -> str:
    by_wallet = select(col(Wallet.user)).where(
        or_(func.lower(col(Wallet.evm)) == who.lower(), col(Wallet.solana) == who)
    )
    try:
        mine = (
            col(User.address_key) == pepper.address_key(normal_email(who))
            if "@" in who
            else or_(col(User.id) == who, col(User.id).in_(by_wallet))
        )
    except CallError as error:
        raise StartError("this is no email address") from error
    found = (await connection.execute(select(col(User.id)).where(mine).order_by(col(User.id)))).scalars().all()
    if not found:
        raise StartError("there is no such account")
    if len(found) > 1:
        # Nobody shows to the site that an address is theirs.
        raise StartError(f"several accounts name this wallet, say which by its id: {', '.join(found)}")
    return str(found[0])
