"""The doctor on origins: the modal's own, where browsers must find it, and those of host pages."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.typing import Origin

from walletmodal.config import Settings
from walletmodal.core.parsing.urls import is_loopback_host, is_secure_url
from walletmodal.core.sign_in.token_claims import KEYS_PATH
from walletmodal.operator.findings import Finding, certificate_of, failed, host_of, ok, warning
from walletmodal.services.http.authorities import is_unknown_authority, usual_authorities

SECONDS: Final = 8.0
_SOCKET: Final = "/_event/?EIO=4&transport=websocket"


async def origins(settings: Settings) -> Sequence[Finding]:
    """Checks whether each origin can work in a browser."""
    own = settings.own_origin
    found = [_own(settings)]
    for origin in settings.allowed_origins:
        if origin == own:
            found.append(ok("ALLOWED_ORIGINS", f"{origin} is the modal's own, which is allowed anyway"))
        elif not is_secure_url(origin):
            found.append(
                warning("ALLOWED_ORIGINS", f"{origin} is not https: browsers keep wallets and cookies from it")
            )
        elif _is_loopback(own) and not _is_loopback(origin):
            found.append(warning("ALLOWED_ORIGINS", f"visitors of {origin} cannot reach the modal at {own}"))
        else:
            found.append(ok("ALLOWED_ORIGINS", f"{origin} may embed the modal"))
    if not settings.allowed_origins:
        found.append(warning("ALLOWED_ORIGINS", "is not set: no page but the modal's own may embed it"))
    return found


def _own(settings: Settings) -> Finding:
    own = settings.own_origin
    if settings.public_url is None:
        return warning("PUBLIC_URL", f"is not set: the modal takes {own} for its address")
    return ok("PUBLIC_URL", f"{own} can be used")


def _is_loopback(origin: str) -> bool:
    return is_loopback_host(urlsplit(origin).hostname or "")


async def check_own_pages(settings: Settings) -> Sequence[Finding]:
    """Checks whether a server of these settings answers at the modal's own address: pages, routes and the socket."""
    own = settings.own_origin
    async with httpx.AsyncClient(base_url=own, timeout=SECONDS, trust_env=False, verify=usual_authorities()) as client:
        try:
            health = await client.get("/_health")
        except httpx.HTTPError as error:
            if is_unknown_authority(error):
                return [failed("own pages", certificate_of(host_of(own)))]
            text = f"nothing answers at {own} ({type(error).__name__}): the server is not running, or the proxy does not lead to it"
            return [warning("own pages", text)]
        if health.status_code not in {200, 503} or not health.headers.get("x-request-id"):
            return [failed("own pages", f"what answers at {own} is not the modal (status {health.status_code})")]
        try:
            page, published = await client.get("/"), await client.get(KEYS_PATH)
        except httpx.HTTPError as error:
            return [failed("own pages", f"{own} answers, but not with its pages ({type(error).__name__})")]
    found = [_policy(settings, page), *_answers(health, published)]
    return [*found, await _socket(own)]


def _policy(settings: Settings, page: httpx.Response) -> Finding:
    directives = page.headers.get("content-security-policy", "").split(";")
    framing = " ".join(one for one in directives if one.split()[:1] == ["frame-ancestors"]).split()
    missing = [origin for origin in settings.allowed_origins if origin not in framing]
    if page.status_code != httpx.codes.OK:
        return failed("own pages", f"the page of the modal is answered with status {page.status_code}")
    if missing:
        text = f"the running server does not allow {', '.join(missing)}: it has other settings, or a proxy changes its headers"
        return failed("own pages", text)
    return ok("own pages", f"the modal answers at {settings.own_origin}")


def _answers(health: httpx.Response, published: httpx.Response) -> Sequence[Finding]:
    found = []
    if health.status_code != httpx.codes.OK:
        found.append(failed("own pages", "/_health says that a part of the running server does not answer"))
    if published.status_code != httpx.codes.OK:
        found.append(failed("own pages", f"{KEYS_PATH} is answered with status {published.status_code}"))
    return found


async def _socket(own: str) -> Finding:
    """Proxies that do not pass on websockets are the commonest reason why nothing works."""
    url = own.replace("http", "ws", 1) + _SOCKET
    try:
        async with connect(
            url,
            origin=Origin(own),
            open_timeout=SECONDS,
            close_timeout=1,
            proxy=None,
            ssl=usual_authorities() if url.startswith("wss:") else None,
        ) as socket:
            opened = await socket.recv()
    except InvalidStatus as error:
        status = error.response.status_code
        return failed(
            "socket", f"/_event is answered with status {status}: the proxy must pass on websockets, and the Host"
        )
    except (WebSocketException, OSError, TimeoutError) as error:
        return failed("socket", f"/_event cannot be opened ({type(error).__name__}): the proxy must pass on websockets")
    return (
        ok("socket", "/_event opens")
        if str(opened).startswith("0")
        else failed("socket", "/_event speaks another protocol")
    )
