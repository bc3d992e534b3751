"""A visitor at the sandbox's login pages, without a browser."""

from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlsplit

import httpx


async def decide(
    client: httpx.AsyncClient,
    authorize_url: str,
    decision: str = "allow",
    *,
    name: str = "Kim Doe",
    email: str = "kim@example.org",
    verified: bool = True,
    gives_email: bool = True,
) -> httpx.Response:
    """What the provider answers when the form of its page is sent; it leads back to its client."""
    form = {"decision": decision, "name": name, "email": email}
    form |= {"verified": "on"} if verified else {}
    form |= {"gives_email": "on"} if gives_email else {}
    return await client.post(authorize_url, data=form)


def told(response: httpx.Response) -> dict[str, str]:
    """What the client is told: by the redirect, or by the form."""
    if response.status_code == 303:
        return dict(parse_qsl(urlsplit(response.headers["location"]).query))
    return _fields(response.text)


def _fields(page: str) -> dict[str, str]:
    found: dict[str, str] = {}

    class _Hidden(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            given = dict(attrs)
            if tag == "input" and given.get("type") == "hidden":
                found[given["name"] or ""] = given["value"] or ""

    _Hidden().feed(page)
    return found
