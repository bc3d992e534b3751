"""A request of a host page in words for the visitor who is to approve it (docs/protocol.md, ApproveTransaction)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Final

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.safe_tx import SAFE_TX, repays, runs_foreign_code
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.requests.summary_calls import calls_summary
from walletmodal.core.requests.summary_messages import message_summary
from walletmodal.core.requests.summary_parts import (
    FIRST,
    WHOLE,
    Limits,
    Part,
    Row,
    Summary,
    Tokens,
    address_row,
    coins,
    json_rows,
    plain,
    short,
    visible,
)
from walletmodal.core.requests.summary_permissions import permissions_summary
from walletmodal.core.requests.summary_psbt import psbt_summary
from walletmodal.core.requests.summary_solana import solana_summary
from walletmodal.core.requests.summary_typed_data import typed_data_summary
from walletmodal.core.requests.typed_request import HostedRequest, TypedData

_NO_TOKENS: Final[Tokens] = {}
_OTHERS: Final = {
    "getAccountAddresses": ("Share your addresses", ""),
}
_ACCOUNTS: Final = ("address", "account", "from")
_PERMISSIONS: Final = ("permissionContext", "permissionsContext", "context", "pci")
"""How the drafts of ERC-7715 call the id of what was granted."""
_CHANGE: Final = (
    "What is left of the coins that it is paid with goes to another address than the one that you pay from."
)
_FOREIGN_CODE: Final = "It has the shared account run foreign code as its own, which can take everything that is in it."
_REPAYS: Final = "Whoever hands it in is paid out of the shared account."
_UNKNOWN: Final = "What it does cannot be read here. Read it in your wallet."


def summarize(request: HostedRequest, *, tokens: Tokens = _NO_TOKENS, whole: bool = False) -> Summary:
    """What a request asks for.

    Args:
        request: as it was read (`core/requests/reading.py`); every text in it is a stranger's.
        tokens: what is known of tokens; those that would help stand in the summary's `tokens`.
        whole: all of it, as far as anybody could read that, instead of the beginning.

    Raises:
        WalletModalError: it cannot be read, so nobody could know what they approve.
    """
    limits = WHOLE if whole else FIRST
    if request.message is not None:
        return message_summary(request, limits, whole=whole)
    if request.typed_data is not None:
        found = typed_data_summary(request, request.typed_data, request.params[1], limits, tokens)
        is_safe = request.typed_data.primary_type == SAFE_TX
        return _of_safe(request, request.typed_data, found, limits, tokens) if is_safe else found
    if request.transactions:
        return solana_summary(request, limits)
    form = _FORMS.get(request.method)
    return _other(request, limits) if form is None else form(request, limits, tokens)


def _of_safe(request: HostedRequest, typed: TypedData, found: Summary, limits: Limits, tokens: Tokens) -> Summary:
    """What a Safe would do, before the fields in which it stands."""
    danger = [_FOREIGN_CODE] if runs_foreign_code(typed.message) and not typed.calls else []
    danger += [_REPAYS] if repays(typed.message) else []
    if not typed.calls:
        return replace(found, warnings=(*danger, *found.warnings))
    batch = replace(
        request,
        method="wallet_sendCalls",
        account=typed.verifying_contract,
        calls=typed.calls,
        typed_data=None,
        params=[{}],
    )
    done = calls_summary(batch, limits, tokens)
    parts = [replace(part, title=part.title or done.title) for part in done.parts]
    return replace(
        found,
        parts=(*parts, *found.parts),
        warnings=tuple(dict.fromkeys((*danger, *done.warnings, *found.warnings))),
        hidden=found.hidden or done.hidden,
        tokens=tuple(dict.fromkeys((*done.tokens, *found.tokens))),
        total=done.total,
    )


def _payment(request: HostedRequest, _limits: Limits, _tokens: Tokens) -> Summary:
    call, params = request.calls[0], request.params
    rows, warnings = [address_row("To", visible(call.to)[0][:200])], tuple[str, ...]()
    if params.get("memo"):
        rows.append(Row("Note", short(plain(params["memo"]), 200)))
    if "changeAddress" in request.unread:
        rows.append(address_row("Change goes to", short(plain(params["changeAddress"]), 200)))
        warnings = (_CHANGE,)
    others = ", ".join(name for name in request.unread if name != "changeAddress")
    if others:
        rows.append(Row("Also has", short(others, 200), tone="warning"))
    part = Part(f"Send {coins(str(request.chain), call.value)}", tuple(rows))
    return Summary(title="Send bitcoins", parts=(part,), warnings=warnings)


def _revocation(request: HostedRequest, limits: Limits, _tokens: Tokens) -> Summary:
    """Permissions (ERC-7715) that end, by the name that the wallet has given them."""
    given = request.params if isinstance(request.params, list) else [request.params]
    parts, hidden = list[Part](), len(given) > limits.parts
    for entry in given[: limits.parts]:
        rows = list(
            islice((row for name, value in entry.items() for row in _ended(name, value, limits)), limits.rows + 1)
        )
        hidden = hidden or len(rows) > limits.rows
        parts.append(Part("No longer allowed", tuple(rows[: limits.rows])))
    return Summary(title="Take back permissions", parts=tuple(parts), warnings=(), hidden=hidden)


def _ended(name: str, value: object, limits: Limits) -> Iterator[Row]:
    network = bundled_networks().get(f"eip155:{read_uint(value)}") if name == "chainId" else None
    if network is not None:
        yield Row("Network", network.name)
    elif name in _ACCOUNTS and isinstance(value, str):
        yield address_row("Account", short(plain(value), 200))
    elif name in _PERMISSIONS:
        yield from (replace(row, tone="address") for row in json_rows("Permission", value, 0, limits))
    else:
        yield from json_rows(short(name, 64), value, 0, limits)


def _other(request: HostedRequest, limits: Limits) -> Summary:
    """What has no form of its own here: its parameters, as they are."""
    title, warning = _OTHERS.get(request.method, ("Ask the wallet", _UNKNOWN))
    rows, hidden = list[Row](), False
    for row in json_rows("", request.params, 0, limits):
        if len(rows) == limits.rows:
            hidden = True
            break
        rows.append(row)
    return Summary(
        title=title,
        parts=(Part("Details", tuple(rows)),) if rows else (),
        warnings=(warning,) if warning else (),
        hidden=hidden,
    )


_FORMS: Final[Mapping[str, Callable[[HostedRequest, Limits, Tokens], Summary]]] = {
    "eth_sendTransaction": calls_summary,
    "eth_sendUserOperation": calls_summary,
    "sendTransfer": _payment,
    "signPsbt": psbt_summary,
    "wallet_grantPermissions": permissions_summary,
    "wallet_revokePermissions": _revocation,
    "wallet_sendCalls": calls_summary,
}
