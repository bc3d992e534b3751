"""A request of a host page as an operator's policy sees it (docs/policy.md)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.decoding.decoded_call import Function, OwnerChange, is_unlimited
from walletmodal.core.permissions.dangers import Danger
from walletmodal.core.smart_accounts.authorization import ANY_CHAIN, Authorization
from walletmodal.core.text.display_text import clean_text

MAX_SUMMARY: Final = 200


@dataclass(frozen=True, slots=True)
class Call:
    """One transfer or contract call.

    Attributes:
        to: the receiver or contract; "" where a contract is made.
        value: of the native coin, in base units.
        data: the call data.
        function: what the call data asks of a contract; its selector is "" where there is none.
        inner: the calls that it has made, in order, as far as they can be opened (docs/policy.md).
    """

    to: str
    value: int
    data: bytes
    function: Function
    inner: tuple["Call", ...] = ()

    @property
    def all(self) -> Iterator["Call"]:
        """Itself, then every call within it."""
        yield self
        for call in self.inner:
            yield from call.all


@dataclass(frozen=True, slots=True)
class Approval:
    """Somebody may take something of the account.

    Attributes:
        token: the contract of the token or collection.
        spender: who may.
        amount: base units, or the id of an NFT where only the contract knows; None where it has none, or cannot be read.
        unlimited: all that there is of the token, as many as hardly a token has where nobody knows that, a whole collection, or an amount that cannot be read.
        supply: how many base units there are; None where it is not known, as of collections.
        balance: how many the account has; None where it is not known.
    """

    token: str
    spender: str
    amount: int | None
    unlimited: bool
    supply: int | None = None
    balance: int | None = None

    @property
    def exceeds_balance(self) -> bool:
        """Whether it is for more than the account has now, as far as that is known."""
        return self.unlimited or (self.balance is not None and (self.amount or 0) > self.balance)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a node says of a token. `supply`: of all accounts together; `balance`: of the one that is to sign; in base units."""

    supply: int
    balance: int | None


@dataclass(frozen=True, slots=True)
class TypedData:
    """EIP-712 data; what is missing or of another type is "" or None.

    Attributes:
        primary_type: such as `Permit`.
        name, version, verifying_contract, chain_id: of its domain.
        message: unchecked JSON, of which what the types do not name is left out.
        approvals: what a known permit grants.
        account: which account acts on it: a Safe (`SafeTx`), or that of a user operation (`SafeOp`, `PackedUserOperation`); "" else.
        calls: what that account would do, in order; empty where that cannot be opened.
        runs_foreign_code: that account would run code as its own that is not read.
    """

    primary_type: str
    name: str
    version: str
    verifying_contract: str
    chain_id: int | None
    message: Mapping[str, Any]
    approvals: tuple[Approval, ...]
    account: str = ""
    calls: tuple[Call, ...] = ()
    runs_foreign_code: bool = False


