"""Where a window comes from that wants to be led to a provider.

Whoever begins a login takes its result. So nobody may lead another's browser through their own login: the other would log the first one
in. A window that our own pages open says so (Referer, and Fetch Metadata for this origin's); of any other the visitor is asked, a page of another subdomain among them.
"""

from collections.abc import Collection

from starlette.datastructures import Headers

from walletmodal.core.parsing.urls import normal_origin


def is_opened_by_us(headers: Headers, own: Collection[str]) -> bool:
    """Whether the request of a window was made by one of our pages.

    Args:
        headers: of the request.
        own: origins of this site and of the modals.
    """
    referer = headers.get("referer")
    if referer is not None:
        scheme, _, rest = referer.partition("://")
        return normal_origin(f"{scheme}://{rest.partition('/')[0]}") in own
    return is_sent_by_itself(headers)


def is_sent_by_itself(headers: Headers) -> bool:
    """Whether this site's own page has made a request: no other can have its visitors' browsers say so."""
    return headers.get("sec-fetch-site") == "same-origin"
