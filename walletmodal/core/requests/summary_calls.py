"""Summaries of transactions and batches, in words for the visitor."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeGuard

from walletmodal.core.decoding.abi import argument_types, canonical_values
from walletmodal.core.decoding.decoded_call import Function, OwnerChange
from walletmodal.core.decoding.inner_calls import batch_function_name
from walletmodal.core.decoding.user_operation import read_requested_operation
from walletmodal.core.language import _, ngettext, pgettext
from walletmodal.core.requests.readers import OF_A_TRANSACTION
from walletmodal.core.requests.summary_delegations import DELEGATION_WARNING, delegation_rows
from walletmodal.core.requests.summary_parts import (
    Limits,
    Part,
    Row,
    Summary,
    Token,
    Tokens,
    address_row,
    amount_text,
    coin_amount,
    count_of_bytes,
    json_rows,
    names_text,
    numbered_title,
    raw_text,
    token_name,
    unlimited_text,
)
from walletmodal.core.requests.summary_typed_data import expiration_text
from walletmodal.core.requests.typed_request import Call, HostedRequest
from walletmodal.core.smart_accounts.contracts import ENTRY_POINTS

UNLIMITED_WARNING: Final = _("It lets somebody else take all of a token, now and whatever you get of it later.")
COLLECTION_WARNING: Final = _("It lets somebody else take every item of a collection, now and later.")
UNKNOWN_WARNING: Final = _(
    "It calls a function that cannot be read here. It may move anything that this account has allowed."
)
OWNERS_WARNING: Final = _("It changes who controls an account (a Safe): its owners can take everything that is in it.")
OPENED_WARNING: Final = _("It has a contract make the calls below. Whether it does nothing else cannot be read here.")
OTHER_ACCOUNT_WARNING: Final = _("Another account acts than the one that is shown.")
CREATION_WARNING: Final = _("It makes a new contract.")
LOST_WARNING: Final = _("It sends a token to its own contract. What is sent there can usually never be recovered.")
CAPABILITY_WARNING: Final = _(
    "It has your wallet do more than the calls, which cannot be read here. Read it in your wallet."
)
MORE_WARNING: Final = _("There are more calls than are shown.")

_BATCH: Final = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
_CUT: Final = Row("", "…", tone="warning")
_MAX_ITEMS: Final = 16
_SELECTOR: Final = 4
_ENTRY_POINTS: Final = frozenset(map(str.lower, ENTRY_POINTS.values()))
_QUANTITY: Final = re.compile(r"0x[0-9a-fA-F]{1,64}")
_TOLD: Final = (OF_A_TRANSACTION | {"authorizationList"}) - {"accessList"}
"""Fields of a transaction that are told in their own words, or change nothing about what it does."""
_NUMBERS: Final = frozenset(["gas", "gasLimit", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "nonce", "type"])
"""Those of them that nobody has read yet, and that could be something else."""


Around = Callable[[HostedRequest, Any, Limits], tuple[list[Part], list[str]]]
"""What the host wants beside the calls, and what speaks against it."""


def transaction_summary(request: HostedRequest, limits: Limits, tokens: Tokens) -> Summary:
    """The summary of `eth_sendTransaction`."""
    return _summary(request, limits, tokens, _transaction_parts)


def batch_summary(request: HostedRequest, limits: Limits, tokens: Tokens) -> Summary:
    """The summary of several calls that are sent together."""
    return _summary(request, limits, tokens, _batch_parts)


def operation_summary(request: HostedRequest, limits: Limits, tokens: Tokens) -> Summary:
    """The summary of a user operation (ERC-4337)."""
    return _summary(request, limits, tokens, _operation_parts)


def _summary(request: HostedRequest, limits: Limits, tokens: Tokens, read_around: Around) -> Summary:
    calls, operation = request.calls, read_around is _operation_parts
    # An account that is asked to act by its own name has nothing between it and what it does.
    own = (request.account, *(call.to for call in calls if operation))
    calls = calls[0].inner or calls if operation and calls else calls
    several = len(calls) > 1
    numbered = several or any(call.inner for call in calls)
    parts, warnings, wanted, first, count = list[Part](), list[str](), list[str](), "", 0
    for number, call in _number_calls(calls, ""):
        # Every call is looked at for warnings, also the ones that are not shown.
        title, rows = _rows(call, request, tokens)
        first = first or title
        warnings += [one for one in _warnings(call, own) if one not in warnings]
        count += 1
        if count <= limits.parts:
            # What stands within a call is in the bytes of that one.
            raw = "" if "." in number or operation else raw_text(call.data)
            named = numbered_title(number, title) if numbered else title if operation else ""
            parts.append(Part(named, tuple(rows), raw))
            wanted += [token for token in _tokens(call) if token not in wanted]
    given: Any = request.params[0] if isinstance(request.params, list) and request.params else {}
    around, danger = read_around(request, given, limits)
    # The gravest first: what is known to be bad before what is not known.
    warnings.sort(key=lambda one: one == OPENED_WARNING)
    more = count > limits.parts
    hidden = more or any(part.rows[-1:] == (_CUT,) for part in around)
    if more:
        warnings.append(MORE_WARNING)
    return Summary(
        title=_("Send a user operation") if operation else _title(request, len(calls), first),
        parts=(*parts, *around),
        warnings=(*danger, *warnings),
        hidden=hidden,
        tokens=tuple(wanted),
        total=coin_amount(str(request.chain), request.value) if several and request.value else "",
    )


def _title(request: HostedRequest, count: int, first: str) -> str:
    batch = request.params[0] if isinstance(request.params, list) and request.params else None
    # Whoever says that they need not be makes no promise that they are.
    if count < 2:
        return first or _("Send nothing")
    if isinstance(batch, Mapping) and batch.get("atomicRequired") is False:
        return ngettext("Send {count} transactions", "Send {count} transactions", count)
    return ngettext("Send {count} transactions together", "Send {count} transactions together", count)


def _number_calls(calls: Sequence[Call], before: str) -> Iterator[tuple[str, Call]]:
    """Numbers every call, those within one after it: 1, 1.1, 1.2, 2."""
    for number, call in enumerate(calls, 1):
        yield f"{before}{number}", call
        yield from _number_calls(call.inner, f"{before}{number}.")


def _transaction_parts(request: HostedRequest, raw: Mapping[str, Any], _limits: Limits) -> tuple[list[Part], list[str]]:
    """Describes the host's price for the network, and whatever else the wallet gets."""
    rows, nonce = _price(raw, str(request.chain)), _quantity(raw, "nonce")
    if nonce is not None:
        rows.append(Row(_("Place in your transactions"), str(nonce)))
    others = names_text(str(name) for name, value in raw.items() if _is_unexplained(name, value))
    if others:
        rows.append(Row(_("Also has"), others, tone="warning"))
    given = raw.get("authorizationList")
    told, danger = delegation_rows(request, given if isinstance(given, list) else [given] if given else [])
    rows += told
    return [Part("", tuple(rows))] if rows else [], danger


