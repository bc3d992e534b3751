"""The six social providers: each is an OAuth provider with the ways of its own, and lets nobody in by another."""

import base64
import hashlib
from collections.abc import AsyncIterator
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import jwt
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.social_login import decide, told
from walletmodal.core.clock import MovableClock
from walletmodal.sandbox.social import PROVIDERS, SocialService, social_settings
from walletmodal.sandbox.social.authorization import CODE_SECONDS

pytestmark = pytest.mark.asyncio

URL: Final = "http://localhost:8700/login"
SECURE: Final = "http://localhost:8701"
VERIFIER: Final = "v" * 64
CHALLENGE: Final = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
SCOPES: Final = {
    "google": "openid email profile",
    "apple": "name email",
    "facebook": "openid email public_profile",
    "github": "read:user user:email",
    "x": "users.read tweet.read users.email",
    "discord": "identify email",
}
SETTINGS: Final = social_settings("http://localhost:8700")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest_asyncio.fixture
async def client(clock: MovableClock) -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=[Mount("/login", SocialService(URL, SECURE, clock))])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=URL) as made:
        yield made


def authorize(provider: str, **changes: str | None) -> str:
    query = {
        "response_type": "code",
        "client_id": PROVIDERS[provider].client_id,
        "redirect_uri": f"{SECURE}/oauth/back/{provider}",
        "scope": SCOPES[provider],
        "state": "some-state",
        "nonce": "some-nonce",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        **changes,
    }
    return f"{URL}/{provider}?{urlencode({name: value for name, value in query.items() if value is not None})}"


def secret(provider: str, clock: MovableClock, **changes: Any) -> dict[str, Any]:
    """How a client of the provider shows who it is, as arguments of the request."""
    spec = PROVIDERS[provider]
    if provider == "apple":
        now = int(clock.now().timestamp())
        claims = {"iss": SETTINGS["SOCIAL_APPLE_TEAM_ID"], "sub": spec.client_id, "aud": f"{URL}/apple", "iat": now}
        token = jwt.encode(
            {**claims, "exp": now + 300, **changes},
            SETTINGS["SOCIAL_APPLE_PRIVATE_KEY"],
            "ES256",
            {"kid": SETTINGS["SOCIAL_APPLE_KEY_ID"]},
        )
        return {"fields": {"client_id": spec.client_id, "client_secret": token}}
    if spec.secrets[0] == "client_secret_basic":
        return {"auth": (spec.client_id, spec.client_secret)}
    return {"fields": {"client_id": spec.client_id, "client_secret": spec.client_secret}}


async def exchange(
    client: httpx.AsyncClient, provider: str, code: str, shown: dict[str, Any], **changes: str
) -> httpx.Response:
    fields = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": f"{SECURE}/oauth/back/{provider}",
        "code_verifier": VERIFIER,
        **shown.get("fields", {}),
        **changes,
    }
    headers = {"accept": "application/json"}
    auth = {"auth": shown["auth"]} if "auth" in shown else {}
    return await client.post(f"{URL}/{provider}/token", data=fields, headers=headers, **auth)


async def code_of(client: httpx.AsyncClient, provider: str, **account: Any) -> str:
    return told(await decide(client, authorize(provider), **account))["code"]


async def tokens_of(client: httpx.AsyncClient, clock: MovableClock, provider: str, **account: Any) -> dict[str, Any]:
    code = await code_of(client, provider, **account)
    answer: dict[str, Any] = (await exchange(client, provider, code, secret(provider, clock))).json()
    return answer


async def claims_of(client: httpx.AsyncClient, clock: MovableClock, provider: str, **account: Any) -> dict[str, Any]:
    token = (await tokens_of(client, clock, provider, **account))["id_token"]
    (key,) = jwt.PyJWKSet.from_dict((await client.get(f"{URL}/{provider}/jwks")).json()).keys
    return jwt.decode(token, key, ["ES256"], audience=PROVIDERS[provider].client_id, options={"verify_exp": False})


