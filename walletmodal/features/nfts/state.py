"""The NFTs of the account that is shown, and the one that was chosen."""

from __future__ import annotations

import json
from typing import ClassVar, Final

import reflex as rx

from walletmodal.config import network_table, settings
from walletmodal.core.accounts.nfts import Nft, NftStandard, is_nft_id, parse_nft_id
from walletmodal.core.chains.addresses import truncate
from walletmodal.core.errors import CaipError, NetworkError, WalletModalError
from walletmodal.core.language import _, ngettext
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.text.texts import ADDRESS_COPIED, UNSUPPORTED_CHAIN
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.pages.state import FetchedPage, PagesMixin, Place
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

VIEW: Final = "NftDetails"
_STANDARDS: Final[dict[NftStandard, str]] = {"erc721": "ERC-721", "erc1155": "ERC-1155", "nft": _("SPL token")}
_MAX_ID_SHOWN: Final = 16
_MAX_AMOUNT: Final = 9999


def _amount_text(amount: int) -> str:
    """Formats the amount in the corner of a cell; "" for one."""
    if amount <= 1:
        return ""
    return str(amount) if amount <= _MAX_AMOUNT else f"{_MAX_AMOUNT}+"


class NftsState(PagesMixin, rx.State):
    """The list, and what is shown of the chosen one.

    Attributes:
        partial: whether some may be missing at the end of the list.
        chosen: how far that is: "" (nothing is chosen), loading, shown, gone (the account has it no longer), failed.
        short_id, short_contract: as they are shown.
        amount: how many of it, "" for one.
    """

    reading: ClassVar[str] = _("Loading NFTs")

    partial: bool = False
    chosen: str = ""
    name: str = ""
    collection: str = ""
    description: str = ""
    picture: str = ""
    token_id: str = ""
    short_id: str = ""
    contract: str = ""
    short_contract: str = ""
    standard: str = ""
    network: str = ""
    amount: str = ""
    explorer_url: str = ""

    # The CAIP-19 id of the chosen one.
    _asset: str = ""

    @staticmethod
    def _counted(count: int, *, more: bool) -> str:
        if more:
            return ngettext("{count} NFT to begin with", "{count} NFTs to begin with", count)
        return ngettext("{count} NFT", "{count} NFTs", count)

    @staticmethod
    async def _fetch_page(place: Place, cursor: str) -> FetchedPage:
        """Fetches the next page.

        Raises:
            NetworkError: the deployment does not have the network.
            TransportError: the node cannot be asked.
        """
        if not has_feature(place.chain.namespace, "nfts"):
            return FetchedPage(0, "[]", "")
        if not place.offered:
            raise NetworkError(UNSUPPORTED_CHAIN, details=str(place.chain))
        found = await deployment().nfts.page(place.caller, place.chain, place.address, int(cursor or 0))
        rows = [[str(nft.id), nft.name, nft.collection, nft.picture, _amount_text(nft.amount)] for nft in found.items]
        text = json.dumps(rows, separators=(",", ":"), ensure_ascii=False)
        return FetchedPage(len(rows), text, "" if found.next is None else str(found.next), partial=found.partial)

    def _show_page(self, of_list: int, number: int, found: FetchedPage) -> None:
        super()._show_page(of_list, number, found)
        self._put(partial=found.partial)

    def _show_chosen(self, nft: Nft) -> None:
        which, network = nft.id, network_table().get(str(nft.id.chain))
        token_id = which.token_id
        self._put(
            chosen="shown",
            name=nft.name,
            collection=nft.collection,
            description=nft.description,
            picture=nft.picture,
            token_id=token_id,
            short_id=token_id if len(token_id) <= _MAX_ID_SHOWN else f"{token_id[:6]}…{token_id[-6:]}",
            contract=which.contract,
            short_contract=truncate(which.contract),
            standard=_STANDARDS[which.standard],
            network=network.name if network else str(which.chain),
            amount="" if nft.amount == 1 else str(nft.amount),
            explorer_url=(network.explorer_nft_url(which.contract, token_id) if network else None) or "",
        )

    def _clear_chosen(self) -> None:
        self._asset = ""
        self._put(chosen="", name="", collection="", description="", picture="", token_id="", short_id="")
        self._put(contract="", short_contract="", standard="", network="", amount="", explorer_url="")

    @rx.event
    async def choose(self, asset: str) -> Followups:
        """Opens an NFT: a cell of the grid. Its id is the browser's word, so ownership is checked again."""
        if not isinstance(asset, str) or not is_nft_id(asset) or await self._place() is None:
            return []
        self._clear_chosen()
        self._asset = asset
        self._put(chosen="loading")
        shell = await self.get_state(ShellState)
        shell._push(VIEW)
        await shell._save_record()
        return [NftsState.load_chosen]

    @rx.event
    async def retry_chosen(self) -> Followups:
        """Loads once more an NFT that could not be read."""
        if self.chosen != "failed":
            return []
        self._put(chosen="loading")
        return [NftsState.load_chosen]

    @rx.event
    async def on_copied(self, ok: bool) -> None:
        """Shows whether the browser copied the contract's address."""
        (await self.get_state(ToastState))._show_copied(ok, ADDRESS_COPIED)

    @rx.event(background=True)
    async def load_chosen(self) -> None:
        """Loads the chosen NFT from its contract."""
        async with self:
            asset, place = self._asset, await self._place()
            if self.chosen != "loading" or place is None:
                return
        found: Nft | WalletModalError | None
        try:
            which = parse_nft_id(asset)
            if str(which.chain) not in settings().networks:
                raise CaipError(UNSUPPORTED_CHAIN, details=str(which.chain))
            owner = place.address if which.chain.namespace == place.chain.namespace else ""
            found = await deployment().nfts.one(which, owner) if owner else None
        except WalletModalError as error:
            found = error
        async with self:
            if (self._asset, self.chosen) != (asset, "loading"):
                return
            if isinstance(found, Nft):
                self._show_chosen(found)
                shell = await self.get_state(ShellState)
                if shell.view == VIEW:
                    shell._push(VIEW, name=found.name)
            else:
                self._put(chosen="gone" if found is None else "failed")


async def reset_nfts(state: rx.State) -> None:
    """Clears list and chosen NFT for a new page."""
    nfts = await state.get_state(NftsState)
    await nfts._clear_list()
    nfts._clear_chosen()


async def refresh_nfts(_state: rx.State) -> Followups:
    """Reloads the NFTs after a transaction: one may have come or gone."""
    return [NftsState.refresh]
