"""Summaries of Solana transactions, in words for the visitor: the instructions of the programs that move coins and tokens, others by their program."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final

from walletmodal.core.decoding.solana_message import WALLETS_OWN, SolanaInstruction, SolanaMessage, read_transaction
from walletmodal.core.language import _, ngettext, pgettext
from walletmodal.core.language.values import NumberText
from walletmodal.core.requests.summary_other import other_summary
from walletmodal.core.requests.summary_parts import (
    Limits,
    Part,
    Row,
    Summary,
    Tokens,
    address_row,
    base_units_text,
    coin_amount,
    count_of_bytes,
    numbered_title,
    reveal_hidden,
)
from walletmodal.core.requests.typed_request import HostedRequest

UNKNOWN_WARNING: Final = _(
    "It calls a program that cannot be read here. It may move anything that this account signs for."
)
AUTHORITY_WARNING: Final = _("It gives away the control of a token account.")
ALLOWANCE_WARNING: Final = _("It lets somebody else take tokens from your account.")
TABLED_WARNING: Final = _("It names an account by its place in a table on the chain. Who that is cannot be read here.")
FOREIGN_PAYER: Final = _("Somebody else pays for it.")
MORE_WARNING: Final = _("There is more than is shown.")

_SYSTEM: Final = "11111111111111111111111111111111"
_TOKENS: Final = (
    "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
)
_ASSOCIATED: Final = "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL"
_CREATE: Final = (b"", b"\x00", b"\x01")
_MEMOS: Final = ("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
_KIND, _U64, _KEY = 4, 8, 32
_MEMO_SHOWN: Final = 200
_UNNAMED: Final = _("an account from a table")

Read = tuple[str, list[Row], str]
"""Title, rows, and a warning or ""."""


def solana_summary(request: HostedRequest, limits: Limits, tokens: Tokens, *, sends: bool = False) -> Summary:
    """The summary of a request that has Solana transactions signed, or sent.

    Raises:
        PayloadError: one of them is none.
    """
    if not request.transactions:
        return other_summary(request, limits, tokens)
    messages = [read_transaction(text) for text in request.transactions]
    parts, warnings = list[Part](), list[str]()
    for number, message in enumerate(messages, 1):
        for title, rows, warning in _instructions(message, str(request.chain)):
            warnings += [warning] if warning and warning not in warnings else []
            # Every one is looked at for warnings, also those that are not shown.
            if len(parts) <= limits.parts:
                parts.append(Part(numbered_title(number, title) if len(messages) > 1 else title, tuple(rows)))
        if message.payer != request.account and FOREIGN_PAYER not in warnings:
            warnings.append(FOREIGN_PAYER)
    hidden = len(parts) > limits.parts
    if hidden:
        warnings.append(MORE_WARNING)
    return Summary(
        title=_title(len(messages), sends=sends),
        parts=(*parts[: limits.parts], *_cost(messages, request)),
        warnings=tuple(warnings),
        hidden=hidden,
    )


def _title(count: int, *, sends: bool) -> str:
    if sends:
        return ngettext("Send a transaction", "Send {count} transactions", count)
    return ngettext("Sign a transaction", "Sign {count} transactions", count)


def _cost(messages: Sequence[SolanaMessage], request: HostedRequest) -> list[Part]:
    """What the page has the account pay for its place in the queue."""
    fee = sum(one.queue_fee for one in messages if one.payer == request.account)
    return (
        [Part("", (Row(_("Network cost"), _("up to {amount} more", amount=coin_amount(str(request.chain), fee))),))]
        if fee
        else []
    )


def _instructions(message: SolanaMessage, chain: str) -> list[Read]:
    found = [_read(one, chain) for one in message.calls if one.program not in WALLETS_OWN]
    return [(title, rows, warning or _unexplained_parts(rows)) for title, rows, warning in found]


def _unexplained_parts(rows: Sequence[Row]) -> str:
    return TABLED_WARNING if any(row.value == _UNNAMED for row in rows) else ""


def _read(one: SolanaInstruction, chain: str) -> Read:
    if one.program == _SYSTEM and len(one.data) >= 4:
        return _system(one, chain)
    if one.program in _TOKENS and one.data:
        return _token(one)
    if one.program == _ASSOCIATED and one.data in _CREATE:
        return (
            _("Open a token account"),
            [address_row(pgettext("address", "For"), _account(one, 2)), address_row(_("Token"), _account(one, 3))],
            "",
        )
    if one.program in _MEMOS:
        text = reveal_hidden(one.data[: 4 * _MEMO_SHOWN].decode("utf-8", "replace")[:_MEMO_SHOWN])[0]
        return _("Write a note"), [Row(_("Note"), text)], ""
    return _unknown(one)


def _unknown(one: SolanaInstruction) -> Read:
    rows = [address_row(_("Program"), one.program), Row(_("Data"), count_of_bytes(one.data), tone="code")]
    return _("Program call"), rows, UNKNOWN_WARNING


def _system(one: SolanaInstruction, chain: str) -> Read:
    kind = int.from_bytes(one.data[:4], "little")
    if kind == 2 and len(one.data) == 12:
        return (
            _("Send {amount}", amount=coin_amount(chain, _u64(one.data, 4))),
            [address_row(pgettext("address", "To"), _account(one, 1))],
            "",
        )
    paid = _account_funding(kind, one.data)
    if paid is not None:
        return (
            _("Open an account"),
            [address_row(_("Account"), _account(one, 1)), Row(_("Pays"), coin_amount(chain, paid))],
            "",
        )
    if kind == 1 and len(one.data) == 36:
        return _("Hand over the account"), [address_row(_("Account"), _account(one, 0))], AUTHORITY_WARNING
    return _unknown(one)


def _account_funding(kind: int, data: bytes) -> int | None:
    """Returns the lamports that fund an account that is opened: at an address of its own, or at one that is made of another and a text."""
    if kind == 0:
        return _u64(data, 4) if len(data) == _KIND + 2 * _U64 + _KEY else None
    at = _KIND + _KEY + _U64 + _u64(data, _KIND + _KEY)
    return _u64(data, at) if kind == 3 and len(data) == at + 2 * _U64 + _KEY else None


def _token(one: SolanaInstruction) -> Read:
    read = _TOKEN_INSTRUCTIONS.get(one.data[0])
    return _unknown(one) if read is None else read(one)


def _transfer(one: SolanaInstruction) -> Read:
    rows = [
        Row(_("How much"), base_units_text(_u64(one.data, 1))),
        address_row(_("To token account"), _account(one, 1)),
    ]
    return _("Send a token"), rows, ""


def _transfer_checked(one: SolanaInstruction) -> Read:
    decimals = one.data[9] if len(one.data) > 9 else 0
    rows = [
        Row(_("How much"), _units(_u64(one.data, 1), decimals)),
        address_row(_("To token account"), _account(one, 2)),
        address_row(_("Token"), _account(one, 1)),
    ]
    return _("Send a token"), rows, ""


def _approve(one: SolanaInstruction) -> Read:
    checked = one.data[0] == 13
    spender = _account(one, 2 if checked else 1)
    amount = _u64(one.data, 1)
    much = _units(amount, one.data[9]) if checked and len(one.data) > 9 else base_units_text(amount)
    return _("Allow spending"), [address_row(_("Who may spend"), spender), Row(_("How much"), much)], ALLOWANCE_WARNING


def _revoke(one: SolanaInstruction) -> Read:
    return _("Take back an allowance"), [address_row(_("Token account"), _account(one, 0))], ""


def _authority(one: SolanaInstruction) -> Read:
    return _("Hand over a token account"), [address_row(_("Account"), _account(one, 0))], AUTHORITY_WARNING


def _close(one: SolanaInstruction) -> Read:
    rows = [address_row(_("Account"), _account(one, 0)), address_row(_("What is left goes to"), _account(one, 1))]
    return _("Close a token account"), rows, ""


def _burn(one: SolanaInstruction) -> Read:
    return (
        _("Destroy tokens"),
        [Row(_("How much"), base_units_text(_u64(one.data, 1)))],
        _("It destroys tokens of yours."),
    )


def _sync(one: SolanaInstruction) -> Read:
    return _("Count wrapped coins"), [address_row(_("Account"), _account(one, 0))], ""


_TOKEN_INSTRUCTIONS: Final[dict[int, Callable[[SolanaInstruction], Read]]] = {
    3: _transfer,
    4: _approve,
    5: _revoke,
    6: _authority,
    8: _burn,
    9: _close,
    12: _transfer_checked,
    13: _approve,
    15: _burn,
    17: _sync,
}
"""Of the token programs, by the first byte of their data."""


def _u64(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _units(amount: int, decimals: int) -> str:
    whole = str(amount).rjust(decimals + 1, "0")
    fraction = whole[len(whole) - decimals :].rstrip("0") if decimals else ""
    return NumberText(Decimal(f"{whole[: len(whole) - decimals]}{'.' if fraction else ''}{fraction}"), grouped=False)


def _account(one: SolanaInstruction, at: int) -> str:
    accounts: Sequence[str | None] = one.accounts
    return (accounts[at] if at < len(accounts) else None) or _UNNAMED
