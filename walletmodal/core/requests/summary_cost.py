"""What a permission comes to, in words for the visitor: a sentence, and the most that it can cost."""

from collections.abc import Iterator
from typing import Final

from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.permissions.cost import grant_sentence, most_at_once, most_spent
from walletmodal.core.permissions.execution_permissions import PermissionRequest
from walletmodal.core.requests.summary_parts import UNLIMITED, Row, Tokens, amount_text, coin_amount, short_text
from walletmodal.core.requests.typed_request import HostedRequest

_MAX_SITE: Final = 80


def permission_rows(asked: PermissionRequest, request: HostedRequest, tokens: Tokens) -> Iterator[Row]:
    """Makes the rows that say what a permission comes to: in a sentence, at once and altogether; nothing where nobody has said when that is."""
    if not request.at:
        return
    yield Row("In short", permission_sentence(asked, request.origin, request.at, tokens))
    yield from _at_once(asked, request.at, tokens)
    most = most_spent(asked.permission, request.at)
    if most is None or is_unlimited(most):
        yield Row("Altogether at most", UNLIMITED, tone="warning")
    else:
        yield Row("Altogether at most", permission_amount(asked, most, tokens))


def _at_once(asked: PermissionRequest, now: int, tokens: Tokens) -> Iterator[Row]:
    """Makes the row that says what can be spent within a moment, where the sentence says less."""
    permission = asked.permission
    once, streams = most_at_once(permission, now), permission.manner == "stream"
    if not is_unlimited(once) and once > (permission.initial if streams else permission.amount):
        why = "free by now" if streams else "where one period ends and the next begins"
        yield Row("At once at most", f"{permission_amount(asked, once, tokens)}, {why}")


def permission_sentence(asked: PermissionRequest, origin: str, now: int, tokens: Tokens) -> str:
    """Says what a permission lets a page spend: '10 USDC a day to example.com until 1 March'."""
    amount = permission_amount(asked, asked.permission.amount, tokens)
    site = short_text(origin.partition("://")[2] or origin, _MAX_SITE)
    return grant_sentence(asked.permission, amount, site, now)


def permission_amount(asked: PermissionRequest, amount: int, tokens: Tokens) -> str:
    """Formats base units of what a permission is about."""
    token = asked.permission.token
    return amount_text(tokens.get(token), amount) if token else coin_amount(f"eip155:{asked.chain_id}", amount)
