"""The way to the recovery service, which has escrow boxes, their key and the mails of recovery; this site never reads a recovery half."""

import logging
from typing import Any, Final

import httpx

from walletmodal.core.language import _
from walletmodal.secure.errors import CallError
from walletmodal.secure.settings import Settings
from walletmodal.services.http.authorities import usual_authorities
from walletmodal.services.languages import ENGLISH

_SECONDS: Final = 10.0
"""The service mails meanwhile."""
_PASSED_ON: Final = frozenset({400, 404, 409, 423, 429, 503})

AWAY: Final = "recovery"
"""The code of a refusal where the service gave no answer, or none that is understood."""
UNKNOWN: Final = "box"
"""The code of a refusal where the service does not have the box."""

logger = logging.getLogger(__name__)


def recovery_http(url: str, token: str, transport: httpx.AsyncBaseTransport | None = None) -> httpx.AsyncClient:
    """The client for a service; close it at the end.

    Args:
        url: RECOVERY_URL.
        token: RECOVERY_TOKEN.
        transport: where the service is in this process.
    """
    return httpx.AsyncClient(
        base_url=url,
        headers={"Authorization": f"Bearer {token}"},
        timeout=_SECONDS,
        transport=transport,
        verify=usual_authorities() if transport is None else False,
        follow_redirects=False,
    )


class RecoveryClient:
    """Calls of the recovery service.

    Args:
        http: see `recovery_http`.
    """

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def put(self, box: str, *, user: str, sealed: str, address: str = "") -> None:
        """Gives a box into escrow; the service opens it once to see that it can. Without an address no code is asked of it before `change_address`.

        Raises:
            CallError: 400 `escrow`, it does not open; 503.
        """
        # A service of the version before refuses a box without an address, which is given to it with the wallet then.
        await self._ask("PUT", box, "", {"user": user, "box": sealed, **({"address": address} if address else {})})

    async def delete(self, box: str) -> None:
        """Takes a box back.

        Raises:
            CallError: 503.
        """
        await self._ask("DELETE", box, "", None)

    async def start(self, box: str, *, device: str, asked_by: str, language: str) -> dict[str, Any]:
        """Has the service mail a code. `language`: of the mail, by BCP 47.

        Raises:
            CallError: 423 `held`, 429, 503.
        """
        return await self._ask("POST", box, "/start", {"device": device, "asked_by": asked_by, **_in(language)})

    async def finish(self, box: str, *, device: str, asked_by: str, code: str, key: str, language: str) -> str:
        """The recovery half, sealed to the key. `language`: of the mail that tells of it.

        Raises:
            CallError: 400 `invalid_code` or `expired_code`, 429, 503.
        """
        body = {"device": device, "asked_by": asked_by, "code": code, "key": key, **_in(language)}
        return str((await self._ask("POST", box, "/finish", body))["recoveryHalf"])

    async def change_address(self, box: str, address: str, language: str, at: int) -> None:
        """Mails to another address once the service's hold is over; back to the one of before the hold, and to a box's first one, at once.

        Args:
            box: by id.
            address: the new one.
            language: of the mail to the present one.
            at: in ms; what arrives after something of a greater one is refused, so that a call which was given up changes nothing later.

        Raises:
            CallError: 503; `AWAY` where the service gave no answer.
        """
        body = {"address": address, **_in(language)}
        try:
            await self._ask("POST", box, "/address", body | {"at": at})
        except CallError as error:
            if error.code != "params":
                raise
            # A service of the version before knows no order.
            await self._ask("POST", box, "/address", body)

    async def close(self) -> None:
        """Gives back connections."""
        await self._http.aclose()

    async def _ask(self, method: str, box: str, what: str, body: dict[str, Any] | None) -> dict[str, Any]:
        try:
            response = await self._http.request(method, f"/v1/boxes/{box}{what}", json=body)
            found = response.json()
            if response.is_success and isinstance(found, dict):
                return found
            error = found["error"]
            code, message = str(error.pop("code")), str(error.pop("message"))
        except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("the recovery service gave no answer: %s", type(error).__name__)
            raise _away() from error
        if response.status_code not in _PASSED_ON:
            logger.warning("the recovery service answered %d", response.status_code)
            raise _away()
        raise CallError(response.status_code, code, message, **error)


def _in(language: str) -> dict[str, str]:
    """A service of the version before knows no languages, and takes nothing that it does not know: English needs no newer one."""
    return {"language": language} if language not in ("", ENGLISH) else {}


def open_recovery(settings: Settings, transport: httpx.AsyncBaseTransport | None = None) -> RecoveryClient | None:
    """The client of a deployment, to be closed at the end; None where there is no escrow. `transport`: as for `recovery_http`."""
    if not settings.has_escrow or settings.recovery_url is None or settings.recovery_token is None:
        return None
    return RecoveryClient(recovery_http(settings.recovery_url, settings.recovery_token.get_secret_value(), transport))


def _away() -> CallError:
    return CallError(503, AWAY, _("The recovery service does not answer right now. Please try again in a moment."))
