"""`audit export`: the log of events, an event a line."""

import argparse
import json
import sys
from typing import Final, TextIO

from walletmodal.config import Settings
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.sign_in.message import iso_text
from walletmodal.core.webhooks.event import Event
from walletmodal.db.events import EventLog
from walletmodal.operator.printing import Printer, complain
from walletmodal.operator.tables import tables

EVERY: Final = 1.0
"""Seconds between two looks of who follows."""


async def export(
    settings: Settings,
    asked: argparse.Namespace,
    _printer: Printer,
    *,
    clock: Clock | None = None,
    out: TextIO | None = None,
) -> bool:
    """Writes what follows an event, the oldest first, and with `--follow` goes on; False where the log ends before that event."""
    clock, out, number = clock or SystemClock(), out or sys.stdout, asked.after
    async with tables(settings) as engine:
        log = EventLog(engine, clock=clock)
        if await log.last() < number:
            complain(f"the log has no event {number}: it was brought back from an older backup, or is another one")
            return False
        while True:
            events = await log.after(number, since=asked.since)
            for event in events:
                out.write(line_of(event) + "\n")
                number = event.number
            out.flush()
            if not events:
                if not asked.follow:
                    return True
                await clock.sleep(EVERY)


def line_of(event: Event) -> str:
    """An event as JSON without control characters and line breaks."""
    told = {"number": event.number, "id": event.id, "at": iso_text(event.at), "type": event.type, **event.data}
    return json.dumps(told, separators=(",", ":"))