@dataclass(frozen=True, slots=True)
class HostedRequest:
    """What a host page wants of the visitor's wallet. Everything but `account`, `chain`, `origin` and `signed_in` is the page's word.

    Attributes:
        method: as hosts and pairings call it, such as `eth_sendTransaction`.
        chain: the network that it is for, which is the one that the account is on.
        account: the connected account that is to sign.
        origin: of the host page.
        signed_in: the visitor has signed in at this page with this account on this network, and the server has verified it.
        calls: what would be sent, in order; empty for what is only signed, and for what is not read (`is_readable`).
        typed_data: of `eth_signTypedData_v4`.
        message: the bytes of `personal_sign` and its like.
        transactions: of Solana, as the page encoded them.
        delegations: contracts that the account, or the account of a user operation, is handed over to (EIP-7702), as far as they can be read.
        runs_foreign_code: an account would run code as its own that is not read (`delegatecall`).
        unread: names of what else the wallet gets and is not read here, such as `authorizationList`.
        max_fee: what the network may take at most by the numbers that the page has set, in base units; 0 where it leaves the price to the wallet.
        holdings: what nodes say of the tokens that `approvals` names, by contract.
        params: JSON as the wallet gets it; a policy has a copy of it.
        at: Unix seconds, when it was read; 0 where nobody has said.
        dangers: what speaks against the permissions that it would grant (`core/permissions/dangers.py`); nothing where it grants none.
    """

    method: str
    chain: ChainId
    account: str
    origin: str
    signed_in: bool = False
    calls: tuple[Call, ...] = ()
    typed_data: TypedData | None = None
    message: bytes | None = None
    transactions: tuple[str, ...] = ()
    delegations: tuple[Authorization, ...] = ()
    runs_foreign_code: bool = False
    unread: tuple[str, ...] = ()
    max_fee: int = 0
    holdings: Mapping[str, Holding] = field(default_factory=dict, repr=False)
    params: Any = field(default=None, repr=False)
    at: int = 0
    dangers: tuple[Danger, ...] = ()

    @property
    def namespace(self) -> Namespace:
        """The namespace of its network."""
        return self.chain.namespace

    @property
    def opaque(self) -> bool:
        """Whether what its method does stands in bytes that are not read here, or not wholly."""
        # The table of methods says how requests are read, and so imports what they are.
        from walletmodal.core.requests.methods import METHODS  # noqa: PLC0415 - imports us

        spec = METHODS[self.namespace].get(self.method)
        return spec is not None and spec.opaque

    @property
    def value(self) -> int:
        """Native coin that all calls send together, in base units; without what calls within them send."""
        return sum(call.value for call in self.calls)

    @property
    def total(self) -> int:
        """`value` and `max_fee` together: what the account may lose of the native coin by the numbers of the page."""
        return self.value + self.max_fee

    @property
    def approvals(self) -> tuple[Approval, ...]:
        """What the calls, those within them, and the typed data grant to others.

        Also an `approve` of 0 where nobody has said that the contract counts: of a collection it grants the item with the number 0.
        """
        granted = (*self._grants(self.calls, taken_back=False), *(self.typed_data.approvals if self.typed_data else ()))
        own = (_compared(one, self.holdings.get(one.token)) for one in granted)
        # What is granted in the name of another account is not compared with what its owner has.
        of_another = self._grants(self.typed_data.calls if self.typed_data else (), taken_back=False)
        return (*own, *of_another)

    @property
    def revocations(self) -> tuple[Approval, ...]:
        """What the calls and those within them take back from others."""
        return tuple(self._grants(self.calls, taken_back=True))

    def _grants(self, calls: Sequence[Call], *, taken_back: bool) -> Iterator[Approval]:
        for call in (inner for outer in calls for inner in outer.all):
            function, token = call.function, call.function.token or call.to
            if function.action in ("approve", "approve_all"):
                revokes = function.revokes and (not function.id_or_amount or token in self.holdings)
                if revokes is taken_back:
                    yield Approval(token, function.receiver, function.amount, function.unlimited)

    @property
    def has_unlimited_approval(self) -> bool:
        """Whether somebody could take all of a token or collection."""
        return any(approval.unlimited for approval in self.approvals)

    @property
    def has_approval_beyond_balance(self) -> bool:
        """Whether somebody could take more of a token than the account has now."""
        return any(approval.exceeds_balance for approval in self.approvals)

    @property
    def is_readable(self) -> bool:
        """Whether all that it can move stands in `calls` and `approvals`.

        Not where a contract is made, an unknown function called or others are called in turn, for typed data that is no known permit, and for user
        operations, permissions, PSBTs and the transactions of Solana; nor where something stands in `unread`.
        """
        if self.opaque or self.unread:
            return False
        if self.typed_data is not None:
            return bool(self.typed_data.approvals)
        return all(call.to and (not call.data or call.function.action != "unknown") for call in self.calls)

    @property
    def summary(self) -> str:
        """One line without secrets: what the audit keeps. At most 200 characters."""
        if self.calls:
            text = "; ".join(_called(call) for call in self.calls[:4])
            text = text if len(self.calls) == 1 else f"{len(self.calls)} calls: {text}"
        elif self.typed_data is not None:
            typed = self.typed_data
            text = f"{typed.primary_type or 'typed data'} of {typed.name or typed.verifying_contract or 'nobody'}"
            text += "".join(f"; {_granted(one)}" for one in typed.approvals[:4])
        elif self.message is not None:
            text = f"message of {len(self.message)} bytes"
        else:
            text = f"{len(self.transactions)} transactions" if self.transactions else ""
        text = "; ".join([*map(_handed_over, self.delegations[:4]), *([text] if text else [])])
        return clean_text(text, limit=MAX_SUMMARY)


def _compared(approval: Approval, holding: Holding | None) -> Approval:
    """With what is known of its token."""
    if holding is None or approval.amount is None:
        return approval
    unlimited = is_unlimited(approval.amount, holding.supply)
    return replace(approval, unlimited=unlimited, supply=holding.supply, balance=holding.balance)


def _handed_over(one: Authorization) -> str:
    where = "every chain" if one.chain_id == ANY_CHAIN else f"chain {one.chain_id}"
    return f"takes its delegation back on {where}" if one.revokes else f"delegates to {one.address} on {where}"


def _called(call: Call) -> str:
    value = f" value {call.value}" if call.value else ""
    if not call.data:
        return f"to {call.to or 'a new contract'}{value}"
    function = call.function
    name = function.name or function.selector or "data"
    if function.owners is not None:
        return f"{name} {_owners(function.owners)} at {call.to or 'a new contract'}{value}"
    amount = " unlimited" if function.unlimited else "" if function.amount is None else f" {function.amount}"
    receiver = f" {function.receiver}" if function.receiver else ""
    return f"{name}{receiver}{amount} at {call.to or 'a new contract'}{value}"


def _owners(change: OwnerChange) -> str:
    added = f"adds {change.added}" if change.added else ""
    removed = f"removes {change.removed}" if change.removed else ""
    threshold = "" if change.threshold is None else f"threshold {change.threshold}"
    return " ".join(one for one in (removed, added, threshold) if one)


def _granted(approval: Approval) -> str:
    amount = "unlimited" if approval.unlimited else str(approval.amount)
    return f"{approval.spender} may take {amount} of {approval.token}"
