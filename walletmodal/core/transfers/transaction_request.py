"""Transactions that a wallet is asked for: what was proposed, what the chain has of it, and how the two differ."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import _, pgettext
from walletmodal.core.language.kept import KeptText
from walletmodal.core.requests.method import MethodSpec
from walletmodal.core.requests.methods import find_method
from walletmodal.core.requests.readers import read_quantity
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary_calls import MAX_LINES, call_lines
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.text.amounts import MAX_DECIMALS, to_decimal
from walletmodal.core.text.formatting import format_exact, with_symbol
from walletmodal.core.transfers.send import Transfer

TransactionKind = Literal["send", "approval", "swap", "host"]
"""Who wanted it: the modal's own flows (`approval`: what a swap needs before it), or the host page."""

TransactionStatus = Literal["asked", "sent", "confirmed", "reverted", "replaced", "dropped", "declined", "unknown"]
"""asked: the wallet has not answered. sent: its hash is known. declined: the wallet or its owner refused. unknown: the answer never came,
and the chain knows nothing of it."""

PENDING: Final[tuple[TransactionStatus, ...]] = ("asked", "sent")
DifferenceKind = Literal["chain", "sender", "receiver", "value", "data"]

_NATIVE_DECIMALS: Final = 18
_TRANSFER: Final = bytes.fromhex("a9059cbb")
_Amount = Annotated[int, Field(ge=0, lt=2**256)]
_MAX_TEXT: Final = 128
_Text = Annotated[str, Field(max_length=_MAX_TEXT)]


class Proposal(BaseModel):
    """What the visitor was shown, or the host asked for.

    Attributes:
        chain: CAIP-2 id; sender: the account.
        method: what the wallet is asked.
        to: whom the transaction itself calls; "" where it makes a contract, does several things, or on Solana.
        value: of the native coin, in base units.
        data: `data_mark` of its call data; on Solana the digests of its instructions.
        receiver, token, amount: who is to get how many base units of which token ("" for the native coin); receiver "" where it is no transfer.
        name: what the visitor called the receiver, "" where it was by address.
        symbol, decimals, image: of what is transferred, to show.
            Of a swap the receiver is the sender, and the amount what is received at least.
        given, given_symbol, given_decimals: of a swap, what is given for it; 0 where it is none.
        calls: of several calls, each in words (`call_lines`); empty where the transaction itself is the one call.
        anchor: what bounds its life: the nonce as decimal text, or the blockhash; "" where the wallet chooses.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    chain: _Text
    sender: _Text
    method: _Text
    to: _Text = ""
    value: _Amount = 0
    data: Annotated[str, Field(max_length=8192)] = ""
    receiver: _Text = ""
    name: _Text = ""
    token: _Text = ""
    amount: _Amount = 0
    symbol: _Text = ""
    decimals: Annotated[int, Field(ge=0, le=MAX_DECIMALS)] = 0
    image: Annotated[str, Field(max_length=2048)] = ""
    given: _Amount = 0
    given_symbol: _Text = ""
    given_decimals: Annotated[int, Field(ge=0, le=MAX_DECIMALS)] = 0
    calls: Annotated[tuple[KeptText, ...], Field(max_length=MAX_LINES)] = ()
    anchor: _Text = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A swap of the modal's own: so many base units of one token for at least so many of another ("" for the native coin)."""

    given: int
    given_symbol: str
    given_decimals: int
    token: str
    least: int
    symbol: str
    decimals: int
    image: str


@dataclass(frozen=True, slots=True)
class TransactionRequest:
    """One entry of the record: what was asked, and what is known of it so far. Its fields are those of the table (`db/tables.py`)."""

    id: str
    owner: str
    origin: str
    kind: TransactionKind
    proposal: Proposal
    asked_at: datetime
    changed_at: datetime
    status: TransactionStatus = "asked"
    settled: bool = False
    proven: bool = False
    hash: str = ""
    mined_hash: str = ""
    bundle: str = ""
    entry_point: str = ""
    calls_id: str = ""
    signed: str = ""
    nonce: int | None = None
    height: int | None = None
    gained: int | None = None
    altered: tuple[str, ...] = ()
    reason: str = ""
    answered_at: datetime | None = None
    missed_at: datetime | None = None

    @property
    def chain(self) -> ChainId:
        """The network that it was asked for."""
        return parse_chain_id(self.proposal.chain)

    @property
    def shown_hash(self) -> str:
        """The transaction that counts: what was mined in the place of the one that the wallet named, else that one."""
        return self.mined_hash or self.hash


@dataclass(frozen=True, slots=True)
class Payment:
    """Who gets how many base units of which token."""

    token: str
    receiver: str
    amount: int