def _batch_parts(request: HostedRequest, raw: Mapping[str, Any], limits: Limits) -> tuple[list[Part], list[str]]:
    """Describes what the wallet is to do beside the calls, by name where that is known to move nothing, else as it came."""
    given = raw.get("capabilities")
    wanted: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    names = names_text(name for name in wanted if name not in request.unread)
    others = names_text(name for name in request.unread if name not in wanted)
    rows = [Row(_("Uses of the wallet"), names)] if names else []
    rows += [Row(_("Also has"), others, tone="warning")] if others else []
    shown = (row for name in wanted if name in request.unread for row in json_rows(name, wanted[name], 0, limits))
    unread = list(islice(shown, limits.rows + 1))
    rows += unread if len(unread) <= limits.rows else [*unread[: limits.rows], _CUT]
    return [Part("", tuple(rows))] if rows else [], [CAPABILITY_WARNING] if unread else []


def _price(raw: Mapping[str, Any], chain: str) -> list[Row]:
    """Computes what the site has the account pay to the network. Of two names for the same a wallet takes the one or the other, so the higher counts."""
    gas, tip = _quantity(raw, "gas", "gasLimit"), _quantity(raw, "maxPriorityFeePerGas")
    price = _quantity(raw, "maxFeePerGas", "gasPrice")
    if price is None and tip is None:
        return []
    # Where the site says only how much goes to whoever takes the transaction in, the wallet adds what the network itself asks for.
    much = max(one for one in (price, tip) if one is not None)
    # Without an amount of gas the wallet finds out how much it is times.
    amount = (
        _("{amount} for each unit of gas", amount=coin_amount(chain, much))
        if gas is None
        else coin_amount(chain, gas * much)
    )
    told = _("up to {amount}", amount=amount) if price is not None else _("a tip of {amount}", amount=amount)
    return [Row(_("Network cost"), told)]


def _is_unexplained(name: str, value: object) -> bool:
    """Whether a field of a transaction has no words of its own."""
    if value is None or value in ([], {}):
        return False
    return name not in _TOLD or (name in _NUMBERS and not _is_quantity(value))


