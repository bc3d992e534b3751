"""`sessions list` and `sessions revoke`."""

import argparse

from walletmodal.config import Settings
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.parsing.urls import normal_origin
from walletmodal.core.sign_in.session import SESSION_ID
from walletmodal.db.sign_ins import SignInStore
from walletmodal.operator.accounts import account_of
from walletmodal.operator.printing import Printer
from walletmodal.operator.tables import tables

COLUMNS = ("id", "account", "origin", "issued_at", "expires_at", "statement")


async def show(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Lists sign-ins that count now.

    Raises:
        AddressError, CaipError: the address is none.
    """
    address = account_of(asked.address)[1] if asked.address else ""
    # A bare address is of no chain.
    chain = str(parse_account_id(asked.address).chain) if ":" in asked.address else ""
    origin = (normal_origin(asked.origin) or asked.origin) if asked.origin else ""
    async with tables(settings) as engine:
        found = await SignInStore(engine).listed(address=address, chain=chain, origin=origin, limit=asked.limit)
    rows = [(one.id, str(one.account), one.origin, one.issued_at, one.expires_at, one.statement) for one in found]
    printer.rows(COLUMNS, rows, empty="nobody is signed in")
    return True


async def revoke(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Ends each of them."""
    done = True
    async with tables(settings) as engine:
        store = SignInStore(engine)
        for session_id in dict.fromkeys(asked.ids):
            revoked = bool(SESSION_ID.fullmatch(session_id)) and await store.revoke(session_id)
            told = "is revoked" if revoked else "does not count: it is unknown, over, or revoked already"
            printer.told(f"{session_id} {told}", id=session_id, revoked=revoked)
            done &= revoked
    return done
