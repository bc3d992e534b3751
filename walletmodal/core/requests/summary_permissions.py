"""Permissions that a site wants for later (ERC-7715), in words for the visitor: who may do what, how much of it, and until when.

The standard is a draft, and wallets have several states of it: one permission or a list, `signer` or `to`, `expiry` or a rule, policies of
the grant or of a permission. All are read; what is not understood stands there as it came, so nothing of the request is left out.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.decoded_call import is_unlimited
from walletmodal.core.decoding.typed_data_values import read_uint
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _, pgettext, with_values
from walletmodal.core.permissions.cost import duration_text
from walletmodal.core.permissions.dangers import Danger, is_anyone, permission_dangers
from walletmodal.core.permissions.execution_permissions import (
    PermissionRequest,
    read_draft_calls,
    read_permission_requests,
)
from walletmodal.core.permissions.permission import CONTRACT_CALL, MAX_PARTIES
from walletmodal.core.requests.grant_reading import GrantReading
from walletmodal.core.requests.summary_cost import permission_rows
from walletmodal.core.requests.summary_parts import (
    UNLIMITED,
    WHOLE,
    Limits,
    Row,
    Summary,
    Tokens,
    address_row,
    amount_text,
    chain_text,
    coin_amount,
    plain_text,
    short_text,
    token_name,
)
from walletmodal.core.requests.summary_typed_data import deadline_text, is_unlimited_deadline
from walletmodal.core.requests.typed_request import HostedRequest

GRANT_WARNING: Final = _("It lets somebody act for you later without asking you again.")
UNKNOWN_WARNING: Final = _("It asks for something that cannot be read here. Read it in your wallet.")
OTHER_ACCOUNT_WARNING: Final = _("It is for another account than the one that is shown.")
MORE_WARNING: Final = _("There are more permissions than are shown.")

MAX_GRANTS: Final = 100
"""Permissions of one request; nobody could read more."""

_TITLES: Final = {
    "native-token-transfer": _("Spend {token}"),
    "native-token-allowance": _("Spend {token}"),
    "native-token-periodic": _("Spend {token} again and again"),
    "native-token-recurring-allowance": _("Spend {token} again and again"),
    "native-token-stream": _("Spend {token}, more with every second"),
    "erc20-token-transfer": _("Spend {token}"),
    "erc20-token-allowance": _("Spend {token}"),
    "erc20-token-periodic": _("Spend {token} again and again"),
    "erc20-token-stream": _("Spend {token}, more with every second"),
    "erc20-token-revocation": _("Take back allowances"),
    "erc721-token-transfer": _("Take NFTs"),
    "erc1155-token-transfer": _("Take items of a collection"),
    CONTRACT_CALL: _("Call a contract"),
}
_LIMITS: Final = {
    "transfer": "allowance",
    "allowance": "allowanceAmount",
    "periodic": "periodAmount",
    "recurring-allowance": "allowance",
    "stream": "maxAmount",
}
"""The field that limits what may be spent, by how it is spent."""
_PERIODS: Final = {"periodic": "periodDuration", "recurring-allowance": "period"}
"""The field that says how often."""
_SPENT_COINS, _SPENT_TOKENS = "spent-limit", "token-allowance"
"""Policies that limit what may be spent: of the native coin, and of the token that a permission is about."""
_NAMES: Final = {
    "allowance": _("How much"),
    "maxAmount": _("Altogether at most"),
    "initialAmount": _("At once"),
    "amountPerSecond": _("Every second"),
    "startTime": pgettext("date", "From"),
    "justification": _("The site says"),
    "isAdjustmentAllowed": _("Your wallet may change it"),
}
_ADDRESSES: Final = ("address", "account", "from")
_PARTIES: Final = {"redeemer": _("Handed in by"), "payee": _("Paid to")}
"""Rules that name addresses."""


def permissions_summary(request: HostedRequest, limits: Limits, tokens: Tokens) -> Summary:
    """The summary of a request that has permissions granted.

    Raises:
        PayloadError: it is no list of grants, or one that nobody could read.
    """
    found = _read(request, limits, tokens)
    hidden = len(found.parts) > limits.parts or any(part.rows[-1:] == (Row("", "…"),) for part in found.parts)
    more = [MORE_WARNING] if len(found.parts) > limits.parts else []
    return Summary(
        title=_("Grant permissions"),
        parts=tuple(found.parts[: limits.parts]),
        warnings=(GRANT_WARNING, *found.warnings, *more),
        hidden=hidden,
        tokens=tuple(dict.fromkeys(found.wanted)),
    )


def grant_dangers(request: HostedRequest) -> tuple[Danger, ...]:
    """Lists what speaks against a request that has permissions granted.

    Raises:
        PayloadError: it is no list of grants, or one that nobody could read.
    """
    return tuple(_read(request, WHOLE, {}).dangers)


def _read(request: HostedRequest, limits: Limits, tokens: Tokens) -> GrantReading:
    grants = request.params
    if not isinstance(grants, list) or not grants or not all(isinstance(one, Mapping) for one in grants):
        raise PayloadError("The permissions cannot be read", details="no list of grants")
    found = GrantReading(request, limits, tokens)
    for grant in grants:
        _grant(grant, found)
        if len(found.parts) > MAX_GRANTS:
            raise PayloadError("The permissions cannot be read", details="too many")
    return found


def _grant(grant: Mapping[str, Any], found: GrantReading) -> None:
    """One grant: who may act until when, then what they may do."""
    rest = dict(grant)
    rows = [*_who(rest.pop("signer", None), rest.pop("to", None), found)]
    for name in _ADDRESSES:
        rows += _account(name, rest.pop(name, None), found)
    rows += _network(rest.pop("chainId", None), found)
    rules = [*_entries(rest, "rules"), *_entries(rest, "policies")]
    found.count(rules)
    rows.append(_until(rest.pop("expiry", None), rules, found))
    permissions = _entries(rest, "permissions")
    if "permission" in rest:
        permissions = [*permissions, rest.pop("permission")]
    found.count(rest)
    for one in rules:
        rows += _rule(one, found, None)
    rows += [row for name, value in rest.items() for row in found.raw(name, value)]
    if not permissions:
        found.warn(UNKNOWN_WARNING)
    found.add(_("Who may act"), [*_in_short(grant, found), *rows])
    for one in permissions[: MAX_GRANTS + 1]:
        _permission(one, rules, found)


def _in_short(grant: Mapping[str, Any], found: GrantReading) -> Iterator[Row]:
    """What a permission of the standard as it stands comes to; what speaks against it is warned of."""
    try:
        (asked,) = read_permission_requests([dict(grant)])
        asked = asked.starting(found.request.at)
    except PermissionUnreadableError:
        return
    for danger in permission_dangers(asked.permission, asked.delegate, found.request.account):
        found.endanger(danger)
    yield from permission_rows(asked, found.request, found.tokens)


def _entries(rest: dict[str, Any], name: str) -> list[Any]:
    """A list of the grant; whatever else stands in its place stays there, to be shown as it came."""
    return rest.pop(name) if isinstance(rest.get(name), list) else []


def _kind(entry: object) -> str:
    kind = entry.get("type") if isinstance(entry, Mapping) else None
    return kind if isinstance(kind, str) else ""


def _data(entry: object) -> dict[str, Any]:
    data = entry.get("data") if isinstance(entry, Mapping) else None
    return dict(data) if isinstance(data, Mapping) else {}


def _who(signer: object, to: object, found: GrantReading) -> Iterator[Row]:
    if isinstance(to, str):
        if is_anyone(to):
            found.endanger("anyone")
        yield address_row(_("Address"), short_text(to, 200))
    elif to is not None:
        yield from found.raw(_("Address"), to)
    data = _data(signer)
    address = next((data[name] for name in ("address", "id") if isinstance(data.get(name), str)), None)
    if _kind(signer) == "account" and address is not None and len(data) == 1:
        if is_anyone(address):
            found.endanger("anyone")
        yield address_row(_("Address"), short_text(address, 200))
    elif _kind(signer) == "wallet" and not data:
        yield Row(_("Key"), _("your wallet's own, for this site"))
    elif signer is not None:
        yield from found.raw(_("Key"), signer)
    if signer is None and to is None:
        yield Row(_("Address"), _("not named"), tone="warning")
        found.warn(UNKNOWN_WARNING)


def _account(name: str, given: object, found: GrantReading) -> Iterator[Row]:
    if given is None:
        return
    try:
        same = normal_address("eip155", given if isinstance(given, str) else "") == found.request.account
    except AddressError:
        same = False
    if not same:
        found.warn(OTHER_ACCOUNT_WARNING)
        yield address_row(_("Acts for ({name})", name=name), short_text(plain_text(given), 200))


def _network(given: object, found: GrantReading) -> Iterator[Row]:
    found.chain = str(found.request.chain) if given is None else f"eip155:{read_uint(given)}"
    if found.chain == str(found.request.chain):
        return
    network = bundled_networks().get(found.chain)
    name = network.name if network else chain_text(short_text(plain_text(given), 64))
    found.warn(_("It counts on another network than the one that you are on: {name}.", name=name))
    yield Row(_("Network"), name, tone="warning")


def _until(given: object, rules: list[Any], found: GrantReading) -> Row:
    """Until when: the latest of what is said, for wallets read the one or the other."""
    told = [given] if given is not None else []
    told += [_data(one).get("timestamp") for one in rules if _kind(one) == "expiry"]
    moments = [read_uint(one) for one in told]
    known = [one for one in moments if one is not None]
    found.until = None
    if not moments or len(known) < len(moments) or 0 in known or is_unlimited_deadline(max(known)):
        found.endanger("no_expiry")
        return Row(
            pgettext("date", "Until"),
            _("for ever") if len(known) == len(moments) else _("cannot be read"),
            tone="warning",
        )
    found.until = max(known)
    return Row(pgettext("date", "Until"), deadline_text(found.until))


def _rule(entry: object, found: GrantReading, token: str | None) -> Iterator[Row]:
    """What limits a grant, or one of its permissions (whose token it then is about: None for none, "" for the native coin)."""
    kind, data = _kind(entry), _data(entry)
    numbers = {name: read_uint(data.get(name)) for name in ("limit", "count", "interval", "allowance")}
    about = "" if kind == _SPENT_COINS and token is None else token
    if not isinstance(entry, Mapping) or not set(entry) <= {"type", "data"}:
        yield from found.raw(_("Rule"), entry)
    elif kind == "expiry" and set(data) <= {"timestamp"}:
        return
    elif kind in _PARTIES and set(data) == {"addresses"} and _are_texts(data["addresses"]):
        yield from (address_row(_PARTIES[kind], short_text(one, 200)) for one in data["addresses"])
    elif kind == "gas-limit" and numbers["limit"] is not None and len(data) == 1:
        yield Row(_("Gas at most"), str(numbers["limit"]))
    elif kind == "call-limit" and numbers["count"] is not None and len(data) == 1:
        yield Row(_("Calls at most"), str(numbers["count"]))
    elif kind == "rate-limit" and numbers["count"] is not None and numbers["interval"] and len(data) == 2:
        yield Row(
            _("Calls at most"),
            _("{amount} every {duration}", amount=numbers["count"], duration=duration_text(numbers["interval"])),
        )
    elif _allowance(entry) is not None and about is not None and len(data) == 1:
        yield _amount(_("Altogether at most"), numbers["allowance"] or 0, about, found)
    else:
        yield from found.raw(_("Rule"), entry)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and 0 < len(value) <= MAX_PARTIES and all(isinstance(one, str) for one in value)


def _allowance(rule: object) -> int | None:
    """How much a policy lets be spent altogether; None for every other."""
    return read_uint(_data(rule).get("allowance")) if _kind(rule) in (_SPENT_COINS, _SPENT_TOKENS) else None


def _permission(entry: object, rules: list[Any], found: GrantReading) -> None:
    kind, data, rest = _kind(entry), _data(entry), dict(entry) if isinstance(entry, Mapping) else {"": entry}
    policies, rows, token = _entries(rest, "policies"), list[Row](), None
    family, _infix, manner = kind.partition("-token-")
    if kind not in _TITLES:
        found.warn(UNKNOWN_WARNING)
        title = _("Unknown: {kind}", kind=short_text(kind, 64)) if kind else _("Unknown")
        data = {}
    else:
        rest = {name: value for name, value in rest.items() if name != "type" and (name != "data" or value != data)}
        title, contract = _TITLES[kind], data.get("address")
        if family == "native" or (manner in _LIMITS and family == "erc20"):
            token = "" if family == "native" else _token(data)
            title = with_values(title, token=_symbol(token, found))
            kinds = (_SPENT_TOKENS,) if token else (_SPENT_TOKENS, _SPENT_COINS)
            limited = any(_allowance(one) is not None and _kind(one) in kinds for one in (*rules, *policies))
            rows += _spending(manner, data, token, found, limited=limited)
        elif kind == CONTRACT_CALL and "abi" in data:
            rows += _calls(data, [*rules, *policies], found)
        elif isinstance(contract, str):
            del data["address"]
            rows.append(
                address_row(_("Collection") if family.startswith("erc") else _("Contract"), short_text(contract, 200))
            )
        elif kind == CONTRACT_CALL:
            found.endanger("any_target")
    found.count(policies, data, rest)
    rows += [row for name, value in (*data.items(), *rest.items()) for row in _field(name, value, found)]
    rows += [row for one in policies for row in _rule(one, found, token)]
    found.add(title, rows)


def _calls(data: dict[str, Any], limits: list[Any], found: GrantReading) -> list[Row]:
    """What the draft's calls of a contract come to; nothing where that cannot be read: its fields then stand there as they came."""
    counted = [one for one in limits if _kind(one) == "call-limit"]
    try:
        permission, functions = read_draft_calls(data, counted, found.until)
    except PermissionUnreadableError:
        found.warn(UNKNOWN_WARNING)
        return []
    data.clear()
    for danger in permission_dangers(permission, "", found.request.account):
        found.endanger(danger)
    asked = PermissionRequest(read_uint(found.chain.rpartition(":")[2]) or 0, "", "", permission, functions=functions)
    return list(permission_rows(asked, found.request, found.tokens))


