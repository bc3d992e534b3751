"""The test page and the sandbox's relay on one port, and the page as tests see it."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, BrowserContext, Page
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from scripts.project import ROOT, VENV_BIN
from tests.patience import PATIENCE
from tests.ports import free_ports
from walletmodal.commands.project import tool_environment
from walletmodal.core.clock import SystemClock
from walletmodal.sandbox.faults import FaultBook
from walletmodal.sandbox.journal import Journal
from walletmodal.sandbox.relay.service import MAX_FRAME, RelayService
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen

_BUILD: Final = Path(__file__).parent / "page" / "build.mjs"
_STYLES: Final = ("tokens.css", "kit.css", "views.css")
HOST: Final = "https://shop.example/cart"

PROPOSAL: Final[dict[str, Any]] = {
    "namespaces": {
        "eip155": {
            "chains": ["eip155:1", "eip155:137"],
            "methods": ["personal_sign", "eth_sendTransaction", "wallet_switchEthereumChain"],
            "events": ["accountsChanged", "chainChanged"],
        }
    },
    "metadata": {"name": "Shop", "description": "Things", "url": HOST, "icons": []},
}


def bundle(folder: Path) -> None:
    """Bundle the page."""
    command = [str(part) for part in (VENV_BIN / "node", _BUILD, folder)]
    subprocess.run(command, cwd=ROOT, env=tool_environment(), check=True, timeout=PATIENCE)


class ShiftedClock(SystemClock):
    """The machine's clock, ahead by some seconds, as that of a page whose time has been moved."""

    ahead = 0.0

    def now(self) -> datetime:
        """Civil time, in UTC."""
        return super().now() + timedelta(seconds=self.ahead)


class Theatre:
    """Serves the page and the relay. `attests`: what the attestation host's page runs; empty: it never answers."""

    def __init__(self, folder: Path) -> None:
        self.faults, self.journal = FaultBook(), Journal()
        self.attests: str | None = ""
        self.clock = ShiftedClock()
        self._relay = RelayService(self.faults, self.journal, self.clock)
        self._silence = asyncio.Event()
        self._web = Starlette(
            routes=[
                Route("/", self._page),
                Route("/verify/v3/attestation", self._attest),
                Mount("/kit", StaticFiles(directory=ROOT / "walletmodal" / "ui")),
                Mount("/", StaticFiles(directory=folder)),
            ]
        )
        self._port = free_ports(1)
        self._server = HttpServer(self, listen(self._port, "TEST_PORTS"), MAX_FRAME)
        self.url = f"http://localhost:{self._port}"
        self.relay_url = f"ws://localhost:{self._port}/relay"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI: the relay's websockets, and the page."""
        await (self._relay if scope["type"] == "websocket" else self._web)(scope, receive, send)

    async def start(self) -> None:
        """Serve."""
        await self._server.start()

    async def stop(self) -> None:
        """Stop serving."""
        self._silence.set()
        await self._server.stop()

    def restart_relay(self) -> None:
        """All connections end, and all mail is gone."""
        self._relay.reset()

    def calls(self, path: str) -> list[Any]:
        """What the relay was asked by this method, newest last."""
        return [request["body"] for request in self.journal.newest_last("relay") if request["path"] == path]

    async def _page(self, _: Request) -> Response:
        links = "".join(f'<link rel="stylesheet" href="/kit/{name}">' for name in _STYLES)
        policy = f"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: https:; connect-src 'self' {self.relay_url}"
        return HTMLResponse(
            f'<!doctype html><html data-theme="dark"><title>Pairing</title>{links}<link rel="stylesheet" href="/main.css">'
            '<body style="margin:20px auto;width:320px;background:var(--wm-modal-bg)"><div id="root"></div>'
            '<script type="module" src="/main.js"></script>',
            headers={"content-security-policy": policy},
        )

    async def _attest(self, request: Request) -> Response:
        if self.attests is None:
            await self._silence.wait()
        return HTMLResponse(f"<script>const id = {request.query_params['id']!r}; {self.attests or ''}</script>")


class Frame:
    """One page. `sockets`: the websockets that it has opened so far, oldest first."""

    def __init__(self, theatre: Theatre, context: BrowserContext, page: Page) -> None:
        self.theatre, self.page = theatre, page
        self.outside: list[str] = []
        self.sockets: list[str] = []
        self.problems: list[str] = []
        context.on("request", self._note)
        page.on("websocket", self._note)
        page.on("websocket", lambda socket: self.sockets.append(socket.url))
        page.on("pageerror", lambda error: self.problems.append(str(error)))

    def _note(self, one: Any) -> None:
        if f"//{self.theatre.url.removeprefix('http://')}" not in one.url and not one.url.startswith("data:"):
            self.outside.append(one.url)

    async def load(self, **config: str) -> None:
        """(Re)load the page, and tell it the deployment's services."""
        await self.page.goto(self.theatre.url)
        await self.page.wait_for_function("window.play")
        settings = {"relayUrl": self.theatre.relay_url, "projectId": "", "verifyUrl": "", **config}
        await self.page.evaluate("settings => play.configure(settings)", settings)

    async def show(self, what: str, **props: Any) -> None:
        """Draw a component."""
        await self.page.evaluate("([what, props]) => play.show(what, props)", [what, props])

    async def begin(self, method: str, /, **params: Any) -> str:
        """Ask as the loader would; gives back the question's id."""
        return str(await self.page.evaluate("([method, params]) => play.begin(method, params)", [method, params]))

    async def answer(self, question: str) -> dict[str, Any]:
        """The answer of a question, waited for."""
        waiting: Awaitable[Any] = self.page.evaluate("id => play.answer(id)", question)
        found: dict[str, Any] = await asyncio.wait_for(waiting, PATIENCE)
        return found

    async def ask(self, method: str, /, **params: Any) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        return await self.answer(await self.begin(method, **params))

    async def connect(self, **params: Any) -> str:
        """Ask for a session; gives back the question's id."""
        return await self.begin("connect", proposal=PROPOSAL, **params)

    async def code(self, other_than: str = "") -> str:
        """The code on the screen, waited for."""
        wanted = self.page.locator(f'[data-testid="wui-qr-code"]:not([uri="{other_than}"])')
        uri = await wanted.get_attribute("uri")
        assert uri is not None
        return uri

    async def let_pass(self, seconds: float) -> None:
        """Move the time of the page, whose clock is installed, and of the relay."""
        self.theatre.clock.ahead += seconds
        await self.page.clock.run_for(int(seconds * 1000))

    async def said(self, kind: str, holds: Callable[[Any], bool] = lambda _: True) -> Any:
        """What the frame told the loader last under this type, waited for until it is as wanted."""
        last: Any = None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            found = await self.page.evaluate("kind => play.said.filter(({ type }) => type === kind)", kind)
            if found and holds(last := found[-1]["payload"]):
                return last
            await asyncio.sleep(0.025)
        raise AssertionError(f"{kind} was not as wanted; last seen: {last!r:.500}")


async def open_frame(theatre: Theatre, browser: Browser) -> Frame:
    """A new visitor."""
    context = await browser.new_context(viewport={"width": 400, "height": 640})
    return Frame(theatre, context, await context.new_page())
