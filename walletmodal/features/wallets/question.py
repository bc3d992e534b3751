"""Directory question of the wallet list: one for all visitors of a host page, so that its answer is cached for all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.protocol.messages import System
from walletmodal.core.text.texts import AlertKey
from walletmodal.core.wallets.connectors import Exclusions, exclusions
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.core.wallets.lists import serving
from walletmodal.core.wallets.platforms import page_to_get
from walletmodal.features.wallets.rows import Listed
from walletmodal.services.clients import ServiceClients
from walletmodal.services.directory import WalletFilter
from walletmodal.services.http import Caller

REFUSALS: dict[int, AlertKey] = {401: "INVALID_PROJECT_ID", 403: "INVALID_APP_CONFIGURATION"}
"""What a status of the directory says about the deployment, as it does where events are sent."""


class Question(NamedTuple):
    """Ids and networks as the host gave them.

    `recent`: ids of the visitor's own wallets, for their pictures. `mobile`, `system`: the device, for the stores of wallets.
    """

    origin: str
    project_id: str
    chains: tuple[str, ...]
    featured: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    recent: tuple[str, ...] = ()
    mobile: bool = False
    system: System = ""


class Answer(NamedTuple):
    """Answer of the directory.

    Attributes:
        total: how many wallets the directory has for these networks.
        failed: a part is missing, because the directory did not answer it.
        refusal: the alert that its status asks for.
    """

    featured: tuple[Listed, ...] = ()
    recommended: tuple[Listed, ...] = ()
    recent: tuple[Listed, ...] = ()
    total: int = 0
    excluded: Exclusions = Exclusions()
    failed: bool = False
    refusal: AlertKey | None = None


async def ask_directory(services: ServiceClients, question: Question) -> Answer:
    """Asks the directory; each part that it does not give is left out, and the answer says so."""
    directory, caller = services.directory, Caller(question.origin, question.project_id)
    wanted = WalletFilter(question.chains, question.include, (*question.exclude, *question.featured))
    failures: list[ServiceError] = []

    async def featured() -> tuple[Listed, ...]:
        try:
            return _listed(services, await directory.featured(caller, question.featured), question)
        except ServiceError as error:
            failures.append(error)
            return ()

    async def recommended() -> tuple[tuple[Listed, ...], int]:
        try:
            page = await directory.recommended(caller, wanted)
            return _listed(services, page.data, question), page.count
        except ServiceError as error:
            failures.append(error)
            return (), 0

    async def excluded() -> Exclusions:
        try:
            return exclusions(
                question.exclude, await directory.excluded(caller, question.exclude, chains=question.chains)
            )
        except ServiceError as error:
            failures.append(error)
            return exclusions(question.exclude)

    async def recent() -> tuple[Listed, ...]:
        found = [await _fetch_recent(services, caller, wallet_id) for wallet_id in question.recent]
        return _listed(services, [wallet for wallet in found if wallet is not None], question)

    first, (second, count), third, fourth = await asyncio.gather(featured(), recommended(), excluded(), recent())
    refusal = next((REFUSALS[e.status] for e in failures if e.status in REFUSALS), None)
    return Answer(first, second, fourth, count, third, bool(failures), refusal)


async def _fetch_recent(services: ServiceClients, caller: Caller, wallet_id: str) -> WalletListing | None:
    """Fetches a wallet that was used before: without the directory its row has no picture, and works."""
    try:
        return await services.directory.wallet(caller, wallet_id)
    except ServiceError:
        return None


def _row(
    services: ServiceClients, wallet: WalletListing, question: Question, namespaces: tuple[Namespace, ...]
) -> Listed:
    icon = wallet.image_url and services.images.remote_path(wallet.image_url)
    return Listed(
        id=wallet.id,
        name=wallet.name,
        rdns=wallet.rdns,
        icon=icon or services.images.directory_path("wallet", wallet.image_id),
        page=page_to_get(wallet, mobile=question.mobile, system=question.system),
        namespaces=namespaces,
    )


def _listed(services: ServiceClients, wallets: Sequence[WalletListing], question: Question) -> tuple[Listed, ...]:
    served = {space: {wallet.id for wallet in serving(wallets, space, question.chains)} for space in NAMESPACES}
    return tuple(
        _row(services, wallet, question, tuple(space for space in NAMESPACES if wallet.id in served[space]))
        for wallet in wallets
    )