async def about(client: httpx.AsyncClient, path: str, tokens: dict[str, Any]) -> Any:
    return (await client.get(URL + path, headers={"authorization": f"Bearer {tokens['access_token']}"})).json()


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_visitor_who_allows_comes_back_with_a_code_that_gives_a_token_once(
    client: httpx.AsyncClient, clock: MovableClock, provider: str
) -> None:
    page = await client.get(authorize(provider))
    assert (page.status_code, 'data-testid="login-allow"' in page.text) == (200, True)
    answer = told(await decide(client, authorize(provider)))
    assert answer["state"] == "some-state"
    shown = secret(provider, clock)
    assert "access_token" in (await exchange(client, provider, answer["code"], shown)).json()
    assert "error" in (await exchange(client, provider, answer["code"], shown)).json()


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_visitor_who_cancels_comes_back_with_an_error(client: httpx.AsyncClient, provider: str) -> None:
    answer = told(await decide(client, authorize(provider), "deny"))
    expected = "user_cancelled_authorize" if provider == "apple" else "access_denied"
    assert answer == {"error": expected, "state": "some-state"}


@pytest.mark.parametrize(
    "redirect_uri",
    [
        None,
        "https://evil.example/",
        f"{SECURE}/oauth/back/github",
        f"{SECURE}/oauth/back/google/",
        "javascript:alert(1)",
    ],
)
async def test_only_the_secure_sites_own_address_is_led_to(client: httpx.AsyncClient, redirect_uri: str | None) -> None:
    url = authorize("google", redirect_uri=redirect_uri)
    for answer in (await client.get(url), await decide(client, url), await decide(client, url, "deny")):
        assert (answer.status_code, "location" in answer.headers) == (400, False)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_code_is_worth_nothing_after_a_minute(
    client: httpx.AsyncClient, clock: MovableClock, provider: str
) -> None:
    code = await code_of(client, provider)
    clock.advance(CODE_SECONDS + 1)
    assert "error" in (await exchange(client, provider, code, secret(provider, clock))).json()


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_client_without_its_secret_gets_no_token(
    client: httpx.AsyncClient, clock: MovableClock, provider: str
) -> None:
    wrong: dict[str, Any] = {"fields": {"client_id": PROVIDERS[provider].client_id, "client_secret": "guessed"}}
    for shown in (wrong, {"auth": (PROVIDERS[provider].client_id, "guessed")}, {}):
        assert "error" in (await exchange(client, provider, await code_of(client, provider), shown)).json()


@pytest.mark.parametrize("provider", [one for one in PROVIDERS if one != "discord"])
async def test_a_code_needs_the_verifier_that_it_was_asked_for_with(
    client: httpx.AsyncClient, clock: MovableClock, provider: str
) -> None:
    code = await code_of(client, provider)
    answer = await exchange(client, provider, code, secret(provider, clock), code_verifier="w" * 64)
    assert "error" in answer.json()
    # And it was used up by that.
    assert "error" in (await exchange(client, provider, code, secret(provider, clock))).json()


@pytest.mark.parametrize("provider", ["facebook", "x"])
async def test_pkce_is_insisted_on_where_the_provider_does(client: httpx.AsyncClient, provider: str) -> None:
    bare = authorize(provider, code_challenge=None, code_challenge_method=None)
    assert told(await decide(client, bare))["error"] == "invalid_request"
    assert told(await decide(client, authorize(provider, code_challenge_method="plain")))["error"] == "invalid_request"


@pytest.mark.parametrize("provider", ["google", "facebook"])
async def test_a_nonce_is_insisted_on_where_there_is_an_id_token(client: httpx.AsyncClient, provider: str) -> None:
    assert told(await decide(client, authorize(provider, nonce=None)))["error"] == "invalid_request"


@pytest.mark.parametrize("provider", ["google", "apple", "facebook"])
async def test_id_tokens_name_issuer_client_nonce_and_the_same_subject_for_the_same_name(
    client: httpx.AsyncClient, clock: MovableClock, provider: str
) -> None:
    claims = await claims_of(client, clock, provider)
    assert (claims["iss"], claims["nonce"]) == (f"{URL}/{provider}", "some-nonce")
    assert claims["exp"] - claims["iat"] == 600
    again = await claims_of(client, clock, provider, email="other@example.org")
    assert again["sub"] == claims["sub"]
    assert (await claims_of(client, clock, provider, name="Lee Roe"))["sub"] != claims["sub"]


async def test_google_says_whether_the_mail_is_verified(client: httpx.AsyncClient, clock: MovableClock) -> None:
    assert (await claims_of(client, clock, "google"))["email_verified"] is True
    assert (await claims_of(client, clock, "google", verified=False))["email_verified"] is False
    assert "email" not in await claims_of(client, clock, "google", gives_email=False)


