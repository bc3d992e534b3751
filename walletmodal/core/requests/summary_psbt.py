"""A Bitcoin transaction that is to be signed (PSBT), in words for the visitor: who gets how much, what leaves the account, and what a signature leaves open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from walletmodal.core.chains.bitcoin_scripts import address_of, locked_by, witness_program
from walletmodal.core.decoding.psbt import Input, Output, Psbt, read_psbt
from walletmodal.core.errors.rules import PayloadError
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
    raw_text,
    reveal_hidden,
    short_text,
)
from walletmodal.core.requests.typed_request import HostedRequest

OPEN_WARNING: Final = _("Your signature does not say who is paid: whoever has it can send your coins anywhere.")
SINGLE_WARNING: Final = _(
    "Your signature binds one of the payments alone: whoever has it can change the others and add more."
)
ANYONE_WARNING: Final = _("Others can add coins to it after you have signed.")
UNUSUAL_WARNING: Final = _("It asks for a kind of signature that is unknown here.")
UNTOLD_WARNING: Final = _(
    "It does not say of every coin whose it is and what it is worth: more may leave your account than stands here."
)
FOREIGN_WARNING: Final = _(
    "It also has you sign for another address than the one that is shown. What leaves that one is told as coming from others."
)
NOT_YOURS_WARNING: Final = _("None of the coins that it spends is of the address that is shown.")
UNNAMED_WARNING: Final = _(
    "It does not say for which coins you sign. Those of others may be of another address of your wallet, and leave that one too."
)
MORE_WARNING: Final = _("There are more payments than are shown.")

_DEFAULT, _ALL, _NONE, _SINGLE, _ANYONE = 0, 1, 2, 3, 0x80
_TYPES: Final = {_NONE: "NONE", _SINGLE: "SINGLE", _ALL: "ALL", _DEFAULT: "DEFAULT"}
_KNOWN: Final = frozenset([_DEFAULT, _ALL, _NONE, _SINGLE, _ALL | _ANYONE, _NONE | _ANYONE, _SINGLE | _ANYONE])
_RETURN: Final = 0x6A
_TAPROOT: Final = 1
_MAX_TEXT: Final = 400
_MAX_NAMED: Final = 4000
_PARAMETERS: Final = frozenset(["psbt", "signInputs", "broadcast"])
_OF_AN_INPUT: Final = frozenset(["address", "index", "sighashTypes"])


@dataclass(frozen=True, slots=True)
class _Named:
    """What the page says of the inputs that the wallet is to sign: which, with what kinds of signature, and what else it says."""

    indexes: frozenset[int]
    kinds: Mapping[int, frozenset[int]]
    others: tuple[str, ...]


def psbt_summary(request: HostedRequest, limits: Limits, _tokens: Tokens) -> Summary:
    """The summary of a request that has a PSBT signed.

    Raises:
        PayloadError: it is none, or the inputs to sign are not among its own.
        AddressError: the account is none of the network.
    """
    psbt, chain = read_psbt(request.params.get("psbt")), str(request.chain)
    named = _named(request.params, len(psbt.inputs))
    mine = locked_by(request.account, request.chain).script
    own = {index for index, one in enumerate(psbt.inputs) if one.spent is not None and one.spent.script == mine}
    paid = [one for one in psbt.outputs if one.script != mine]
    kinds = _kinds(psbt, named, own)
    parts = [_payment(one, request) for one in paid[: limits.parts]]
    rows = [*_totals(psbt, own, mine, chain), _cost(psbt, own, named, kinds, chain), *_signed(psbt, named, own, kinds)]
    hidden = len(paid) > limits.parts
    return Summary(
        title=_("Sign and send a Bitcoin transaction")
        if request.params.get("broadcast")
        else _("Sign a Bitcoin transaction"),
        parts=(*parts, Part(_("Altogether"), tuple(rows))),
        warnings=(*_open(psbt, kinds), *_around(psbt, named, own), *([MORE_WARNING] if hidden else [])),
        hidden=hidden,
    )


def _named(params: Mapping[str, Any], inputs: int) -> _Named:
    given = params.get("signInputs") or []
    if not isinstance(given, list) or len(given) > _MAX_NAMED:
        raise PayloadError("The Bitcoin transaction cannot be read", details="signInputs")
    kinds, others = dict[int, frozenset[int]](), [name for name in params if name not in _PARAMETERS]
    for one in given:
        index, types = (one.get("index"), one.get("sighashTypes")) if isinstance(one, Mapping) else (None, None)
        if not _is_number(index) or index >= inputs:
            raise PayloadError("The Bitcoin transaction cannot be read", details="signInputs")
        if types is not None and not (isinstance(types, list) and all(map(_is_number, types))):
            raise PayloadError("The Bitcoin transaction cannot be read", details="sighashTypes")
        kinds[index] = kinds.get(index, frozenset()) | frozenset(types or ())
        others += [name for name in one if name not in _OF_AN_INPUT]
    return _Named(frozenset(kinds), kinds, tuple(dict.fromkeys(map(str, others))))


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _kinds(psbt: Psbt, named: _Named, own: set[int]) -> list[tuple[int, int]]:
    """The kinds of signature that the wallet may make, by input. Without named inputs it signs whatever it has a key for."""
    found = []
    for index, one in enumerate(psbt.inputs):
        if index in named.indexes or (not one.final and (index in own or not named.indexes)):
            told = () if one.sighash is None else (one.sighash,)
            found += [(index, kind) for kind in sorted({*told, *named.kinds.get(index, ())})]
    return found


def _open(psbt: Psbt, kinds: list[tuple[int, int]]) -> list[str]:
    """What a signature other than for all of it leaves to others, the gravest first."""
    found = set()
    for index, kind in kinds:
        bound = kind & ~_ANYONE
        if kind not in _KNOWN:
            found.add(UNUSUAL_WARNING)
        elif bound == _NONE or (bound == _SINGLE and index >= len(psbt.outputs)):
            found.add(OPEN_WARNING)
        elif bound == _SINGLE:
            found.add(SINGLE_WARNING)
        elif kind & _ANYONE:
            found.add(ANYONE_WARNING)
    return [one for one in (OPEN_WARNING, UNUSUAL_WARNING, SINGLE_WARNING, ANYONE_WARNING) if one in found]


def _around(psbt: Psbt, named: _Named, own: set[int]) -> list[str]:
    untold = {index for index, one in enumerate(psbt.inputs) if one.spent is None}
    found: list[str] = [UNTOLD_WARNING] if untold else []
    if named.indexes - own - untold:
        found.append(FOREIGN_WARNING)
    elif not own and not untold:
        found.append(NOT_YOURS_WARNING)
    elif not named.indexes and any(
        not one.final and index not in own | untold for index, one in enumerate(psbt.inputs)
    ):
        # A wallet signs for whatever it has a key for.
        found.append(UNNAMED_WARNING)
    return found


def _payment(one: Output, request: HostedRequest) -> Part:
    amount, address = coin_amount(str(request.chain), one.amount), address_of(one.script, request.chain)
    if address:
        return Part(_("Send {amount}", amount=amount), (address_row(pgettext("address", "To"), address),))
    if one.script[:1] == bytes([_RETURN]):
        lost = (Row(_("Destroys"), amount, tone="warning"),) if one.amount else ()
        return Part(_("Write data"), (Row(_("Data"), _data(one.script[1:])), *lost))
    return Part(
        _("Send {amount}", amount=amount),
        (Row(pgettext("address", "To"), _("a script that has no address"), tone="warning"),),
        raw_text(one.script),
    )


def _data(script: bytes) -> str:
    """What is written, as text where it is some, without the one byte that says how long it is."""
    data = script[1:] if script and script[0] == len(script) - 1 else script
    try:
        text = data.decode() if len(data) <= _MAX_TEXT else ""
    except ValueError:
        text = ""
    return short_text(text if text and not reveal_hidden(text)[1] else raw_text(data), 200)


def _totals(psbt: Psbt, own: set[int], mine: bytes, chain: str) -> list[Row]:
    inputs = list(enumerate(psbt.inputs))
    taken = sum(one.spent.amount for index, one in inputs if one.spent is not None and index in own)
    others = sum(one.spent.amount for index, one in inputs if one.spent is not None and index not in own)
    back = sum(one.amount for one in psbt.outputs if one.script == mine)
    told = all(one.spent is not None for one in psbt.inputs)
    rows = [Row(_("Coins of your address"), coin_amount(chain, taken))] if own else []
    if any(index not in own for index, _ in inputs):
        rows.append(
            Row(
                _("Coins of others"),
                coin_amount(chain, others) if told else _("not told"),
                tone="" if told else "warning",
            )
        )
    if back:
        rows.append(Row(_("Comes to your address"), coin_amount(chain, back)))
    if own and told:
        net = taken - back
        name = _("Leaves your address") if net >= 0 else _("Your address gains")
        rows.append(Row(name, coin_amount(chain, abs(net))))
    return rows


def _cost(psbt: Psbt, own: set[int], named: _Named, kinds: list[tuple[int, int]], chain: str) -> Row:
    if psbt.fee is None:
        return Row(_("Network cost"), _("cannot be told"), tone="warning")
    loose = {index for index, kind in kinds if kind & _ANYONE}
    signed = own & named.indexes if named.indexes else own
    # A signature of Taproot binds what every coin is worth (BIP-341). Where there is none and the coins are not proven, the page may have lied.
    bound = any(_is_taproot(psbt.inputs[index]) for index in signed - loose) or all(one.proven for one in psbt.inputs)
    return Row(_("Network cost") if bound else _("Network cost, as the site says"), coin_amount(chain, psbt.fee))


def _is_taproot(one: Input) -> bool:
    program = witness_program(one.spent.script) if one.spent is not None else None
    return program is not None and program[0] == _TAPROOT


def _signed(psbt: Psbt, named: _Named, own: set[int], kinds: list[tuple[int, int]]) -> list[Row]:
    count = len(named.indexes) if named.indexes else len(own)
    of_all = _("{count} of {total}", count=count, total=len(psbt.inputs))
    rows = [Row(_("Coins that you sign for"), of_all)] if named.indexes or own else []
    weak = [kind for kind in dict.fromkeys(kind for _, kind in kinds) if kind not in (_DEFAULT, _ALL)]
    if weak:
        rows.append(Row(_("Kind of signature"), names_text(map(_kind_name, weak)), tone="warning"))
    if named.others:
        rows.append(Row(_("Also has"), names_text(named.others), tone="warning"))
    return rows


def _kind_name(kind: int) -> str:
    if kind not in _KNOWN:
        return str(kind)
    return _TYPES[kind & ~_ANYONE] + (" | ANYONECANPAY" if kind & _ANYONE else "")
