"""A login that has taken the place of the host page leads back to it, and nowhere else."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import Stage, new_attempt, staged
from walletmodal.secure.social.return_address import return_address, with_result

HOST = "http://localhost:8700"
SITES = frozenset({HOST, "https://app.example.com"})
DONE = "http%3A%2F%2Flocalhost%3A8701%2Foauth%2Fdone%2F"


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox) -> AsyncIterator[Stage]:
    async with staged(secure_url, mailbox) as found:
        yield found


async def last_page(stage: Stage, provider: str, decision: str = "allow") -> str:
    """The last page of a login that goes back to a page of the host."""
    body = {"provider": provider, "attempt": new_attempt(), "back": f"{HOST}/shop?item=7"}
    url = (await stage.world.device().call("/v1/oauth/start", body))["url"]
    browser = stage.browser()
    page = await stage.return_of(browser, await stage.led_away(browser, url), decision)
    return page.text


@pytest.mark.parametrize("provider", ["google", "apple"])
@pytest.mark.parametrize("decision", ["allow", "deny"])
async def test_it_leads_back_however_it_has_ended(stage: Stage, provider: str, decision: str) -> None:
    address = f"{HOST}/shop?item=7&amp;result_uri={DONE}{provider}"
    page = await last_page(stage, provider, decision)
    assert f'<meta name="walletmodal-back" content="{address}">' in page
    assert f'<a href="{address}">Go back</a>' in page


async def test_a_window_is_led_nowhere(stage: Stage) -> None:
    _, page = await stage.go_through("google", stage.world.device())
    assert '<meta name="walletmodal-back" content="">' in page.text


async def test_a_page_of_another_site_is_refused(stage: Stage) -> None:
    body = {"provider": "google", "attempt": new_attempt(), "back": "https://evil.example/"}
    refused = await stage.world.device().refused("/v1/oauth/start", body)
    assert (refused.status, refused.code) == (400, "params")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://app.example.com", "https://app.example.com/"),
        ("https://app.example.com/a/b?c=d&e=%20#part", "https://app.example.com/a/b?c=d&e=%20"),
        ("https://APP.example.com:443/a", "https://app.example.com/a"),
        ("https://evil.example/", ""),
        ("https://app.example.com.evil.example/", ""),
        ("https://app.example.com@evil.example/", ""),
        ("https://app.example.com:8443/", ""),
        ("http://app.example.com/", ""),
        ("https://app.example.com\\@evil.example/", ""),
        ("https:/app.example.com/", ""),
        ("//app.example.com/", ""),
        ("/a", ""),
        ("javascript:alert(1)//https://app.example.com/", ""),
        ("https://app.example.com/\n", ""),
        ("https://app.example.com/ä", ""),
        ("https://[app.example.com/", ""),
        ("https://app.example.com/" + "a" * 2048, ""),
    ],
)
def test_only_an_address_of_a_host_page_is_taken(address: str, found: str) -> None:
    assert return_address(address, SITES) == found


@pytest.mark.parametrize(("address", "mark"), [("https://a.example/", "?"), ("https://a.example/?b=c", "&")])
def test_the_mark_is_added_to_what_is_there(address: str, mark: str) -> None:
    assert with_result(address, "x:y&z") == f"{address}{mark}result_uri=x%3Ay%26z"
