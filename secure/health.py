"""`GET /_health`: whether the database answers."""

from collections.abc import Awaitable, Callable
from typing import Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from walletmodal.db.engine import unit_of_work
from walletmodal.services.single_flight import SingleFlight

LIMIT_SECONDS: Final = 2.0


def health_endpoint(engine: AsyncEngine) -> Callable[[Request], Awaitable[Response]]:
    """200, or 503 where it does not. Who asks at once is answered together: anybody may ask, and takes no connection from those who wait for one."""
    asking = SingleFlight[bool]()

    async def ask() -> bool:
        try:
            async with unit_of_work(engine, seconds=LIMIT_SECONDS) as connection:
                await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError):
            return False
        return True

    async def health(_request: Request) -> Response:
        answers = await asking.join("db", ask)
        return JSONResponse({"status": "ok" if answers else "failing", "db": answers}, 200 if answers else 503)

    return health
