"""The relay of Sign In With Farcaster (FIP-11), with the paths and shapes of the public one."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Protocol

from cachetools import TTLCache
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer, parse_json, service_app

CHANNEL_SECONDS: Final = 3600
RELAY_KEY: Final = "sandbox-relay-key"
"""What the phone shows the relay as its own; the public relay knows its apps by such keys."""

_MOST_CHANNELS: Final = 1000
_Line = Annotated[str, Field(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]


class ChannelRequest(BaseModel):
    """What a site asks to be signed."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore")

    siwe_uri: Annotated[str, Field(max_length=2048, pattern=r"^[a-zA-Z][a-zA-Z0-9+.-]*:[!-~]+$")]
    domain: Annotated[str, Field(max_length=255, pattern=r"^[a-zA-Z0-9.-]+(:[0-9]+)?$")]
    nonce: Annotated[str, Field(pattern=r"^[a-zA-Z0-9]{8,128}$")] | None = None
    not_before: _Line | None = None
    expiration_time: _Line | None = None
    request_id: _Line | None = None
    redirect_url: _Line | None = None
    accept_auth_address: bool = True


class Authentication(BaseModel):
    """What an app hands over for a visitor who has agreed."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore")

    message: Annotated[str, Field(max_length=8192)]
    signature: Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]*$", max_length=32_768)]
    auth_method: Annotated[str, Field(pattern=r"^(custody|authAddress)$")] = "custody"
    fid: Annotated[int, Field(ge=1)]
    username: _Line = ""
    display_name: _Line = ""
    bio: _Line = ""
    pfp_url: _Line = ""


@dataclass
class Channel:
    """One sign-in on its way.

    Attributes:
        token: known to the site, and to whoever has its link.
        asked: what the site asks for.
        nonce: that is to be signed.
        answer: of the phone, once there is one.
    """

    token: str
    asked: ChannelRequest
    nonce: str
    url: str
    answer: dict[str, Any] | None = field(default=None)

    @property
    def status(self) -> dict[str, Any]:
        """What the site is told."""
        asked = self.asked.model_dump(by_alias=True, exclude_none=True, exclude={"accept_auth_address", "redirect_url"})
        return {
            "state": "pending" if self.answer is None else "completed",
            "nonce": self.nonce,
            "url": self.url,
            "connectUri": self.url,
            "acceptAuthAddress": self.asked.accept_auth_address,
            "signatureParams": {**asked, "nonce": self.nonce},
            "metadata": {"userAgent": "", "ip": ""},
            **(self.answer or {}),
        }


class Node(Protocol):
    """A chain's node that signs for the development accounts."""

    async def rpc(self, method: str, params: Sequence[object] = ()) -> object:
        """The result of a call; raises NodeFailedError."""
        ...


class FarcasterService:
    """The relay below `/farcaster`; an ASGI application.

    Args:
        url: of the sandbox, where the links lead.
        node: the chain with the registries; it signs for its development accounts.
        clock: the time.

    Attributes:
        channels: that are open, by token.
    """

    def __init__(self, url: str, node: Node, clock: Clock) -> None:
        self.node, self.clock = node, clock
        self._url = url
        self.channels: TTLCache[str, Channel] = TTLCache(_MOST_CHANNELS, CHANNEL_SECONDS, timer=clock.monotonic)
        self._app = service_app(
            [
                Route("/v1/channel", self._open, methods=["POST"]),
                Route("/v1/channel/status", self._status, methods=["GET"]),
                Route("/v1/channel/authenticate", self._authenticate, methods=["POST"]),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await self._app(scope, receive, send)

    def reset(self) -> None:
        """Forget all channels."""
        self.channels.clear()

    async def _open(self, request: Request) -> Response:
        try:
            asked = ChannelRequest.model_validate(parse_json(await request.body()))
        except (ValidationError, ValueError):
            return json_answer({"error": "Validation error"}, 400)
        token = secrets.token_urlsafe(16)
        url = f"{self._url}/~/siwf?channelToken={token}"
        channel = Channel(token, asked, asked.nonce or secrets.token_hex(16), url)
        self.channels[token] = channel
        return json_answer({"channelToken": token, "url": url, "connectUri": url, "nonce": channel.nonce}, 201)

    async def _status(self, request: Request) -> Response:
        channel = self._channel(request)
        if channel is None:
            return json_answer({"error": "Unauthorized"}, 401)
        if channel.answer is None:
            return json_answer(channel.status, 202)
        # Told once.
        self.channels.pop(channel.token, None)
        return json_answer(channel.status)

    async def _authenticate(self, request: Request) -> Response:
        channel = self._channel(request)
        key = request.headers.get("x-farcaster-auth-relay-key", "")
        if channel is None or not secrets.compare_digest(key.encode(), RELAY_KEY.encode()):
            return json_answer({"error": "Unauthorized"}, 401)
        try:
            answer = Authentication.model_validate(parse_json(await request.body()))
        except (ValidationError, ValueError):
            return json_answer({"error": "Validation error"}, 400)
        self.complete(channel, answer)
        return json_answer(channel.status, 201)

    def complete(self, channel: Channel, answer: Authentication) -> None:
        """Keep what the phone says; verifying is the site's business."""
        channel.answer = {**answer.model_dump(by_alias=True), "verifications": []}

    def _channel(self, request: Request) -> Channel | None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return self.channels.get(token) if scheme.casefold() == "bearer" else None
