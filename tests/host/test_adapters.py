"""What `walletmodal.host` promises in every framework alike."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from tests.host.apps import django_app, fastapi_app, flask_app, starlette_app
from tests.host.modal_server import API_KEY, ModalServer, counts, host, revoked, token
from tests.host.page import Page, async_page, sync_page
from tests.host.test_tokens import ADDRESS, KEY, OTHER_KEY, PAGE, SESSION
from walletmodal.core.clock import MovableClock
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME
from walletmodal.host import Modal
from walletmodal.host import starlette as starlette_host

ACCOUNT = f"eip155:1:{ADDRESS}"
CHALLENGE = 'Bearer realm="sign-in"'


FRAMEWORKS: dict[str, Callable[[Modal], Page]] = {
    "fastapi": lambda modal: async_page(fastapi_app.make(modal)),
    "starlette": lambda modal: async_page(starlette_app.make(modal)),
    "flask": lambda modal: sync_page(flask_app.make(modal)),
    "django": lambda modal: sync_page(django_app.make(modal)),
    "django, async": lambda modal: async_page(django_app.make(modal, is_async=True)),
}


@pytest.fixture(params=FRAMEWORKS)
def make(request: pytest.FixtureRequest, django_host: None) -> Callable[[Modal], Page]:
    return FRAMEWORKS[str(request.param)]


@pytest.fixture
def modal(server: ModalServer, clock: MovableClock) -> Modal:
    return host(server, clock)


@pytest.fixture
def page(make: Callable[[Modal], Page], modal: Modal) -> Page:
    return make(modal)


@pytest.fixture
def given(server: ModalServer, clock: MovableClock) -> Callable[..., str]:
    """A token of five minutes from now on."""

    def make(**claims: object) -> str:
        now = int(clock.now().timestamp())
        return token(server, KEY, clock, **{"exp": now + int(TOKEN_LIFETIME.total_seconds()), **claims})

    return make


@pytest.mark.parametrize("path", ["/members", "/members-sync"])
async def test_a_token_opens_what_is_for_signed_in_visitors(page: Page, given: Callable[..., str], path: str) -> None:
    answer = await page("GET", path, given())
    assert (answer.status_code, answer.text) == (200, ACCOUNT)


@pytest.mark.parametrize("path", ["/members", "/members-sync"])
async def test_no_cache_keeps_what_is_for_one_visitor(page: Page, given: Callable[..., str], path: str) -> None:
    answers = [await page("GET", path, given()), await page("GET", path)]
    assert [(answer.status_code, answer.headers.get_list("cache-control")) for answer in answers] == [
        (200, ["no-store"]),
        (401, ["no-store"]),
    ]


async def test_a_view_may_say_itself_how_its_page_is_cached(page: Page, given: Callable[..., str]) -> None:
    assert (await page("GET", "/members-cached", given())).headers["cache-control"] == "private, max-age=60"


@pytest.mark.parametrize("path", ["/members", "/members-sync", "/online", "/bound"])
async def test_without_a_token_the_answer_asks_for_one(page: Page, path: str) -> None:
    answer = await page("GET", path)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, CHALLENGE)
    assert ACCOUNT not in answer.text


@pytest.mark.parametrize("scheme", ["Basic dTpw", "Token x", "", "Bearer-ish x"])
async def test_credentials_of_another_kind_are_none(page: Page, scheme: str) -> None:
    answer = await page("GET", "/members", Authorization=scheme)
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, CHALLENGE)


FORGED: dict[str, Callable[[ModalServer, MovableClock], str]] = {
    "nothing": lambda *_: "",
    "no token": lambda *_: "x",
    "another page's": lambda server, clock: token(server, at=clock, aud="https://evil.example"),
    "another modal's": lambda server, clock: token(server, at=clock, iss="https://evil.example"),
    "another key's": lambda server, clock: token(server, OTHER_KEY, at=clock),
    "expired": lambda server, clock: token(server, at=clock, exp=int((clock.now() - timedelta(minutes=1)).timestamp()), iat=1),
    "altered": lambda server, clock: token(server, at=clock)[:-8] + "AAAAAAAA",
    "oversized": lambda server, clock: token(server, at=clock, pad="x" * 5000),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
async def test_a_token_that_is_not_valid_is_refused_as_rfc_6750_says(
    page: Page, server: ModalServer, clock: MovableClock, name: str
) -> None:
    answer = await page("GET", "/members", FORGED[name](server, clock))
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith(f'{CHALLENGE}, error="invalid_token", error_description="')
    assert ACCOUNT not in answer.text


async def test_while_the_modal_cannot_be_asked_the_answer_says_to_come_back(
    make: Callable[[Modal], Page], clock: MovableClock
) -> None:
    page = make(Modal("http://127.0.0.1:9", PAGE, clock=clock))
    answer = await page("GET", "/members", "x.y.z")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "www-authenticate" not in answer.headers


async def test_online_sees_what_was_revoked_a_moment_ago(
    page: Page, server: ModalServer, given: Callable[..., str]
) -> None:
    counts(server)
    assert (await page("GET", "/online", given())).text == ACCOUNT
    revoked(server)
    assert (await page("GET", "/online", given())).status_code == 401
    assert (await page("GET", "/members", given())).status_code == 200


async def test_the_hosts_session_serves_plain_navigation(page: Page, given: Callable[..., str]) -> None:
    assert (await page("POST", "/session", given())).status_code == 200
    assert (await page("GET", "/members")).text == ACCOUNT
    assert (await page("GET", "/members-sync")).text == ACCOUNT


async def test_nobody_gets_a_session_without_a_token(page: Page) -> None:
    assert (await page("POST", "/session")).status_code == 401
    assert (await page("GET", "/members")).status_code == 401


async def test_after_signing_out_the_session_remembers_nobody(page: Page, given: Callable[..., str]) -> None:
    await page("POST", "/session", given())
    assert (await page("DELETE", "/session")).status_code == 200
    assert (await page("GET", "/members")).status_code == 401


async def test_a_bad_token_counts_before_a_good_session(page: Page, given: Callable[..., str]) -> None:
    await page("POST", "/session", given())
    assert (await page("GET", "/members", "x")).status_code == 401


async def test_after_five_minutes_the_modal_confirms_a_session_and_is_then_left_alone(
    page: Page, server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    counts(server)
    await page("POST", "/session", given())
    clock.advance(TOKEN_LIFETIME.total_seconds() + 1)
    assert [(await page("GET", "/members")).text for _ in range(3)] == [ACCOUNT] * 3
    assert [path for path, _ in server.asked].count(f"/v1/sessions/{SESSION.id}") == 1


async def test_a_revoked_session_ends_after_five_minutes(
    page: Page, server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    counts(server)
    await page("POST", "/session", given())
    revoked(server)
    assert (await page("GET", "/members")).status_code == 200
    assert (await page("GET", "/online")).status_code == 401
    clock.advance(TOKEN_LIFETIME.total_seconds())
    assert (await page("GET", "/members")).status_code == 401


async def test_without_an_api_key_the_page_renews_its_session_with_a_token(
    make: Callable[[Modal], Page], server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    page = make(host(server, clock, api_key=None))
    await page("POST", "/session", given())
    clock.advance(TOKEN_LIFETIME.total_seconds())
    refused = await page("GET", "/members")
    assert (refused.status_code, "invalid_token" in refused.headers["www-authenticate"]) == (401, True)
    await page("POST", "/session", given())
    assert (await page("GET", "/members")).text == ACCOUNT


async def test_a_session_does_not_renew_itself(
    make: Callable[[Modal], Page], server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    page = make(host(server, clock, api_key=None))
    await page("POST", "/session", given())
    clock.advance(TOKEN_LIFETIME.total_seconds() - 1)
    assert (await page("POST", "/session", Origin=PAGE)).status_code == 200
    clock.advance(1)
    assert (await page("GET", "/members")).status_code == 401


@pytest.mark.parametrize(
    "origin", [None, "null", "https://evil.example", f"{PAGE}.evil.example", PAGE.replace("https", "http")]
)
async def test_another_page_orders_nothing_with_the_cookie_of_this_one(
    page: Page, given: Callable[..., str], origin: str | None
) -> None:
    await page("POST", "/session", given())
    answer = await page("POST", "/orders", **({} if origin is None else {"Origin": origin}))
    assert (answer.status_code, ACCOUNT in answer.text) == (403, False)


async def test_this_page_orders_with_its_cookie(page: Page, given: Callable[..., str]) -> None:
    await page("POST", "/session", given())
    assert (await page("POST", "/orders", Origin=PAGE)).text == ACCOUNT


async def test_a_session_of_another_modal_is_none(
    make: Callable[[Modal], Page], server: ModalServer, clock: MovableClock, given: Callable[..., str]
) -> None:
    entered = await make(host(server, clock))("POST", "/session", given())
    cookie = entered.headers["set-cookie"].partition(";")[0]
    assert (await make(host(server, clock))("GET", "/members", Cookie=cookie)).text == ACCOUNT
    elsewhere = Modal(server.url.replace("127.0.0.1", "localhost"), PAGE, api_key=API_KEY, clock=clock)
    assert (await make(elsewhere)("GET", "/members", Cookie=cookie)).status_code == 401


async def test_a_sign_in_is_bound_to_the_hosts_own_nonce(page: Page, given: Callable[..., str]) -> None:
    nonce = (await page("GET", "/nonce")).text
    assert len(nonce) == 32
    assert (await page("GET", "/nonce")).text == nonce
    assert (await page("GET", "/bound", given())).status_code == 401
    assert (await page("GET", "/bound", given(nonce=""))).status_code == 401
    assert (await page("GET", "/bound", given(nonce=nonce))).text == ACCOUNT
    await page("POST", "/session", given(nonce="another1"))
    assert (await page("GET", "/bound")).status_code == 401
    await page("POST", "/session", given(nonce=nonce))
    assert (await page("GET", "/bound")).text == ACCOUNT


async def test_where_no_nonce_was_given_out_no_sign_in_carries_it(page: Page, given: Callable[..., str]) -> None:
    assert (await page("GET", "/bound", given(nonce=""))).status_code == 401


def test_the_openapi_document_of_a_fastapi_host_tells_of_the_token(modal: Modal) -> None:
    document = fastapi_app.make(modal).openapi()
    scheme = document["components"]["securitySchemes"]["walletmodal"]
    assert (scheme["type"], scheme["scheme"], scheme["bearerFormat"]) == ("http", "bearer", "JWT")
    assert document["paths"]["/members"]["get"]["security"] == [{"walletmodal": []}]


@pytest.mark.parametrize("path", ["/members-answer", "/members-answer-sync"])
async def test_what_a_fastapi_endpoint_answers_itself_is_kept_by_no_cache_either(
    modal: Modal, given: Callable[..., str], path: str
) -> None:
    answer = await async_page(fastapi_app.make(modal))("GET", path, given())
    assert (answer.text, answer.headers.get_list("cache-control")) == (ACCOUNT, ["no-store"])


async def test_a_fastapi_endpoint_may_say_itself_how_its_answer_is_cached(
    modal: Modal, given: Callable[..., str]
) -> None:
    page = async_page(fastapi_app.make(modal))
    cached = await page("GET", "/members-answer-cached", given())
    assert cached.headers.get_list("cache-control") == ["private, max-age=60"]


async def test_answers_to_anybody_stay_as_they_are(modal: Modal, given: Callable[..., str]) -> None:
    page = async_page(fastapi_app.make(modal))
    await page("GET", "/members-answer", given())
    assert "cache-control" not in (await page("GET", "/anybody")).headers


async def test_django_gives_the_session_a_new_id_when_somebody_signs_in(
    django_host: None, modal: Modal, given: Callable[..., str]
) -> None:
    page = sync_page(django_app.make(modal))
    first = (await page("GET", "/nonce")).headers["set-cookie"].partition(";")[0]
    entered = (await page("POST", "/session", given())).headers["set-cookie"].partition(";")[0]
    renewed = await page("POST", "/session", given())
    assert first != entered
    assert renewed.headers.get("set-cookie", entered).partition(";")[0] == entered
    assert (await sync_page(django_app.make(modal))("GET", "/members", Cookie=first)).status_code == 401


async def test_a_host_without_sessions_takes_tokens(modal: Modal, given: Callable[..., str]) -> None:
    @starlette_host.require_sign_in(modal, nonce=starlette_host.kept_nonce)
    async def bound(request: Request) -> PlainTextResponse:
        return PlainTextResponse("bound")

    @starlette_host.require_sign_in(modal)
    async def members(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.state.signed_in.account)

    page = async_page(Starlette(routes=[Route("/members", members), Route("/bound", bound)]))
    assert (await page("GET", "/members", given())).text == ACCOUNT
    assert (await page("GET", "/members")).status_code == 401
    assert (await page("GET", "/bound", given())).status_code == 401
