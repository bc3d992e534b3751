"""`POST /v1/browser`: the cookie by which a browser is known again, and who may ask for it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType

import httpx
import pytest

from tests.web.served import HOST, client
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.db.sign_ins import holder_key
from walletmodal.services.client_address import ClientAddress
from walletmodal.services.rate_limit import MemoryRateLimit, Rate
from walletmodal.services.sign_in import MemoryNonces, Tickets
from walletmodal.web.browser import COOKIE, PATH, BrowserEndpoint, browser_routes
from walletmodal.web.routes import with_routes

OWN = {"origin": f"http://{HOST}", "sec-fetch-site": "same-origin", "content-type": "application/json"}


class Served:
    """The route alone, with its tickets."""

    def __init__(self, burst: int = 100) -> None:
        self.tickets = Tickets(MemoryNonces(MovableClock()))
        self.fails = False
        endpoint = BrowserEndpoint(
            issue=self._issue,
            limit=MemoryRateLimit(Rate(0.001, burst)),
            client_name=ClientAddress(),
            lifetime=timedelta(days=7),
        )
        self._app = with_routes(_nothing, browser_routes(endpoint))

    async def _issue(self, holder: str) -> str:
        if self.fails:
            raise SignInUnavailableError
        return await self.tickets.issue(holder)

    async def ask(
        self,
        *,
        cookie: str = "",
        body: str = "{}",
        method: str = "POST",
        changed: Mapping[str, str | None] = MappingProxyType({}),
    ) -> httpx.Response:
        headers = {**OWN, **changed, **({"cookie": f"{COOKIE}={cookie}"} if cookie else {})}
        given = {name: value for name, value in headers.items() if value is not None}
        async with client(self._app) as asking:
            return await asking.request(method, PATH, content=body, headers=given)


async def _nothing(*_: object) -> None:
    raise AssertionError("the route did not answer")


def secret(answer: httpx.Response) -> str:
    """What the cookie is set to."""
    name, _, rest = answer.headers["set-cookie"].partition("=")
    assert name == COOKIE
    return str(rest.partition(";")[0])


async def test_a_browser_gets_a_cookie_of_256_random_bits_that_no_script_sees() -> None:
    served = Served()
    answers = [await served.ask() for _ in range(20)]
    assert len({secret(answer) for answer in answers}) == 20
    name, _, rest = answers[0].headers["set-cookie"].partition("=")
    value, *attributes = rest.split("; ")
    assert (name, len(value)) == (COOKIE, 43)
    assert attributes == ["Max-Age=604800", "Path=/", "HttpOnly", "Secure", "SameSite=None", "Partitioned"]


async def test_a_browser_that_has_one_keeps_it_for_longer() -> None:
    served = Served()
    first = await served.ask()
    assert secret(await served.ask(cookie=secret(first))) == secret(first)


async def test_the_ticket_says_which_browser_it_is_once_and_is_not_the_secret() -> None:
    served = Served()
    answer = await served.ask()
    ticket = answer.json()["ticket"]
    assert secret(answer) not in answer.text
    assert await served.tickets.redeem(ticket) == holder_key(secret(answer))
    assert await served.tickets.redeem(ticket) is None


@pytest.mark.parametrize("value", ["x", "a" * 44, "a" * 42 + "%", "../" * 14 + "a", '"' + "a" * 41 + '"'])
async def test_a_cookie_that_is_none_of_ours_is_replaced(value: str) -> None:
    answer = await Served().ask(cookie=value)
    assert (answer.status_code, secret(answer) == value) == (200, False)


CROSS_SITE: dict[str, dict[str, str | None]] = {
    "a page of another site": {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    "the host page itself": {"origin": "http://localhost:8700", "sec-fetch-site": "same-site"},
    "another port of our host": {"origin": "http://localhost:1", "sec-fetch-site": None},
    "a page without an origin": {"origin": "null", "sec-fetch-site": "cross-site"},
    "a program": {"origin": None, "sec-fetch-site": None},
    "a page that lies about its origin": {"sec-fetch-site": "cross-site"},
    "another name that ends with ours": {"origin": f"http://evil{HOST}", "sec-fetch-site": None},
}


@pytest.mark.parametrize("who", CROSS_SITE)
async def test_nobody_but_our_own_page_gets_a_ticket_or_a_cookie(who: str) -> None:
    answer = await Served().ask(changed=CROSS_SITE[who])
    assert (answer.status_code, "set-cookie" in answer.headers, "ticket" in answer.json()) == (403, False, False)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("{}", "application/x-www-form-urlencoded"),
        ("{}", "text/plain"),
        ("", "application/json"),
        ("[]", "application/json"),
        ('{"holder": "x"}', "application/json"),
        ("{" + " " * 100 + "}", "application/json"),
    ],
)
async def test_what_a_form_could_send_is_refused(body: str, kind: str) -> None:
    answer = await Served().ask(body=body, changed={"content-type": kind})
    assert (answer.status_code, "set-cookie" in answer.headers) == (400, False)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS"])
async def test_other_methods_are_refused(method: str) -> None:
    answer = await Served().ask(method=method)
    assert (answer.status_code, answer.headers["allow"], "set-cookie" in answer.headers) == (405, "POST", False)


async def test_a_flood_is_refused() -> None:
    served = Served(burst=3)
    assert [(await served.ask()).status_code for _ in range(5)] == [200, 200, 200, 429, 429]


async def test_without_a_place_for_tickets_no_cookie_is_set() -> None:
    served = Served()
    served.fails = True
    answer = await served.ask()
    assert (answer.status_code, "set-cookie" in answer.headers) == (503, False)
