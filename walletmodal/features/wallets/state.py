"""The wallets to choose from: what the browser brings, what the directory and the host list, in sections of small rows."""

from __future__ import annotations

from collections.abc import Sequence

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.connections.connections import Changes, Connections
from walletmodal.core.protocol.missing_features import missing_pairing
from walletmodal.core.protocol.options import CustomWallet, HostOptions
from walletmodal.core.protocol.snapshots import RecentWallet, Snapshot
from walletmodal.core.wallets.announced import Wallet
from walletmodal.core.wallets.connect_order import (
    Surroundings,
    all_wallets_count,
    section_order,
    shows_all_wallets,
    wallet_sections,
)
from walletmodal.core.wallets.connectors import (
    WALLET_CONNECT_ID,
    Connector,
    Exclusions,
    connector,
    connectors_of,
    exclusions,
    merge_connectors,
    of_namespace,
)
from walletmodal.core.wallets.platforms import page_to_get
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.process import PROCESS
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import AlertState
from walletmodal.features.wallets.question import Answer, Question, ask_directory
from walletmodal.features.wallets.rows import (
    RECOMMENDED_PLACES,
    SECTION_VARS,
    Facts,
    Listed,
    WalletRow,
    WalletToGet,
    filter_wallets,
    list_surroundings,
    places,
    rows_to_get,
    section_rows,
)


