"""`webhooks list` and `webhooks retry`."""

import argparse
from typing import Final

from walletmodal.config import Settings
from walletmodal.db.deliveries import DeliveryStore
from walletmodal.operator.printing import Printer, complain
from walletmodal.operator.tables import tables

COLUMNS: Final = ("id", "at", "type", "account", "tries", "error")


async def show(settings: Settings, _asked: argparse.Namespace, printer: Printer) -> bool:
    """Lists what was given up, the latest first."""
    async with tables(settings) as engine:
        failed = await DeliveryStore(engine).list_failed()
    rows = [
        # One that cannot be read has no account.
        (one.event.id, one.event.at, one.event.type, one.event.data.get("account", ""), one.tries, one.error)
        for one in failed
    ]
    printer.rows(COLUMNS, rows, empty="nothing was given up")
    return True


async def retry(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Has events delivered again; False where nobody delivers, or one of the ids is unknown."""
    if settings.webhook_url is None:
        complain("WEBHOOK_URL is not set: nobody delivers")
        return False
    ids = list(dict.fromkeys(asked.ids))
    async with tables(settings) as engine:
        count = await DeliveryStore(engine).retry(ids)
    printer.told(f"events that are delivered again: {count}", retried=count)
    return count >= len(ids)
