"""`doctor`: checks whether the deployment can do its work, part by part. It changes nothing."""

import argparse
import asyncio
from collections.abc import Awaitable, Sequence

from walletmodal.config import Settings
from walletmodal.core.errors import WalletModalError
from walletmodal.operator.findings import Finding, failed
from walletmodal.operator.look_at_bundlers import bundlers
from walletmodal.operator.look_at_catalogues import catalogues
from walletmodal.operator.look_at_cluster import cluster
from walletmodal.operator.look_at_nodes import nodes
from walletmodal.operator.look_at_origins import check_own_pages, origins
from walletmodal.operator.look_at_own_code import own_code
from walletmodal.operator.look_at_records import database, keys, redis, webhooks
from walletmodal.operator.look_at_services import services
from walletmodal.operator.look_at_settings import policy, written_settings
from walletmodal.operator.printing import Printer

LOOK_SECONDS = 15.0
"""So long each part may take."""


async def doctor(settings: Settings, asked: argparse.Namespace, printer: Printer) -> bool:
    """Checks all parts at once, and with `--cluster` all servers; prints each, False where one of them has failed."""
    looks = {
        "settings": written_settings(settings),
        "policy": policy(settings),
        "own code": own_code(),
        "catalogues": catalogues(settings),
        "origins": origins(settings),
        "own pages": check_own_pages(settings),
        "database": database(settings),
        "redis": redis(settings),
        "signing keys": keys(settings),
        "webhooks": webhooks(settings),
        "nodes": nodes(settings),
        "services": services(settings),
        "bundlers": bundlers(settings),
        **({"cluster": cluster(settings)} if asked.cluster else {}),
    }
    found = await asyncio.gather(*(_in_time(part, look) for part, look in looks.items()))
    findings = [one for part in found for one in part]
    printer.rows(("state", "part", "finding"), [(one.state, one.part, one.text) for one in findings], empty="")
    return not any(one.state == "failed" for one in findings)


async def _in_time(part: str, look: Awaitable[Sequence[Finding]]) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            return await look
    except TimeoutError:
        return [failed(part, f"has not answered within {LOOK_SECONDS:.0f} s")]
    except WalletModalError as error:
        return [failed(part, error.short_message)]
