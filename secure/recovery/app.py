"""Assembles the recovery service: an ASGI app that the secure site alone calls, with a token."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.language import _
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.secure.calls.endpoint import Answer, answered, read_body
from walletmodal.secure.custody.sealed_box import SealedBoxError
from walletmodal.secure.encoding import BytesText, PointText, decode
from walletmodal.secure.errors import CallError, StartError
from walletmodal.secure.health import health_endpoint
from walletmodal.secure.language import open_languages
from walletmodal.secure.login.email_address import normal_email
from walletmodal.secure.mailer import open_mailer
from walletmodal.secure.periodic import every_minute, keep_running
from walletmodal.secure.recovery.boxes import Boxes
from walletmodal.secure.recovery.keys import RecoveryKeys
from walletmodal.secure.recovery.settings import RecoverySettings
from walletmodal.secure.recovery.tables import Box, Recurring

MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"
"""Of the recovery service, for `secure.db.upgrade.upgrade`."""

Device = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
AskedBy = Annotated[str, Field(pattern=r"^[A-Za-z ]{0,64}$")]
"""A browser by name. It goes into mails: whoever has the site's token writes nothing else into them."""

Tag = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{0,35}$")]
"""A language by BCP 47; "" for English, as sites before this field mean."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PutBody(_Body):
    """A box, and the address that codes for it go to; "" where nobody has shown yet that it is theirs."""

    user: Annotated[str, Field(min_length=1, max_length=32)]
    address: Annotated[str, Field(max_length=254)] = ""
    box: Annotated[BytesText, Field(max_length=512)]


class StartBody(_Body):
    """The device that a code is to count on; `language`: of the mail."""

    device: Device
    asked_by: AskedBy
    language: Tag = ""


class FinishBody(StartBody):
    """The code, and the key that the half is sealed to."""

    code: Annotated[str, Field(max_length=16)]
    key: PointText


class AddressBody(_Body):
    """Another address; `at`: what is told later has a greater one, in ms, 0 as sites before this field mean; `language`: of the mail to the present one."""

    address: Annotated[str, Field(max_length=254)]
    at: Annotated[int, Field(ge=0, le=2**53)] = 0
    language: Tag = ""


def create(settings: RecoverySettings, *, clock: Clock | None = None) -> Starlette:
    """The app. Its database must be migrated; its lifespan opens and closes everything.

    Args:
        settings: of the service.
        clock: what every time is measured with.
    """
    time = clock or SystemClock()
    engine = open_engine(settings.recovery_database_url, durable=True)
    boxes = Boxes(
        engine,
        time,
        keys=RecoveryKeys(settings.recovery_key.get_secret_value()),
        mailer=open_mailer(settings, time),
        name=settings.mail_name,
        languages=open_languages(settings.locales),
        hold_ms=settings.email_change_hold_ms,
        expired_ms=settings.expired_ms,
    )
    service = _Service(boxes, settings.recovery_token.get_secret_value())

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await check_key(settings)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(close_engine, engine)
            stopping = asyncio.Event()
            keep_running(stack, stopping, every_minute(stopping, engine, Recurring, time, boxes.sweep))
            yield

    return Starlette(routes=[*service.routes(), Route("/_health", health_endpoint(engine))], lifespan=lifespan)


async def check_key(settings: RecoverySettings) -> None:
    """Checks that RECOVERY_KEY is the one of the database.

    Raises:
        StartError: it is not, or the database cannot be read.
    """
    engine = open_engine(settings.recovery_database_url)
    keys = RecoveryKeys(settings.recovery_key.get_secret_value())
    try:
        async with unit_of_work(engine) as connection:
            query = select(col(Box.id), col(Box.address)).where(col(Box.address) != b"").limit(1)
            row = (await connection.execute(query)).first()
        if row is not None:
            keys.open_address(row[1], row[0])
    except SealedBoxError as error:
        raise StartError(
            "RECOVERY_KEY does not open this database: it was made with another key. Nothing has been changed"
        ) from error
    except (SQLAlchemyError, OSError) as error:
        raise StartError(f"the database of RECOVERY_DATABASE_URL cannot be used: {type(error).__name__}") from error
    finally:
        await close_engine(engine)


class _Service:
    def __init__(self, boxes: Boxes, token: str) -> None:
        self._boxes, self._token = boxes, f"Bearer {token}".encode()

    def routes(self) -> list[Route]:
        one = "/v1/boxes/{box}"
        return [
            Route(one, self._admitted(self._put), methods=["PUT"]),
            Route(one, self._admitted(self._delete), methods=["DELETE"]),
            Route(f"{one}/start", self._admitted(self._start), methods=["POST"]),
            Route(f"{one}/finish", self._admitted(self._finish), methods=["POST"]),
            Route(f"{one}/address", self._admitted(self._address), methods=["POST"]),
        ]

    def _admitted(self, handler: Callable[[str, bytes], Awaitable[Answer]]) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Answer:
            given = request.headers.get("authorization", "").encode()
            if not hmac.compare_digest(given, self._token):
                raise CallError(401, "token", "RECOVERY_TOKEN of the site is not that of the service.")
            try:
                return await handler(request.path_params["box"], await read_body(request))
            except (ValidationError, ValueError):
                raise CallError(400, "params", _("The request is not understood.")) from None

        async def endpoint(request: Request) -> Response:
            return await answered(answer(request))

        return endpoint

    async def _put(self, box: str, body: bytes) -> Answer:
        asked = PutBody.model_validate(read_json(body))
        if len(decode(box)) != 16:
            raise ValueError("no id of a box")
        address = normal_email(asked.address) if asked.address else ""
        await self._boxes.put(box, user=asked.user, address=address, sealed=decode(asked.box))
        return {}

    async def _delete(self, box: str, _body: bytes) -> Answer:
        await self._boxes.delete(box)
        return {}

    async def _start(self, box: str, body: bytes) -> Answer:
        asked = StartBody.model_validate(read_json(body))
        return {
            "retryAfter": await self._boxes.start(
                box, device=asked.device, asked_by=asked.asked_by, language=asked.language
            )
        }

    async def _finish(self, box: str, body: bytes) -> Answer:
        asked = FinishBody.model_validate(read_json(body))
        half = await self._boxes.finish(
            box,
            device=asked.device,
            asked_by=asked.asked_by,
            code=asked.code,
            key=decode(asked.key),
            language=asked.language,
        )
        return {"recoveryHalf": half}

    async def _address(self, box: str, body: bytes) -> Answer:
        asked = AddressBody.model_validate(read_json(body))
        await self._boxes.change_address(box, normal_email(asked.address), at=asked.at, language=asked.language)
        return {}
