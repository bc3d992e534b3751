"""What a permission comes to, in words for the visitor: a sentence, and the most that it can cost."""

from collections.abc import Iterator
from typing import Final

from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.language import _
from walletmodal.core.permissions.cost import call_sentence, grant_sentence, most_at_once, most_spent
from walletmodal.core.permissions.execution_permissions import PermissionRequest
from walletmodal.core.requests.summary_parts import (
    UNLIMITED,
    Row,
    Tokens,
    address_row,
    amount_text,
    coin_amount,
    short_text,
)
from walletmodal.core.requests.typed_request import HostedRequest

TAKEN_BY_CALLS: Final = _("what this account has allowed the contract to take: nothing limits what it does with a call")

_MAX_SITE: Final = 80
_MAX_FUNCTION: Final = 200


def permission_rows(asked: PermissionRequest, request: HostedRequest, tokens: Tokens) -> Iterator[Row]:
    """Makes the rows that say what a permission comes to: in a sentence, at once and altogether; nothing where nobody has said when that is."""
    if not request.at:
        return
    yield Row(_("In short"), permission_sentence(asked, request.origin, request.at, tokens))
    yield from _called(asked)
    yield from _at_once(asked, request.at, tokens)
    most = most_spent(asked.permission, request.at)
    if most is None or is_unlimited(most):
        yield Row(_("Altogether at most"), UNLIMITED, tone="warning")
    else:
        yield Row(_("Altogether at most"), permission_amount(asked, most, tokens))
    if asked.permission.manner == "call":
        yield Row(_("Besides"), TAKEN_BY_CALLS, tone="warning")


def _called(asked: PermissionRequest) -> Iterator[Row]:
    """Makes the rows that say what is called; no selector but that of a function without a name."""
    if asked.permission.contract:
        yield address_row(_("Contract"), asked.permission.contract)
        yield from (Row(_("Function"), short_text(one, _MAX_FUNCTION)) for one in asked.functions)


def _at_once(asked: PermissionRequest, now: int, tokens: Tokens) -> Iterator[Row]:
    """Makes the row that says what can be spent within a moment, where the sentence says less."""
    permission = asked.permission
    if permission.manner == "call":
        return
    once, streams = most_at_once(permission, now), permission.manner == "stream"
    if not is_unlimited(once) and once > (permission.initial if streams else permission.amount):
        amount = permission_amount(asked, once, tokens)
        told = (
            _("{amount}, free by now", amount=amount)
            if streams
            else _("{amount}, where one period ends and the next begins", amount=amount)
        )
        yield Row(_("At once at most"), told)


def permission_sentence(asked: PermissionRequest, origin: str, now: int, tokens: Tokens) -> str:
    """Says what a permission lets a page spend, or call: '10 USDC a day to example.com until 1 March'."""
    amount = permission_amount(asked, asked.permission.amount, tokens)
    site = short_text(origin.partition("://")[2] or origin, _MAX_SITE)
    if asked.permission.manner == "call":
        return call_sentence(asked.permission, asked.functions, amount if asked.permission.amount else "", site, now)
    return grant_sentence(asked.permission, amount, site, now)


def permission_amount(asked: PermissionRequest, amount: int, tokens: Tokens) -> str:
    """Formats base units of what a permission is about."""
    token = asked.permission.token
    return amount_text(tokens.get(token), amount) if token else coin_amount(f"eip155:{asked.chain_id}", amount)
