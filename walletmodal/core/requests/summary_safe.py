"""Typed data in words for the visitor: first what a Safe or a user operation would do, or what a delegation allows, then its fields."""

from dataclasses import replace
from typing import Final

from walletmodal.core.decoding.safe_tx import SAFE_TX, has_gas_refund
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _
from walletmodal.core.requests.summary_calls import batch_summary
from walletmodal.core.requests.summary_delegation import delegated_token, delegation_summary, is_delegation
from walletmodal.core.requests.summary_parts import Limits, Summary, Tokens
from walletmodal.core.requests.summary_typed_data import typed_data_summary
from walletmodal.core.requests.typed_request import HostedRequest, TypedData

_FOREIGN_CODE: Final = _("It has the account run foreign code as its own, which can take everything that is in it.")
_UNREAD: Final = _("What the account would do cannot be read here.")
_REPAYS: Final = _("Whoever hands it in is paid out of the shared account.")


def signed_data_summary(request: HostedRequest, limits: Limits, tokens: Tokens) -> Summary:
    """The summary of `eth_signTypedData_v4`.

    Raises:
        PayloadError: its types do not say what is signed.
    """
    typed = request.typed_data
    if typed is None:
        raise PayloadError("The typed data cannot be read", details="none")
    found = typed_data_summary(request, typed, request.params[1], limits, tokens)
    if is_delegation(typed):
        return _of_delegation(request, typed, found, tokens)
    return (
        _of_account(request, typed, found, limits, tokens) if typed.account or typed.primary_type == SAFE_TX else found
    )


def _of_delegation(request: HostedRequest, typed: TypedData, found: Summary, tokens: Tokens) -> Summary:
    """What a delegation allows, before the fields in which it stands."""
    part, warnings = delegation_summary(request, typed, tokens)
    token = delegated_token(typed)
    return replace(
        found,
        title=_("Grant permissions"),
        parts=(part, *found.parts),
        warnings=tuple(dict.fromkeys((*warnings, *found.warnings))),
        tokens=(*found.tokens, *((token,) if token else ())),
    )


def _of_account(request: HostedRequest, typed: TypedData, found: Summary, limits: Limits, tokens: Tokens) -> Summary:
    """What the account would do, before the fields in which it stands."""
    danger = [_FOREIGN_CODE] if typed.runs_foreign_code else []
    danger += [_REPAYS] if typed.primary_type == SAFE_TX and has_gas_refund(typed.message) else []
    danger += [_UNREAD] if typed.primary_type != SAFE_TX and not typed.calls and not danger else []
    if not typed.calls:
        return replace(found, warnings=(*danger, *found.warnings))
    batch = replace(
        request,
        account=typed.account,
        calls=typed.calls,
        typed_data=None,
        params=[{}],
    )
    done = batch_summary(batch, limits, tokens)
    parts = [replace(part, title=part.title or done.title) for part in done.parts]
    return replace(
        found,
        parts=(*parts, *found.parts),
        warnings=tuple(dict.fromkeys((*danger, *done.warnings, *found.warnings))),
        hidden=found.hidden or done.hidden,
        tokens=tuple(dict.fromkeys((*done.tokens, *found.tokens))),
        total=done.total,
    )