def _operation_parts(request: HostedRequest, raw: object, _limits: Limits) -> tuple[list[Part], list[str]]:
    """Describes who acts and who pays; the fields of a user operation are not those of a transaction."""
    operation, chain, entry_point = read_requested_operation(raw), str(request.chain), str(request.params[1])
    rows = [address_row(_("Account that acts"), operation.sender)]
    if entry_point.lower() not in _ENTRY_POINTS:
        rows.append(address_row(_("Handed in at"), entry_point))
    if operation.cost is not None:
        rows.append(Row(_("Network cost"), _("up to {amount}", amount=coin_amount(chain, operation.cost))))
    if operation.paymaster:
        rows.append(address_row(_("Paid by"), operation.paymaster))
    if operation.creates:
        # Translators: before anything else, it makes this account
        rows.append(Row(_("First"), _("makes this account")))
    if operation.unread:
        rows.append(Row(_("Also has"), names_text(operation.unread), tone="warning"))
    given = raw.get("eip7702Auth") if isinstance(raw, Mapping) else None
    told, danger = delegation_rows(request, [given] if given else [])
    rows += told
    if operation.delegates and not given:
        danger.append(DELEGATION_WARNING)
    if operation.sender != request.account:
        danger.append(OTHER_ACCOUNT_WARNING)
    return [Part("", tuple(rows), raw_text(operation.data))], danger


def _quantity(raw: Mapping[str, Any], *names: str) -> int | None:
    """The largest of these fields that are numbers."""
    found = (raw.get(name) for name in names)
    return max((int(one, 16) for one in found if _is_quantity(one)), default=None)