def _token(data: dict[str, Any]) -> str:
    """The contract, in its normal spelling; as it came where it is none."""
    given = data.pop("tokenAddress", None) or data.pop("address", None)
    try:
        return normal_address("eip155", given if isinstance(given, str) else "")
    except AddressError:
        return short_text(plain_text(given), 200)


def _symbol(token: str, found: GrantReading) -> str:
    if token:
        return token_name(found.token(token)) or _("a token")
    network = bundled_networks().get(found.chain)
    return network.native_currency.symbol if network else _("the network's coin")


def _spending(manner: str, data: dict[str, Any], token: str, found: GrantReading, *, limited: bool) -> Iterator[Row]:
    """How much may be spent, which is marked where there is no limit, or one that nobody reaches. `limited`: a policy has one."""
    name = _LIMITS[manner]
    limit = read_uint(data.get(name))
    period = read_uint(data.get(_PERIODS[manner])) if manner in _PERIODS else None
    if limit is None or (manner in _PERIODS and not period):
        if not limited:
            found.endanger("unlimited")
            yield Row(_("How much"), _("No limit"), tone="warning")
    else:
        data.pop(name)
        row = _amount(_NAMES.get(name, _("How much")), limit, token, found)
        if period:
            data.pop(_PERIODS[manner])
            row = Row(
                row.name,
                _("{amount} every {duration}", amount=row.value, duration=duration_text(period)),
                row.depth,
                row.tone,
            )
        yield row
    for one in ("initialAmount", "amountPerSecond"):
        amount = read_uint(data.get(one))
        if amount is not None:
            data.pop(one)
            yield _amount(_NAMES[one], amount, token, found)
    if token:
        if token.startswith("0x") and found.chain == str(found.request.chain):
            found.wanted.append(token)
        yield address_row(_("Token"), token)


def _amount(name: str, amount: int, token: str, found: GrantReading) -> Row:
    if is_unlimited(amount):
        found.endanger("unlimited")
        return Row(name, UNLIMITED, tone="warning")
    return Row(name, amount_text(found.token(token), amount) if token else coin_amount(found.chain, amount))


def _field(name: str, value: object, found: GrantReading) -> Iterator[Row]:
    moment = read_uint(value) if name == "startTime" else None
    if moment is not None:
        yield Row(_NAMES[name], deadline_text(moment))
    else:
        yield from found.raw(_NAMES.get(name, name), value)