@dataclass(frozen=True, slots=True)
class Mined:
    """What the chain has.

    Attributes:
        chain: CAIP-2 id; hash: of the transaction.
        sender, to, value, data: as in `Proposal`.
        paid: the transfer that its call data asks for, where it is one of a token.
        gained: how much of the token the proposed receiver got of it; None where that cannot be told.
        relayed: somebody else sent it in the account's name, as for a smart account, or the wallet made a batch its own way; then only
            `gained` can be compared.
        height: of its block, or its slot; None where the node did not say.
    """

    chain: str
    hash: str
    sender: str
    to: str = ""
    value: int = 0
    data: str = ""
    paid: Payment | None = None
    gained: int | None = None
    relayed: bool = False
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as it was proposed, both sides in words."""

    kind: DifferenceKind
    proposed: str
    mined: str

    @property
    def text(self) -> str:
        """One line for the visitor."""
        names = {
            "chain": _("Network"),
            "sender": _("Sender"),
            "receiver": _("Receiver"),
            "value": _("Amount"),
            "data": _("Contract call"),
        }
        # Translators: such as `Amount: 2 ETH instead of 1 ETH`
        return _(
            "{name}: {mined} instead of {proposed}", name=names[self.kind], mined=self.mined, proposed=self.proposed
        )


def data_mark(data: bytes) -> str:
    """What is kept of call data: the function, how long it is, and a digest; "" for none."""
    return f"0x{data[:4].hex()} {len(data)} {sha256(data).hexdigest()}" if data else ""


def token_payment(contract: str, data: bytes) -> Payment | None:
    """The transfer that the call data of an ERC-20 contract asks for, or None."""
    if len(data) != 68 or data[:4] != _TRANSFER or any(data[4:16]):
        return None
    return Payment(contract, normal_address("eip155", "0x" + data[16:36].hex()), int.from_bytes(data[36:68], "big"))


def propose(
    chain: ChainId,
    sender: str,
    method: str,
    params: object,
    *,
    transfer: Transfer | None = None,
    name: str = "",
    exchange: Exchange | None = None,
) -> Proposal:
    """The proposal of what a wallet is about to be asked by the modal itself.

    Args:
        chain: the network.
        sender: the account that signs.
        method: one that sends.
        params: its parameters.
        transfer: what the visitor entered, where it is a transfer of the modal's own.
        name: what the visitor called the receiver of that, "" where it was by address.
        exchange: what the visitor was shown, where it is a swap of the modal's own.

    Raises:
        PayloadError: the parameters are none of the method.
    """
    request = read_request(method=method, chain=chain, account=sender, origin="", params=params)
    return proposal_of(request, transfer=transfer, name=name, exchange=exchange)


def proposal_of(
    request: HostedRequest, *, transfer: Transfer | None = None, name: str = "", exchange: Exchange | None = None
) -> Proposal:
    """The proposal of a request that has been read.

    Raises:
        PayloadError: its method sends nothing, or it is no transaction.
    """
    spec = find_method(request.namespace, request.method)
    if spec is None or not spec.sends:
        raise PayloadError("The method sends no transaction", details=request.method[:64])
    facts = _solana_facts(request) if request.transactions else _evm_facts(request, spec)
    if exchange is not None:
        shown = _exchanged(exchange, request.account)
    else:
        shown = _shown_payment(request.chain, facts) if transfer is None else _entered(transfer, name)
    about = {"chain": str(request.chain), "sender": request.account, "method": request.method}
    return Proposal.model_validate({**about, **facts, **shown})


def _entered(transfer: Transfer, name: str) -> dict[str, Any]:
    native = bundled_networks().get(str(transfer.chain))
    icon = transfer.token.icon_url
    return {
        "receiver": transfer.receiver,
        "name": name if len(name) <= _MAX_TEXT else "",
        "token": transfer.contract or "",
        "amount": transfer.base_units,
        "symbol": transfer.token.symbol or (native.native_currency.symbol if native else ""),
        "decimals": transfer.token.quantity.decimals,
        "image": icon if len(icon) <= 2048 else "",
    }


def _exchanged(exchange: Exchange, account: str) -> dict[str, Any]:
    return {
        "receiver": account,
        "token": exchange.token,
        "amount": exchange.least,
        "symbol": exchange.symbol,
        "decimals": exchange.decimals,
        "image": exchange.image if len(exchange.image) <= 2048 else "",
        "given": exchange.given,
        "given_symbol": exchange.given_symbol,
        "given_decimals": exchange.given_decimals,
    }


def _shown_payment(chain: ChainId, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A transfer of the native coin that a host asks for is shown as one; of a token nobody has said yet what it is."""
    if not facts.get("to") or facts["data"] or chain.namespace != "eip155":
        return {}
    network = bundled_networks().get(str(chain))
    return {
        "receiver": facts["to"],
        "amount": facts["value"],
        "symbol": network.native_currency.symbol if network else "",
        "decimals": network.native_currency.decimals if network else _NATIVE_DECIMALS,
    }