class WalletsState(AssigningMixin, rx.State):
    """The sections of the wallet list.

    Attributes:
        sections: those that have rows, in order; each has its rows in the variable of `SECTION_VARS`, so that a change sends only its own.
        searched: the browser has told what it has.
        directory: "" (not asked), `loading`, `known`, `failed`.
        all_wallets: whether the row All Wallets closes the list; count: the number on it.
        filter: the namespace that alone is offered, or "".
        to_get: for those who have none; filled only for who looks.
    """

    sections: list[str] = []
    pairing: list[WalletRow] = []
    recent: list[WalletRow] = []
    injected: list[WalletRow] = []
    featured: list[WalletRow] = []
    custom: list[WalletRow] = []
    external: list[WalletRow] = []
    recommended: list[WalletRow] = []
    searched: bool = False
    directory: str = ""
    all_wallets: bool = False
    count: str = ""
    to_get: list[WalletToGet] = []

    _filter: str = ""
    # Tuples all through: Reflex would hand out a proxy for each entry of a list at every look.
    _wallets: tuple[Wallet, ...] = ()
    # The host's console has been told why there is no pairing.
    _explained: bool = False
    _recents: tuple[Listed, ...] = ()
    _facts: Facts = Facts()
    _question: Question | None = None
    _answered: Question | None = None
    _answer: Answer = Answer()
    _asker: str = ""
    _guides: bool = False

    def _connectors(self) -> tuple[Connector, ...]:
        """Returns every connector that is offered, merged; pairing first."""
        singles = [single for wallet in self._wallets for single in connectors_of(wallet)]
        merged = merge_connectors(single for single in singles if single.chain in self._facts.namespaces)
        namespace = next((space for space in self._facts.namespaces if space == self._filter), None)
        return (*self._pairing_connector(), *(of_namespace(merged, namespace) if namespace else merged))

    def _pairing_connector(self) -> tuple[Connector, ...]:
        if not self._facts.pairing:
            return ()
        return (connector(WALLET_CONNECT_ID, "WALLET_CONNECT", "eip155", image_url=self._facts.pairing_icon),)

    def _surroundings(self) -> Surroundings:
        """Returns what browser and options say about the list."""
        return list_surroundings(self._facts, self._exclusions())

    def _exclusions(self) -> Exclusions:
        return self._answer.excluded if self._answered else exclusions(self._facts.excluded_ids)

    def _set_filter(self, namespace: Namespace | None) -> None:
        """Offers the wallets of one namespace alone; None: of all."""
        self._filter = namespace or ""
        self._update_rows()

    def _find_listed(self, wallet_id: str) -> Listed | None:
        """Finds a wallet of the directory or of storage that stands in the list, by its id."""
        answer = self._answer
        known = (*answer.featured, *answer.recommended, *answer.recent, *self._recents)
        return next((wallet for wallet in known if wallet.id == wallet_id), None)

    def _update_rows(self) -> None:
        """Updates the rows from what is known now."""
        facts, answer, connectors = self._facts, self._answer, self._connectors()
        featured, recommended = answer.featured, answer.recommended
        if self.directory == "loading":
            featured, recommended = featured or places(facts.featured_ids), recommended or RECOMMENDED_PLACES
        pictures = {wallet.id: wallet.icon for wallet in answer.recent}
        sections = wallet_sections(
            connectors,
            self._surroundings(),
            # Who pairs can use any wallet; who cannot, only those that a connector reaches.
            recents=[w._replace(icon=pictures.get(w.id, "")) for w in self._recents] if facts.pairing else (),
            featured=filter_wallets(featured, self._filter) if facts.pairing else (),
            custom=facts.custom if facts.pairing else (),
            recommended=filter_wallets(recommended, self._filter),
        )
        self._put(**section_rows(sections))
        self._put(sections=[SECTION_VARS[kind] for kind in section_order(sections.filled(), facts.order)])
        leads_on = facts.catalogue and shows_all_wallets(facts.all_wallets, connectors, mobile=facts.mobile)
        self._put(all_wallets=leads_on)
        if self._guides:
            self._put(to_get=rows_to_get(answer.featured, facts.custom, answer.recommended, self._exclusions()))
        self._put(count=all_wallets_count(answer.total, len(answer.featured)) if answer.total else "")

    def _request_directory(self, *, connected: bool) -> Followups:
        """Requests the directory if the list needs more than is known; a visitor with an account may never look at it."""
        if not self._facts.catalogue or self._question == self._answered or self._asker == PROCESS:
            return []
        if self._answered is None:
            if connected:
                return []
            self._put(directory="loading")
        self._asker = PROCESS
        self._update_rows()
        return [WalletsState.ask_directory]

    @rx.event
    async def get_wallet(self) -> Followups:
        """Opens wallets for those who have none."""
        await (await self.get_state(BridgeState))._publish(events.click_get_wallet())
        shell = await self.get_state(ShellState)
        shell._push("GetWallet")
        await shell._save_record()
        self._guides = True
        self._update_rows()
        return self._request_directory(connected=False)

    @rx.event
    def retry(self) -> Followups:
        """Asks a directory that did not answer once more."""
        if self.directory == "failed":
            self._answered = None
        return self._request_directory(connected=False)

    @rx.event(background=True)
    async def ask_directory(self) -> None:
        """Asks the directory what `_question` says; the answer to a question that has changed meanwhile is dropped."""
        async with self:
            question = self._question if self._asker == PROCESS else None
        if question is None:
            return
        try:
            answer = await ask_directory(deployment().services, question)
        except Exception:
            # Not even a mistake of ours leaves places that nothing will ever take.
            async with self:
                self._answered, self._asker = question, ""
                self._put(directory="failed")
                self._update_rows()
            raise
        async with self:
            if self._question != question or self._asker != PROCESS:
                return
            self._answer, self._answered, self._asker = answer, question, ""
            self._put(directory="failed" if answer.failed else "known")
            self._update_rows()
            if answer.refusal is not None:
                await (await self.get_state(AlertState))._raise(answer.refusal)


def _listed_custom(wallet: CustomWallet, embed: EmbedState) -> Listed:
    page = page_to_get(wallet, mobile=embed._mobile, system=embed._system)
    return Listed(wallet.id, wallet.name, icon=wallet.image_url or "", page=page)


def _listed_recent(wallet: RecentWallet) -> Listed:
    return Listed(wallet.id, wallet.name, wallet.rdns)


def _is_wanted(wallet: Wallet, options: HostOptions) -> bool:
    """Whether the host wants wallets that were found this way; the loader looks for none of the others, until an option changes."""
    if wallet.type == "INJECTED":
        return options.enable_injected
    return options.enable_eip6963 or wallet.type != "ANNOUNCED" or "eip155" not in wallet.namespaces