async def test_apple_writes_truth_as_text_and_hides_a_mail_behind_its_relay(
    client: httpx.AsyncClient, clock: MovableClock
) -> None:
    open_mail = await claims_of(client, clock, "apple")
    assert (open_mail["email"], open_mail["email_verified"]) == ("kim@example.org", "true")
    hidden = await claims_of(client, clock, "apple", gives_email=False)
    assert hidden["email"].endswith("@privaterelay.appleid.com")


async def test_apple_answers_with_a_form_and_tells_the_name_the_first_time_alone(client: httpx.AsyncClient) -> None:
    first = await decide(client, authorize("apple"))
    assert (first.status_code, f'action="{SECURE}/oauth/back/apple"' in first.text) == (200, True)
    assert '"firstName": "Kim"' in told(first)["user"]
    assert "user" not in told(await decide(client, authorize("apple")))


@pytest.mark.parametrize(
    "changes", [{"aud": "https://other.example"}, {"iss": "OTHERTEAM"}, {"sub": "other"}, {"exp": 4_102_444_800}]
)
async def test_apple_takes_no_other_token_for_a_secret(
    client: httpx.AsyncClient, clock: MovableClock, changes: dict[str, Any]
) -> None:
    code = await code_of(client, "apple")
    answer = await exchange(client, "apple", code, secret("apple", clock, **changes))
    assert answer.json()["error"] == "invalid_client"


async def test_facebook_says_of_no_mail_that_it_is_verified(client: httpx.AsyncClient, clock: MovableClock) -> None:
    claims = await claims_of(client, clock, "facebook")
    assert (claims["email"], "email_verified" in claims) == ("kim@example.org", False)


async def test_github_says_errors_with_status_200_and_as_a_form_unless_asked_for_json(
    client: httpx.AsyncClient, clock: MovableClock
) -> None:
    answer = await exchange(client, "github", "none", secret("github", clock))
    assert (answer.status_code, answer.json()["error"]) == (200, "bad_verification_code")
    plain = await client.post(f"{URL}/github/token", data={"grant_type": "authorization_code"})
    assert plain.headers["content-type"].startswith("application/x-www-form-urlencoded")


async def test_github_tells_the_mails_apart_by_a_call_of_their_own(
    client: httpx.AsyncClient, clock: MovableClock
) -> None:
    tokens = await tokens_of(client, clock, "github", verified=False)
    assert "id_token" not in tokens
    assert (await about(client, "/github/user", tokens))["email"] is None
    primary = next(one for one in await about(client, "/github/user/emails", tokens) if one["primary"])
    assert (primary["email"], primary["verified"]) == ("kim@example.org", False)


async def test_x_tells_a_confirmed_mail_alone(client: httpx.AsyncClient, clock: MovableClock) -> None:
    for verified, expected in ((True, "kim@example.org"), (False, None)):
        user = await about(client, "/x/2/users/me", await tokens_of(client, clock, "x", verified=verified))
        assert user["data"].get("confirmed_email") == expected


async def test_discord_tells_mails_that_are_not_verified(client: httpx.AsyncClient, clock: MovableClock) -> None:
    user = await about(client, "/discord/users/@me", await tokens_of(client, clock, "discord", verified=False))
    assert (user["email"], user["verified"]) == ("kim@example.org", False)


async def test_the_page_can_be_cut_off_from_its_opener(client: httpx.AsyncClient) -> None:
    assert "cross-origin-opener-policy" not in (await client.get(authorize("google"))).headers
    cut_off = await client.get(authorize("google", coop="same-origin"))
    assert cut_off.headers["cross-origin-opener-policy"] == "same-origin"


async def test_a_form_without_a_name_is_shown_again_with_what_is_wrong(client: httpx.AsyncClient) -> None:
    answer = await decide(client, authorize("google"), name=" ", email="<b>&amp;")
    assert (answer.status_code, 'role="alert"' in answer.text, "<b>" in answer.text) == (400, True, False)


async def test_what_nobody_stands_for_is_not_there(client: httpx.AsyncClient) -> None:
    for path in ("/myspace", "/github/jwks", "/google/user"):
        assert (await client.get(URL + path)).status_code == 404
    assert (await client.get(f"{URL}/github/user")).status_code == 401
