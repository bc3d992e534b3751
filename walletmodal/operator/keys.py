"""`keys list`, `keys replace` and `keys withdraw`."""

import argparse

from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.config import Settings
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.operator.printing import Printer
from walletmodal.operator.tables import tables

COLUMNS = ("kid", "made_at", "signs_from", "signs", "published", "readable", "withdrawn")


def signing_keys(engine: AsyncEngine, settings: Settings) -> SigningKeys:
    """The deployment's keys."""
    return SigningKeys(engine, secret=settings.lasting_secret)


async def show(settings: Settings, _asked: argparse.Namespace, printer: Printer) -> bool:
    """All keys on record."""
    async with tables(settings) as engine:
        found = await signing_keys(engine, settings).on_record()
    rows = [
        (one.kid, one.made_at, one.starts_at, one.signs, one.published, one.readable, one.withdrawn) for one in found
    ]
    printer.rows(COLUMNS, rows, empty="there is no key yet; the first sign-in makes one")
    return True


async def replace(settings: Settings, _asked: argparse.Namespace, printer: Printer) -> bool:
    """Makes the next one."""
    async with tables(settings) as engine:
        keys = signing_keys(engine, settings)
        await keys.replace()
        (*_, newest) = await keys.on_record()
    printer.told(
        f"{newest.kid} signs from {newest.starts_at:%Y-%m-%d %H:%M} UTC on", kid=newest.kid, signs_from=newest.starts_at
    )
    return True


async def withdraw(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Takes one back."""
    async with tables(settings) as engine:
        done = await signing_keys(engine, settings).withdraw(asked.kid)
    told = "is withdrawn; all workers know within 30 seconds" if done else "is no key, or is withdrawn already"
    printer.told(f"{asked.kid} {told}", kid=asked.kid, withdrawn=done)
    return done