def _is_quantity(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and _QUANTITY.fullmatch(value) is not None


def _tokens(call: Call) -> list[str]:
    """Contracts whose decimals or symbols would help."""
    if call.function.action in ("transfer", "approve") and call.to:
        return [call.function.token or call.to]
    return []


def _rows(call: Call, request: HostedRequest, tokens: Tokens) -> tuple[str, list[Row]]:
    chain, function = request.chain, call.function
    value = [Row(_("Pays"), coin_amount(str(chain), call.value))] if call.value else []
    if not call.to:
        return _("New contract"), [*value, Row(pgettext("contract", "Code"), count_of_bytes(call.data))]
    if not call.data:
        return _("Send {amount}", amount=coin_amount(str(chain), call.value)), [
            address_row(pgettext("address", "To"), call.to)
        ]
    if call.inner:
        rows = [
            address_row(pgettext("address", "By"), call.to),
            *value,
            Row(_("Function"), batch_function_name(call.data), tone="code"),
        ]
        return ngettext("Have a call made", "Have {count} calls made", len(call.inner)), rows
    if function.owners is not None:
        return _("Change who controls an account"), [
            *_owner_rows(function.owners),
            address_row(_("Account"), call.to),
            *value,
        ]
    if function.action == "unknown":
        return _("Contract call"), [
            address_row(_("Contract"), call.to),
            *value,
            Row(_("Function"), _name(function), tone="code"),
        ]
    contract = function.token or call.to
    token = tokens.get(contract)
    if function.action == "transfer":
        title, rows = _transfer(call, contract, token, request)
    else:
        title, rows = _allowance(function, contract, token)
    return title, [*rows, *value]


def _owner_rows(change: OwnerChange) -> list[Row]:
    rows = [address_row(_("New owner"), change.added)] if change.added else []
    rows += [address_row(_("No owner any more"), change.removed)] if change.removed else []
    return rows if change.threshold is None else [*rows, Row(_("Owners who must sign"), str(change.threshold))]


def _name(function: Function) -> str:
    return function.name or (
        _("unknown, {selector}", selector=function.selector) if function.selector else pgettext("function", "none")
    )


def _transfer(call: Call, contract: str, token: Token | None, request: HostedRequest) -> tuple[str, list[Row]]:
    function = call.function
    rows = [address_row(pgettext("address", "To"), function.receiver)]
    if function.sender and function.sender != request.account:
        rows.insert(0, address_row(pgettext("address", "From"), function.sender))
    if function.signature == _BATCH:
        return _("Send several NFTs"), [*rows, address_row(_("Collection"), contract), *_items(call.data)]
    if function.token_id is not None or (function.id_or_amount and _is_collection(token)):
        number = function.token_id if function.token_id is not None else function.amount
        count = [Row(_("How many"), str(function.amount))] if function.token_id is not None and function.amount else []
        return _("Send an NFT"), [
            *rows,
            address_row(_("Collection"), contract),
            Row(pgettext("NFT", "Number"), str(number)),
            *count,
        ]
    amount = amount_text(token, function.amount or 0)
    return _("Send {amount}", amount=amount) if _is_read(token) else _("Send a token"), [
        *([] if _is_read(token) else [Row(_("How much"), amount)]),
        *rows,
        address_row(_("Token"), contract),
    ]


def _items(data: bytes) -> list[Row]:
    """Which NFTs of a collection, and how many of each (ERC-1155)."""
    values = canonical_values(argument_types(_BATCH), data[_SELECTOR:])
    numbers, amounts = (values[2], values[3]) if values else ((), ())
    if not numbers or len(numbers) != len(amounts):
        return [Row(pgettext("NFT", "Numbers"), _("cannot be read"), tone="warning")]
    rows = [
        Row(pgettext("NFT", "Number"), _("{number}, {count} of it", number=one, count=count))
        for one, count in zip(numbers, amounts, strict=True)
    ]
    left = len(rows) - _MAX_ITEMS
    return [*rows[:_MAX_ITEMS], Row("", _more(left), tone="warning")] if left > 0 else rows


def _more(count: int) -> str:
    return ngettext("and {count} more", "and {count} more", count)


def _allowance(function: Function, contract: str, token: Token | None) -> tuple[str, list[Row]]:
    spender = address_row(_("Who may spend"), function.receiver)
    if function.action == "approve_all":
        title = _("Take back an allowance") if function.revokes else _("Allow taking a whole collection")
        return title, [spender, address_row(_("Collection"), contract)]
    if function.id_or_amount and _is_collection(token):
        return _("Allow taking an NFT"), [
            spender,
            address_row(_("Collection"), contract),
            Row(pgettext("NFT", "Number"), str(function.amount)),
        ]
    name = token_name(token)
    if function.id_or_amount and function.amount == 0 and not _is_read(token):
        # For a collection that would be its first item, and nobody has said whether it is one.
        much = Row(_("How much"), _("nothing any more, or the NFT with the number 0"), tone="warning")
        return _("Take back an allowance, or allow taking an NFT"), [spender, much, address_row(_("Token"), contract)]
    if function.revokes:
        much = Row(_("How much"), _("Nothing any more"))
    elif function.unlimited:
        much = Row(_("How much"), unlimited_text(name), tone="warning")
    else:
        much = Row(_("How much"), amount_text(token, function.amount or 0))
    allows = _("Allow spending {token}", token=name) if name else _("Allow spending")
    title = _("Take back an allowance") if function.revokes else allows
    until = (
        []
        if function.until is None or function.revokes
        else [Row(pgettext("date", "Until"), expiration_text(function.until))]
    )
    return title, [spender, much, *until, address_row(_("Token"), contract)]


def _is_read(token: Token | None) -> bool:
    return token is not None and token.decimals is not None


def _is_collection(token: Token | None) -> bool:
    """Whether the contract has been asked, and counts nothing."""
    return token is not None and token.decimals is None


def _warnings(call: Call, own: Sequence[str]) -> list[str]:
    function = call.function
    found = list[str]()
    if function.unlimited and not function.revokes:
        found.append(COLLECTION_WARNING if function.action == "approve_all" else UNLIMITED_WARNING)
    if not call.to:
        found.append(CREATION_WARNING)
    elif call.inner and call.to not in own:
        found.append(OPENED_WARNING)
    elif function.owners is not None:
        found.append(OWNERS_WARNING)
    elif call.data and function.action == "unknown" and not call.inner:
        found.append(UNKNOWN_WARNING)
    if function.action == "transfer" and function.receiver and function.receiver == (function.token or call.to):
        found.append(LOST_WARNING)
    return found


MAX_LINES: Final = 20


def call_lines(request: HostedRequest) -> tuple[str, ...]:
    """Says in one line each what the calls of a batch do, such as 'Send 0.1 ETH. To: 0x…'; of more than 20, how many are left out."""
    lines = [_line(*_rows(call, request, {})) for call in request.calls[:MAX_LINES]]
    left = len(request.calls) - len(lines)
    return (*lines[:-1], _more(left + 1)) if left else tuple(lines)


def _line(title: str, rows: Sequence[Row]) -> str:
    first = rows[0] if rows else Row("")
    if first.tone != "address":
        return title
    # Translators: what a call does, and the first that is to be known of it, such as: Send 1 ETH. To: 0x1234
    return _("{title}. {name}: {address}", title=title, name=first.name, address=first.value)
