"""The modal server's HTTP side on a small stand-in for Reflex's app: the middleware and routes are the real ones."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr
from reflex.utils.precompressed_staticfiles import PrecompressedStaticFiles
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.types import ASGIApp

from walletmodal.config import Settings
from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.accounts.transactions import HistoryPage
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import NetworkError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.sign_in.token_claims import KeyDocument
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.images import Image
from walletmodal.services.rate_limit import MemoryRateLimit, Rate
from walletmodal.web import pictures, security_headers
from walletmodal.web.accounts_api import AccountReads, AccountsApi, accounts_api_routes
from walletmodal.web.browser import BrowserEndpoint, browser_routes
from walletmodal.web.content_policy import BuiltScripts
from walletmodal.web.drain import Drain
from walletmodal.web.edge import Edge
from walletmodal.web.health import Probe
from walletmodal.web.host_api import HostApi, HostLimits, Keys, Rechecks, Sessions, host_api_routes
from walletmodal.web.origin import OwnPagesOnly
from walletmodal.web.record_figures import Figures, no_figures
from walletmodal.web.request_ids import RequestIds
from walletmodal.web.routes import build_routes, with_routes
from walletmodal.web.rpc import Ask

HOST = "localhost:3000"
ORIGIN = f"http://{HOST}"
PLENTY = Rate(per_second=1, burst=100)
KEY = "a-key-of-at-least-24-characters"
PAGE = "<!DOCTYPE html><script>early()</script><script src=/assets/a.js></script><script>\nlate()\n</script>"


def build(folder: Path) -> Path:
    """A built front end, as small as one can be."""
    files = {
        "index.html": PAGE,
        "404.html": "<!DOCTYPE html><script>missing()</script>",
        "gallery.html": "<!DOCTYPE html>",
        "assets/a-1b2c.js": "1;",
        "walletmodal.js": "2;" * 400,
        "walletmodal-wallets.js": "3;",
        "walletmodal-onramp.js": "4;",
        "walletmodal.d.ts": "export {};",
        "v/0.1.0/walletmodal.js": "2;",
        "v/0.1.0/walletmodal-wallets.js": "3;",
        "v/0.1.0/walletmodal-onramp.js": "4;",
        "favicon.svg": "<svg/>",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


class Node:
    """Answers RPC calls with what a test gives it, and remembers them."""

    def __init__(self, result: object = "0x1") -> None:
        self.result = result
        self.asked: list[tuple[str, str, Any]] = []

    async def __call__(self, chain: ChainId, method: str, params: list[Any] | dict[str, Any]) -> object:
        """Answer, or raise when the result is an error."""
        self.asked.append((str(chain), method, params))
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class NoPictures:
    """A deployment without a directory."""

    async def from_directory(self, _kind: str, _image_id: str, /) -> Image:
        """Nothing."""
        raise NotConfiguredError("directory")

    async def from_reference(self, _reference: str, /) -> Image:
        """Nothing either."""
        raise NotConfiguredError("directory")

    async def from_nft(self, _reference: str, /) -> Image:
        """Nor this."""
        raise NotConfiguredError("directory")


class NobodySignedIn:
    """A deployment where nobody is, and whose keys are still to be made."""

    async def live(self, _session_id: str, /) -> SignInSession | None:
        """Nobody."""
        return None

    async def revoke(self, _session_id: str, /) -> bool:
        """Nothing to end."""
        return False

    async def holds(self, _session: SignInSession, /) -> bool:
        """Nobody has changed their mind."""
        return True

    async def document(self) -> KeyDocument:
        """No keys."""
        return KeyDocument(keys=[])


NOBODY = NobodySignedIn()


class NoAccounts:
    """A deployment that can ask nobody about accounts."""

    async def native_balance(self, _chain: ChainId, _address: str, /) -> int:
        """Nobody knows."""
        raise NetworkError("Unsupported chain")

    async def tokens(self, _chain: ChainId, _address: str, /) -> Sequence[TokenBalance]:
        """Nobody knows."""
        raise NotConfiguredError("BLOCKCHAIN_URL")

    async def history(self, _chain: ChainId, _address: str, _cursor: str | None, /) -> HistoryPage:
        """Nobody knows."""
        raise NotConfiguredError("BLOCKCHAIN_URL")


NO_ACCOUNTS = NoAccounts()


async def _ok() -> None:
    return None


async def _ticket(_holder: str) -> str:
    return "ticket"


def app(
    folder: Path,
    *,
    node: Ask | None = None,
    probes: Mapping[str, Probe] | None = None,
    rate: Rate = PLENTY,
    sessions: Sessions = NOBODY,
    rechecks: Rechecks = NOBODY,
    keys: Keys = NOBODY,
    accounts: AccountReads = NO_ACCOUNTS,
    figures: Figures = no_figures,
    drain: Drain | None = None,
    **settings: Any,
) -> ASGIApp:
    """The wrapped app over the built files in `folder`."""
    chosen = Settings(_env_file=None, **{"api_key": SecretStr(KEY), "networks": ("eip155:1",), **settings})
    names = ClientAddress(chosen.trusted_proxies)
    static = PrecompressedStaticFiles(directory=folder, html=True, encodings=["gzip"])
    inner: ASGIApp = Starlette(routes=[Mount("/", static)])
    routes = build_routes(
        chosen,
        probes=probes or {"db": _ok},
        limit=MemoryRateLimit(rate),
        ask=node or Node(),
        client_name=names,
        figures=figures,
        drain=drain or Drain(),
    )
    host_api = HostApi(
        sessions=lambda: sessions,
        rechecks=lambda: rechecks,
        keys=lambda: keys,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        limits=HostLimits(*(MemoryRateLimit(rate) for _ in range(4))),
        client_name=names,
    )
    browsers = BrowserEndpoint(issue=_ticket, limit=MemoryRateLimit(rate), client_name=names)
    accounts_api = AccountsApi(host_api, reads=lambda: accounts, networks=chosen.networks)
    inner = with_routes(
        inner, [*host_api_routes(host_api), *accounts_api_routes(accounts_api), *browser_routes(browsers), *routes]
    )
    headers = security_headers(OwnPagesOnly(inner), chosen, BuiltScripts(folder))
    return RequestIds(Edge(pictures(headers, chosen, source=NoPictures), own_origin=chosen.own_origin))


def client(target: ASGIApp, *, peer: str = "127.0.0.1", host: str = HOST) -> httpx.AsyncClient:
    """A client that speaks to the app as a peer at an address."""
    transport = httpx.ASGITransport(target, client=(peer, 50000))
    return httpx.AsyncClient(transport=transport, base_url=f"http://{host}")


def policy(answer: httpx.Response) -> dict[str, Sequence[str]]:
    """The directives of an answer's content security policy."""
    directives = (part.split() for part in answer.headers["content-security-policy"].split(";"))
    return {name: sources for name, *sources in directives}
