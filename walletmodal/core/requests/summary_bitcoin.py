"""A payment in bitcoins, in words for the visitor."""

from typing import Final

from walletmodal.core.language import _, pgettext
from walletmodal.core.requests.summary_parts import (
    Limits,
    Part,
    Row,
    Summary,
    Tokens,
    address_row,
    coin_amount,
    names_text,
    plain_text,
    reveal_hidden,
    short_text,
)
from walletmodal.core.requests.typed_request import HostedRequest

_CHANGE: Final = _(
    "What is left of the coins that it is paid with goes to another address than the one that you pay from."
)


def payment_summary(request: HostedRequest, _limits: Limits, _tokens: Tokens) -> Summary:
    """The summary of `sendTransfer`."""
    call, params = request.calls[0], request.params
    rows, warnings = [address_row(pgettext("address", "To"), reveal_hidden(call.to)[0][:200])], tuple[str, ...]()
    if params.get("memo"):
        rows.append(Row(_("Note"), short_text(plain_text(params["memo"]), 200)))
    if "changeAddress" in request.unread:
        rows.append(address_row(_("Change goes to"), short_text(plain_text(params["changeAddress"]), 200)))
        warnings = (_CHANGE,)
    others = names_text(name for name in request.unread if name != "changeAddress")
    if others:
        rows.append(Row(_("Also has"), others, tone="warning"))
    part = Part(_("Send {amount}", amount=coin_amount(str(request.chain), call.value)), tuple(rows))
    return Summary(title=_("Send bitcoins"), parts=(part,), warnings=warnings)