def _solana_facts(request: HostedRequest) -> dict[str, Any]:
    message = read_transaction(request.transactions[0])
    return {"data": " ".join(message.instructions), "anchor": message.blockhash}


def _evm_facts(request: HostedRequest, spec: MethodSpec) -> dict[str, Any]:
    calls = [{"to": call.to, "value": call.value, "data": data_mark(call.data)} for call in request.calls]
    lines = {"calls": call_lines(request)} if spec.batch else {}
    if len(calls) == 1:
        nonce = None if spec.batch else request.params[0].get("nonce")
        return {**calls[0], **lines, "anchor": "" if nonce is None else str(read_quantity(nonce, "nonce"))}
    marks = data_mark("|".join(f"{one['to']} {one['value']} {one['data']}" for one in calls).encode())
    return {**lines, "value": request.value, "data": marks}


def differences(proposal: Proposal, mined: Mined) -> tuple[Difference, ...]:
    """In what the chain's transaction is another one than the visitor agreed to; none where it is the same."""
    found = []
    if mined.chain != proposal.chain:
        found.append(Difference("chain", _network(proposal.chain), _network(mined.chain)))
    if not mined.relayed:
        if mined.sender != proposal.sender:
            found.append(Difference("sender", proposal.sender, mined.sender))
        found += _payment_differences(proposal, mined)
    gained = mined.gained
    if not any(one.kind in ("receiver", "value") for one in found) and gained is not None and gained < proposal.amount:
        found.append(Difference("value", _amount(proposal, proposal.amount), _amount(proposal, gained)))
    return tuple(found)


def is_same(proposal: Proposal, mined: Mined) -> bool:
    """Whether the account has asked for just that, whatever became of it."""
    return not differences(proposal, replace(mined, gained=None))


def does_the_same(proposal: Proposal, other: Proposal) -> bool:
    """Whether one transaction could carry out either of two requests of an account on a network."""
    return (proposal.to, proposal.value, proposal.data) == (other.to, other.value, other.data)


def is_cancelling(mined: Mined) -> bool:
    """Whether it does nothing but use up a nonce, as wallets cancel."""
    return mined.to == mined.sender and mined.value == 0 and not mined.data


def _payment_differences(proposal: Proposal, mined: Mined) -> list[Difference]:
    if proposal.chain.startswith("solana:"):
        return [] if mined.data == proposal.data else [_other_instructions(proposal, mined)]
    found = []
    meant, paid = proposal, mined.paid
    if meant.token and mined.to == meant.token and paid is not None:
        if paid.receiver != meant.receiver:
            found.append(Difference("receiver", meant.receiver, paid.receiver))
        if paid.amount != meant.amount:
            found.append(Difference("value", _amount(meant, meant.amount), _amount(meant, paid.amount)))
    elif mined.to != meant.to:
        found.append(Difference("receiver", meant.to or _("a new contract"), mined.to or _("a new contract")))
    if mined.value != meant.value:
        found.append(Difference("value", _coins(meant.chain, meant.value), _coins(meant.chain, mined.value)))
    if mined.data != meant.data and not found:
        found.append(Difference("data", _short(meant.data), _short(mined.data)))
    return found


def _other_instructions(proposal: Proposal, mined: Mined) -> Difference:
    """What the balances say of a Solana transaction that is another one: its bytes alone would tell a visitor nothing."""
    if proposal.receiver and mined.gained == 0:
        return Difference("receiver", proposal.receiver, _("somebody else"))
    if proposal.receiver and mined.gained is not None and mined.gained != proposal.amount:
        return Difference("value", _amount(proposal, proposal.amount), _amount(proposal, mined.gained))
    return Difference("data", _("the one that was proposed"), _("another one"))


def _amount(proposal: Proposal, units: int) -> str:
    return with_symbol(format_exact(to_decimal(units, proposal.decimals)), proposal.symbol)


def _coins(chain: str, units: int) -> str:
    network = bundled_networks().get(chain)
    decimals = network.native_currency.decimals if network else _NATIVE_DECIMALS
    return with_symbol(format_exact(to_decimal(units, decimals)), network.native_currency.symbol if network else "")


def _network(chain: str) -> str:
    found = bundled_networks().get(chain)
    return found.name if found else chain


def _short(data: str) -> str:
    return data.partition(" ")[0] or pgettext("function", "none")
