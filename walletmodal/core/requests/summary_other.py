"""A request that has no form of its own, in words for the visitor: its parameters, as they are."""

from typing import Final

from walletmodal.core.language import _
from walletmodal.core.requests.summary_parts import Limits, Part, Row, Summary, Tokens, json_rows
from walletmodal.core.requests.typed_request import HostedRequest

_UNKNOWN: Final = _("What it does cannot be read here. Read it in your wallet.")


def other_summary(
    request: HostedRequest,
    limits: Limits,
    _tokens: Tokens,
    *,
    title: str = _("Ask the wallet"),
    warning: str = _UNKNOWN,
) -> Summary:
    """What has no form of its own here: its parameters, as they are."""
    rows, hidden = list[Row](), False
    for row in json_rows("", request.params, 0, limits):
        if len(rows) == limits.rows:
            hidden = True
            break
        rows.append(row)
    return Summary(
        title=title,
        parts=(Part(_("Details"), tuple(rows)),) if rows else (),
        warnings=(warning,) if warning else (),
        hidden=hidden,
    )
