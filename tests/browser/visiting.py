"""How visitors are made."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext

from tests.browser.chain import TestAccount, new_account
from tests.browser.contexts import WINDOW, Seat, seats_in
from tests.browser.host_pages import embedding_page
from tests.browser.modal import Modal
from tests.browser.observed import Problems
from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.visits import OwnPlace, Place, Visit, Visiting, demo_address
from tests.browser.wallet import TestWallet, WalletSetup
from tests.patience import PATIENCE_MS

_OF_THE_PAGE = frozenset({"color_scheme", "reduced_motion", "forced_colors", "contrast"})
"""The options of a context that a page can have too."""


@contextmanager
def visiting(stack: Stack, chromium: Browser, account: TestAccount | None = None) -> Iterator[Visiting]:
    """Makes visitors, each alone in a browser context, until this one ends.

    By default a visitor has a wallet with two accounts on Ethereum, which knows Ethereum and Polygon, and is on the demo page.
    `account`: the first account of each wallet; default: a fresh one for each. Of a visitor: `address`: another host page.
    `options`, `query`: of the demo page. `server`: another modal server, on a page of our own; `modal_url`: one that is not ours.
    `wallet`: changes to its setup. `before`: scripts that run before the page's. `prepare`: what to do with the context first.
    With `prepare`, `context` or options that only a context has, that is the visitor's own; otherwise another had it before and has left nothing.
    """
    seats = seats_in(chromium, stack.hosts)
    taken: list[Seat] = []
    own: list[BrowserContext] = []

    def make(
        address: str | None = None,
        *,
        options: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        server: ModalServer | None = None,
        modal_url: str | None = None,
        wallet: Mapping[str, Any] | None = None,
        before: Sequence[str] = (),
        prepare: Callable[[BrowserContext], None] | None = None,
        context: BrowserContext | None = None,
        load: bool = True,
        **context_options: Any,
    ) -> Visit:
        if modal_url is None:
            (server or stack.modal).revive()
        if address is None and server is not None:
            path = f"/{server.name}/{len(taken) + len(own)}"
            stack.hosts.put(path, embedding_page(server.url, options))
            address = stack.hosts.allowed + path
        first, second = account or new_account(), new_account()
        known = {chain_id: stack.node_urls[chain_id] for chain_id in (1, 137)}
        setup = WalletSetup(**{"accounts": (first, second), "chains": known, **(wallet or {})})
        of_page = {name: context_options.pop(name) for name in _OF_THE_PAGE & set(context_options)}
        place: Place
        if prepare or context or context_options:
            place = OwnPlace(context or chromium.new_context(**{"viewport": WINDOW, **context_options}))
            own.append(place.context)
            place.context.set_default_timeout(PATIENCE_MS)
            if prepare:
                prepare(place.context)
            page = place.context.new_page()
        else:
            place = seats.take()
            taken.append(place)
            page = place.new_page()
        page.emulate_media(**of_page)
        for script in (*before, setup.init_script()):
            page.add_init_script(script)
        modal = Modal(page, modal_url or (server or stack.modal).url)
        made_visit = Visit(
            place,
            page,
            modal,
            TestWallet(page),
            Problems(page),
            first,
            second,
            address or _demo_page(stack, options, query or {}),
        )
        if load:
            made_visit.go()
        return made_visit

    try:
        yield make
    finally:
        for opened in own:
            opened.close()
        for seat in taken:
            seats.give_back(seat)


def _demo_page(stack: Stack, options: Mapping[str, Any] | None, query: Mapping[str, str]) -> str:
    # The sandbox's own wallet stays out of most tests: then there is one wallet, and one name for it.
    chosen = {"wallet": "none", **query}
    return demo_address(stack.demo, json.dumps(options) if options else "", **{k: v for k, v in chosen.items() if v})
