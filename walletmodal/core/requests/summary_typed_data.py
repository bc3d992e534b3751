"""Typed data (EIP-712) that is to be signed, in words for the visitor: for what, what it grants, and every field that counts."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.typed_data import AUTHORIZATIONS
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import Localized, _, ngettext, pgettext
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.permissions.dangers import MOST_SECONDS
from walletmodal.core.requests.summary_parts import (
    WHOLE,
    Limits,
    Part,
    Row,
    Summary,
    Token,
    Tokens,
    address_row,
    amount_text,
    chain_text,
    plain_text,
    reveal_hidden,
    short_text,
    token_name,
    unlimited_text,
)
from walletmodal.core.requests.typed_request import Approval, HostedRequest, TypedData

TOO_LARGE: Final = _("It is too large to be shown here as a whole.")
HIDDEN: Final = _("It has characters that cannot be seen or that turn the writing round. They stand in brackets.")

LOOSE: Final = _("It does not say that its site, contract and network are signed too: some wallets leave them out.")

_TITLES: Final = {
    "Permit": _("Allow spending"),
    "PermitForAll": _("Allow taking a whole collection"),
    "PermitSingle": _("Allow spending"),
    "PermitBatch": _("Allow spending"),
    "PermitTransferFrom": _("Allow one transfer"),
    "PermitBatchTransferFrom": _("Allow transfers"),
    "PermitWitnessTransferFrom": _("Allow one transfer"),
    "PermitBatchWitnessTransferFrom": _("Allow transfers"),
    **dict.fromkeys(AUTHORIZATIONS, _("Send by signature")),
    "OrderComponents": _("Sign a marketplace order"),
    "BulkOrder": _("Sign marketplace orders"),
    "SafeTx": _("Approve a transaction of a Safe"),
    "SafeOp": _("Approve a user operation of a Safe"),
    "PackedUserOperation": _("Sign a user operation"),
}
_ORDER: Final = _("Whoever has this signature can carry the order out: what is offered in it leaves your account.")
_CALL: Final = _(
    "Whoever has this signature can have what stands in it done in your name: no transaction of yours is needed any more."
)
_WARNED: Final = {
    "OrderComponents": _ORDER,
    "BulkOrder": _ORDER,
    "Order": _ORDER,
    "SafeTx": _("This lets a transaction of a shared account go through."),
    "MetaTransaction": _CALL,
    "ForwardRequest": _CALL,
    "PackedUserOperation": _CALL,
    "SafeOp": _CALL,
    "Delegation": _("It lets somebody else act or vote for your account."),
}
"""What gives something away without being a permit: orders (Seaport, alone and many at once, and those before it), calls that others hand in
(ERC-2771 and its forerunner, ERC-4337), and accounts and votes that somebody else is given (ERC-7710, ERC-5805)."""
_DEADLINES: Final = ("deadline", "sigDeadline", "expiry", "expiration", "validBefore")
_ONCE: Final = ("PermitTransferFrom", "PermitBatchTransferFrom", *AUTHORIZATIONS)
"""What ends with its deadline. Of every other permit that is only the moment until when it can be handed in: what it allows goes on."""
_MARKS: Final = re.compile(r"\[([0-9]*)\]$")
_MAX_TYPES: Final = 200
_TOLD_OF_A_DOMAIN: Final = ("name", "version", "chainId", "verifyingContract")


def typed_data_summary(
    request: HostedRequest, typed: TypedData, given: object, limits: Limits, tokens: Tokens
) -> Summary:
    """The summary of a request that has typed data signed.

    Args:
        request: as it was read.
        typed: its typed data.
        given: the same as the host sent it, whose types say which fields are signed.
        limits: how much is shown.
        tokens: what is known of the tokens that it names.

    Raises:
        PayloadError: its types do not say what is signed.
    """
    walk = _Walk(given, limits)
    fields = walk.rows()
    domain, warnings = _domain(typed, request.chain)
    if not walk.binds:
        # MetaMask signs an empty domain then; wallets built with ethers or viem all of the domain that there is.
        warnings.append(LOOSE)
    domain += walk.beside()
    granted = _granted(typed, tokens)
    warnings = [*_grants(typed, tokens), *warnings]
    if typed.primary_type in _WARNED:
        warnings.append(_WARNED[typed.primary_type])
    if walk.hides:
        warnings.append(HIDDEN)
    if walk.left and limits == WHOLE:
        warnings.append(TOO_LARGE)
    parts = [
        *granted,
        Part(_("Asked by"), tuple(domain)),
        Part(short_text(typed.primary_type, 64) or _("Data"), tuple(fields)),
    ]
    return Summary(
        title=_TITLES.get(typed.primary_type, _("Sign typed data")),
        parts=tuple(part for part in parts if part.rows),
        warnings=tuple(warnings),
        hidden=walk.left,
        tokens=tuple(dict.fromkeys(one.token for one in typed.approvals if one.token.startswith("0x"))),
    )


def is_unlimited_deadline(seconds: int) -> bool:
    """Whether a deadline is so late that it is none."""
    return seconds >= MOST_SECONDS


def deadline_text(seconds: int) -> str:
    """Formats a deadline."""
    if is_unlimited_deadline(seconds):
        return _("for ever")
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return str(seconds)


def _domain(typed: TypedData, chain: ChainId) -> tuple[list[Row], list[str]]:
    rows = []
    if typed.name:
        rows.append(
            Row(
                _("Name"),
                _("{name}, version {version}", name=typed.name, version=typed.version) if typed.version else typed.name,
            )
        )
    if typed.verifying_contract:
        rows.append(address_row(_("Contract"), typed.verifying_contract))
    warnings = list[str]()
    if typed.chain_id is None:
        rows.append(Row(_("Network"), _("not said"), tone="warning" if typed.approvals else ""))
    else:
        other = f"eip155:{typed.chain_id}" != str(chain)
        network = bundled_networks().get(f"eip155:{typed.chain_id}")
        name = network.name if network else chain_text(typed.chain_id)
        rows.append(Row(_("Network"), name, tone="warning" if other else ""))
        if other:
            warnings.append(_("It counts on another network than the one that you are on: {name}.", name=name))
    return rows, warnings


def _grants(typed: TypedData, tokens: Tokens) -> list[str]:
    """What it gives away, in sentences."""
    if not typed.approvals:
        return []
    if typed.primary_type in AUTHORIZATIONS:
        amount = _approval_amount(typed.approvals[0], tokens.get(typed.approvals[0].token)).value
        return [
            _(
                "Your signature alone sends {amount} from your account: no transaction of yours is needed any more.",
                amount=amount,
            )
        ]
    if any(one.unlimited for one in typed.approvals):
        return [_("Whoever gets this signature can have all of the token taken from your account, now and later.")]
    if len(typed.approvals) > 1:
        return [_("Whoever gets this signature can have these tokens taken from your account.")]
    one = typed.approvals[0]
    amount = amount_text(tokens.get(one.token), one.amount or 0)
    return [_("Whoever gets this signature can have {amount} taken from your account.", amount=amount)]


def _granted(typed: TypedData, tokens: Tokens) -> Iterator[Part]:
    sends = typed.primary_type in AUTHORIZATIONS
    since = read_uint(typed.message.get("validAfter")) if sends else None
    for number, (approval, end) in enumerate(zip(typed.approvals[:8], _expirations(typed)[:8], strict=True), 1):
        rows = [
            address_row(_("Who gets it") if sends else _("Who may spend"), approval.spender or _("nobody")),
            _approval_amount(approval, tokens.get(approval.token)),
            address_row(_("Token"), approval.token or _("not named")),
        ]
        if since:
            rows.append(Row(pgettext("date", "From"), deadline_text(since)))
        yield Part(
            _("What it allows") if len(typed.approvals) == 1 else _("What it allows, {number}", number=number),
            (*rows, *end),
        )


def _expirations(typed: TypedData) -> list[list[Row]]:
    """Describes until when each grant counts. What has a deadline does not end with it, unless it is for one transfer."""
    kind, count = typed.primary_type.replace("Witness", ""), len(typed.approvals)
    told = next((read_uint(typed.message.get(name)) for name in _DEADLINES if name in typed.message), None)
    deadline = "" if told is None else deadline_text(told)
    if kind in _ONCE:
        return [[Row(pgettext("date", "Until"), deadline)] if deadline else []] * count
    details = typed.message.get("details")
    # Without a spender it grants nothing, whatever its details are.
    entries = details[:count] if kind == "PermitBatch" and isinstance(details, list) else [details] * count
    moments = [read_uint(one.get("expiration")) if isinstance(one, Mapping) else None for one in entries]
    handed_in = [Row(_("To be handed in by"), deadline)] if deadline else []
    return [[Row(pgettext("date", "Until"), expiration_text(moment)), *handed_in] for moment in moments]


def expiration_text(seconds: int | None) -> str:
    """Formats until when an allowance counts; None where it has no end of its own. 0 is what Permit2 reads as now."""
    if seconds is None:
        return _("it is used up or taken back")
    return deadline_text(seconds) if seconds else _("the end of the block that it comes into")


def _approval_amount(approval: Approval, token: Token | None) -> Row:
    if approval.unlimited:
        return Row(_("How much"), unlimited_text(token_name(token)), tone="warning")
    return Row(_("How much"), amount_text(token, approval.amount or 0))


class _Walk:
    """Goes through the fields that are signed, in the order of their types. `left`: some were left out; `hides`: something hid in one.

    `binds`: every wallet signs the same domain: the types say it, or there is none.
    """

    def __init__(self, given: object, limits: Limits) -> None:
        value: Any = read_json(given.encode()) if isinstance(given, str) else given
        types = value.get("types")
        self._limits, self.left, self.hides = limits, False, False
        if not isinstance(types, Mapping) or not 0 < len(types) <= _MAX_TYPES:
            raise PayloadError("The typed data cannot be read", details="no types")
        self._types: Mapping[str, Any] = types
        self.binds = "EIP712Domain" in types or not value.get("domain")
        self._domain = value.get("domain")
        self._message, self._primary = value.get("message"), value.get("primaryType")
        if not isinstance(self._primary, str) or self._primary not in types or not isinstance(self._message, Mapping):
            raise PayloadError("The typed data cannot be read", details="no message of the primary type")

    def beside(self) -> list[Row]:
        """What the domain has besides the fields that are told in their own words, such as its salt."""
        domain: Mapping[str, Any] = self._domain if isinstance(self._domain, Mapping) else {}
        named = [
            one.get("name") for one in self._types.get("EIP712Domain", [{"name": "salt"}]) if isinstance(one, Mapping)
        ]
        others = [name for name in named if isinstance(name, str) and name not in _TOLD_OF_A_DOMAIN and name in domain]
        self.left = self.left or len(others) > self._limits.rows
        return [Row(self._clean(name), self._plain(domain[name])) for name in others[: self._limits.rows]]

    def rows(self) -> list[Row]:
        """The fields, nested ones after the one that holds them."""
        found = list[Row]()
        for row in self._struct(self._primary, self._message, 0):
            if len(found) == self._limits.rows:
                self.left = True
                break
            found.append(row)
        return found

    def _struct(self, name: str, value: Mapping[str, Any], depth: int) -> Iterator[Row]:
        fields = self._types[name]
        if not isinstance(fields, list):
            raise PayloadError("The typed data cannot be read", details="types")
        for field in fields:
            if not isinstance(field, Mapping) or not isinstance(field.get("name"), str):
                raise PayloadError("The typed data cannot be read", details="types")
            yield from self._value(self._clean(field["name"]), str(field.get("type")), value.get(field["name"]), depth)

    def _value(self, name: str, kind: str, value: object, depth: int) -> Iterator[Row]:
        if depth >= self._limits.depth and isinstance(value, list | Mapping):
            self.left = True
            yield Row(name, "…", depth)
        elif _MARKS.search(kind) and isinstance(value, list):
            yield Row(name, ngettext("{count} entry", "{count} entries", len(value)), depth)
            inner = _MARKS.sub("", kind)
            for number, one in enumerate(value, 1):
                yield from self._value(str(number), inner, one, depth + 1)
        elif kind in self._types and isinstance(value, Mapping):
            yield Row(name, "", depth)
            yield from self._struct(kind, value, depth + 1)
        else:
            yield Row(name, self._plain(value), depth, "address" if kind == "address" else "")

    def _plain(self, value: object) -> str:
        text = plain_text(value)
        if isinstance(text, Localized):
            return text
        if len(text) > self._limits.value:
            self.left = True
        return self._clean(text)

    def _clean(self, text: str) -> str:
        shown, hides = reveal_hidden(text[: self._limits.value])
        self.hides = self.hides or hides
        return shown + ("…" if len(text) > self._limits.value else "")
