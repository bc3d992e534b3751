"""The explorer's paths: those that the modal's links have, whatever the namespace calls its pages, and a search."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from walletmodal.sandbox.blockchain.failures import ServiceError
from walletmodal.sandbox.blockchain.sources import Sources
from walletmodal.sandbox.explorer.evm import EvmPages
from walletmodal.sandbox.explorer.html import Content, el, link, message, page, table
from walletmodal.sandbox.explorer.parts import NothingThereError, badge, to_address, to_transaction, when
from walletmodal.sandbox.explorer.solana import SolanaPages, is_account
from walletmodal.sandbox.solana.world import CHAIN as SOLANA

_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")
_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_SIGNATURE: Final = re.compile(r"[1-9A-HJ-NP-Za-km-z]{64,88}")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,6}")
_TOKEN_ID: Final = re.compile(r"[0-9]{1,78}")
_STYLE: Final = Path(__file__).with_name("explorer.css")

Handler = Callable[[Request], Awaitable[Response]]


class _Explorer:
    def __init__(self, sources: Sources) -> None:
        self._evm = {chain.caip2: EvmPages(chain, sources) for chain in sources.chains}
        self._solana = SolanaPages(sources.solana, sources) if sources.solana is not None else None
        self._clock = sources.clock

    async def home(self, _: Request) -> Response:
        cards, newest = [], []
        for caip2, pages in self._evm.items():
            cards.append(_card(caip2, pages.name, f"Block {await pages.head():,}"))
            newest += await pages.newest(10)
        if self._solana is not None:
            cards.append(_card(SOLANA, self._solana.name, f"Slot {await self._solana.head():,}"))
        newest.sort(key=lambda one: one.timestamp, reverse=True)
        rows: list[list[Content]] = [
            [
                to_transaction(one.chain, one.hash),
                self._evm[one.chain].name,
                badge(one.status),
                to_address(one.chain, one.sender),
                when(one.timestamp, self._clock.now()),
            ]
            for one in newest[:15]
        ]
        heads = ("Transaction", "Network", "Status", "From", "When")
        return page(
            "Chains of this machine",
            el("div", el("h1", "Chains of this machine"), class_="head"),
            el("div", *cards, class_="chains"),
            el("section", el("h2", "Newest transactions"), table(heads, rows, empty="Nothing has happened yet.")),
        )

    async def overview(self, request: Request) -> Response:
        return await self._pages(request).overview()

    async def transaction(self, request: Request) -> Response:
        pages, asked = self._pages(request), request.path_params["subject"]
        pattern = _SIGNATURE if isinstance(pages, SolanaPages) else _HASH
        if not pattern.fullmatch(asked):
            raise NothingThereError(f"{asked[:100]} is no transaction of {pages.name}.")
        # Who has handed an operation in knows its hash before that of its bundle.
        if isinstance(pages, EvmPages) and not await pages.has(asked) and await pages.operations.has(asked.lower()):
            return _to(request.path_params["chain"], "userop", asked)
        return await pages.transaction(asked)

    async def operation(self, request: Request) -> Response:
        pages, asked = self._pages(request), request.path_params["subject"]
        if isinstance(pages, SolanaPages) or not _HASH.fullmatch(asked):
            raise NothingThereError(f"{asked[:100]} is no user operation of {pages.name}.")
        return await pages.operations.page(asked.lower())

    async def address(self, request: Request) -> Response:
        pages, asked = self._pages(request), request.path_params["subject"]
        self._require_address(pages, asked)
        number = request.query_params.get("page", "1")
        if not _NUMBER.fullmatch(number):
            raise NothingThereError(f"{number[:20]} is the number of no page.")
        return await pages.address(asked, int(number))

    async def token(self, request: Request) -> Response:
        pages, asked = self._pages(request), request.path_params["subject"]
        self._require_address(pages, asked)
        if isinstance(pages, SolanaPages):
            return await pages.token(asked)
        token_id = request.query_params.get("a")
        if token_id is not None and (not _TOKEN_ID.fullmatch(token_id) or int(token_id) >= 2**256):
            raise NothingThereError(f"{token_id[:100]} is the id of no token.")
        return await pages.token(asked, None if token_id is None else int(token_id))

    async def search(self, request: Request) -> Response:
        asked = request.query_params.get("q", "").strip()
        if _HASH.fullmatch(asked):
            for caip2, pages in self._evm.items():
                if await pages.has(asked):
                    return _to(caip2, "tx", asked)
                if await pages.operations.has(asked.lower()):
                    return _to(caip2, "userop", asked)
            raise NothingThereError(f"No chain of this machine has a transaction {asked}.")
        if _ADDRESS.fullmatch(asked):
            return _to(next(iter(self._evm)), "address", asked)
        if self._solana is not None and is_account(asked):
            return _to(SOLANA, "account", asked)
        if self._solana is not None and _SIGNATURE.fullmatch(asked):
            return _to(SOLANA, "tx", asked)
        raise NothingThereError(f"{asked[:100] or 'Nothing'} is neither a hash nor an address.")

    def _pages(self, request: Request) -> EvmPages | SolanaPages:
        chain = request.path_params["chain"]
        found = self._evm.get(chain) or (self._solana if chain == SOLANA else None)
        if found is None:
            raise NothingThereError(f"No chain {chain[:60]} runs on this machine.")
        return found

    def _require_address(self, pages: EvmPages | SolanaPages, asked: str) -> None:
        fits = is_account(asked) if isinstance(pages, SolanaPages) else _ADDRESS.fullmatch(asked)
        if not fits:
            raise NothingThereError(f"{asked[:100]} is no address of {pages.name}.")


def explorer_pages(sources: Sources) -> Starlette:
    """The pages below `/explorer`: `/{CAIP-2}/tx/{hash}`, `/{CAIP-2}/userop/{hash}`, `/{CAIP-2}/address/{address}` (`account` for Solana), `/{CAIP-2}/token/{contract}?a={id}`."""
    explorer = _Explorer(sources)

    async def style(_: Request) -> Response:
        return FileResponse(_STYLE, media_type="text/css; charset=utf-8", headers={"cache-control": "no-cache"})

    async def nothing(_: Request) -> Response:
        raise NothingThereError("The explorer has no such page.")

    routes: list[tuple[str, Handler]] = [
        ("/", explorer.home),
        ("/search", explorer.search),
        ("/explorer.css", style),
        ("/{chain}", explorer.overview),
        ("/{chain}/tx/{subject}", explorer.transaction),
        ("/{chain}/userop/{subject}", explorer.operation),
        ("/{chain}/address/{subject}", explorer.address),
        ("/{chain}/account/{subject}", explorer.address),
        ("/{chain}/token/{subject}", explorer.token),
        ("/{path:path}", nothing),
    ]
    return Starlette(routes=[Route(path, _told(handler), methods=["GET"]) for path, handler in routes])


def _told(handler: Handler) -> Handler:
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except NothingThereError as error:
            return message("Nothing there", str(error), 404)
        except (ServiceError, httpx.HTTPError, TimeoutError):
            return message("Not now", "The chain does not answer. Try again in a moment.", 503)

    return answer


def _card(caip2: str, name: str, newest: str) -> Element:
    card = link(el("strong", name), f"/explorer/{caip2}", class_="chain")
    card.append(el("span", newest))
    card.append(el("code", caip2 if len(caip2) < 20 else f"{caip2[:14]}…"))
    return card


def _to(chain: str, kind: str, subject: str) -> Response:
    return RedirectResponse(f"/explorer/{chain}/{kind}/{subject}", 303)