def _wanted_wallets(wallets: Sequence[Wallet], options: HostOptions) -> tuple[Wallet, ...]:
    """Returns the wallets that the host's options leave in, each with the picture that the host has for it."""
    if not options.enable_wallets:
        return ()
    excluded = frozenset(options.exclude_wallet_ids)
    return tuple(
        wallet.model_copy(update={"icon": options.connector_images.get(wallet.id) or wallet.icon})
        for wallet in wallets
        if wallet.id not in excluded and _is_wanted(wallet, options)
    )


async def _collect_facts(state: rx.State, snapshot: Snapshot, options: HostOptions, connections: Connections) -> Facts:
    embed, networks = await state.get_state(EmbedState), await state.get_state(NetworksState)
    allowed = NAMESPACES if options.adapters is None else options.adapters
    offered = {chain.partition(":")[0] for chain in networks._networks}
    services = deployment().services
    picture = connector(WALLET_CONNECT_ID, "WALLET_CONNECT", "eip155").image_id
    return Facts(
        namespaces=tuple(space for space in allowed if space in offered),
        mobile=embed._mobile,
        injected=snapshot.injected,
        announcements=options.enable_eip6963,
        pairing=settings().service_url("RELAY_URL") is not None
        and options.enable_wallets
        and options.enable_wallet_connect,
        pairing_icon=options.connector_images.get(WALLET_CONNECT_ID)
        or services.images.directory_path("connector", picture),
        paired=bool(connections.by_connector(WALLET_CONNECT_ID)),
        catalogue=services.directory.configured and options.enable_wallets,
        excluded_ids=options.exclude_wallet_ids,
        featured_ids=options.featured_wallet_ids,
        custom=tuple(_listed_custom(wallet, embed) for wallet in options.custom_wallets),
        all_wallets=options.all_wallets,
        order=options.features.connector_type_order,
    )


async def sync_wallets(state: rx.State, snapshot: Snapshot, changes: Changes) -> Followups:
    """Updates the list to the browser's wallets and the host's options."""
    wallets, embed = await state.get_state(WalletsState), await state.get_state(EmbedState)
    options: HostOptions = embed.get_value("_options")
    wallets._wallets = _wanted_wallets(snapshot.wallets, options)
    wallets._recents = tuple(_listed_recent(wallet) for wallet in snapshot.storage.recent)
    wallets._facts = await _collect_facts(state, snapshot, options, changes.after)
    caller = embed._caller()
    question = Question(
        caller.origin,
        caller.project_id,
        tuple((await state.get_state(NetworksState))._networks),
        options.featured_wallet_ids,
        options.include_wallet_ids,
        options.exclude_wallet_ids,
        tuple(wallet.id for wallet in wallets._recents),
        embed._mobile,
        embed._system,
    )
    if question != wallets._question:
        wallets._question, wallets._asker = question, ""
    wallets._guides = (await state.get_state(ShellState)).view == "GetWallet"
    followups = wallets._request_directory(connected=bool(changes.after.held) and not wallets._guides)
    wallets._update_rows()
    if not wallets.searched:
        wallets.searched = True
    return followups


async def refresh_wallets(state: rx.State) -> Followups:
    """Updates the list when the modal opens, and asks a directory that did not answer again."""
    wallets = await state.get_state(WalletsState)
    if not wallets._explained:
        wallets._explained = True
        options = (await state.get_state(EmbedState))._options
        sentence = missing_pairing(options, lambda name: settings().service_url(name) is not None)
        if sentence:
            await (await state.get_state(BridgeState))._warn(sentence)
    wallets._guides = (await state.get_state(ShellState)).view == "GetWallet"
    wallets._update_rows()
    return wallets.retry()


async def reset_wallet_filter(state: rx.State) -> None:
    """Clears the filter of the page before."""
    wallets = await state.get_state(WalletsState)
    wallets._filter, wallets._explained = "", False


__all__ = ["WalletRow", "WalletToGet", "WalletsState"]
