"""Decoding of contract call data, as far as it is one of the functions that move or open up what an account owns.

Read as the most lenient contract would: older compilers take addresses with something in their upper bytes, arguments that are cut off
and bytes behind the last one, and whoever wants to pass unseen would use that.
"""

from dataclasses import dataclass
from typing import Final, Literal

from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

Action = Literal["transfer", "approve", "approve_all", "unknown"]
"""transfer: something changes hands. approve: somebody may take so much of a token. approve_all: all of a collection. unknown: anything."""

UNLIMITED_FROM: Final = 2**96 - 1
"""What tokens that count in 96 bits mean by all, and more base units than nearly any token has: who is granted that many may take all, today's and tomorrow's."""
_MORE_THAN_ANY: Final = 2**128
_EVERYTHING: Final = 2**256 - 1
_WORD: Final = 32
_SELECTOR: Final = 4

Part = Literal["sender", "receiver", "token", "amount", "id", "granted", "id_or_amount", "until", "skipped"]
"""What an argument is; `id_or_amount` where fungible tokens and collections have the same function, and only the contract knows."""

OwnerPart = Literal["added", "removed", "threshold", "skipped"]


@dataclass(frozen=True, slots=True)
class OwnerChange:
    """A change of who controls a Safe.

    Attributes:
        added: who is an owner from then on; "" for nobody.
        removed: who is none any more; "" for nobody.
        threshold: how many owners must sign together from then on; None where that stays.
    """

    added: str = ""
    removed: str = ""
    threshold: int | None = None


@dataclass(frozen=True, slots=True)
class Function:
    """The function that call data calls.

    Attributes:
        selector: `0x` and eight hexadecimal digits; "" for call data of less than four bytes.
        signature: such as `transfer(address,uint256)`; "" for a function that is not among the known ones.
        action: what it does.
        token: whose token, where it is not that of the called contract; "" else.
        sender: from whom, or who grants; "" where it is the account itself.
        receiver: who gets it, or who may take it.
        amount: base units; None where the function has none, as where a collection is opened up as a whole.
        token_id: of an NFT, where the function says so.
        id_or_amount: `amount` may be the id of an NFT instead: only the contract knows.
        unlimited: more is granted than any token has.
        revokes: the grant is taken back.
        until: when the grant ends, in Unix seconds; None where the function does not say, 0 for at once.
        owners: of a Safe's function for who controls it; of another contract nobody knows what a function of this name does, so `action` is `unknown`.
    """

    selector: str
    signature: str = ""
    action: Action = "unknown"
    token: str = ""
    sender: str = ""
    receiver: str = ""
    amount: int | None = None
    token_id: int | None = None
    id_or_amount: bool = False
    unlimited: bool = False
    revokes: bool = False
    until: int | None = None
    owners: OwnerChange | None = None

    @property
    def name(self) -> str:
        """Such as `transfer`; "" for an unknown one."""
        return self.signature.partition("(")[0]


_KNOWN: Final[tuple[tuple[str, Action, tuple[Part, ...]], ...]] = (
    # ERC-20 and, under the same selectors, ERC-721.
    ("transfer(address,uint256)", "transfer", ("receiver", "amount")),
    ("transferFrom(address,address,uint256)", "transfer", ("sender", "receiver", "id_or_amount")),
    ("approve(address,uint256)", "approve", ("receiver", "id_or_amount")),
    ("increaseAllowance(address,uint256)", "approve", ("receiver", "amount")),
    ("increaseApproval(address,uint256)", "approve", ("receiver", "amount")),
    # ERC-777, ERC-677, ERC-1363.
    ("send(address,uint256,bytes)", "transfer", ("receiver", "amount")),
    ("authorizeOperator(address)", "approve_all", ("receiver",)),
    ("transferAndCall(address,uint256)", "transfer", ("receiver", "amount")),
    ("transferAndCall(address,uint256,bytes)", "transfer", ("receiver", "amount")),
    ("approveAndCall(address,uint256)", "approve", ("receiver", "amount")),
    ("approveAndCall(address,uint256,bytes)", "approve", ("receiver", "amount")),
    # Collections: ERC-721, ERC-1155.
    ("setApprovalForAll(address,bool)", "approve_all", ("receiver", "granted")),
    ("safeTransferFrom(address,address,uint256)", "transfer", ("sender", "receiver", "id")),
    ("safeTransferFrom(address,address,uint256,bytes)", "transfer", ("sender", "receiver", "id")),
    ("safeTransferFrom(address,address,uint256,uint256,bytes)", "transfer", ("sender", "receiver", "id", "amount")),
    ("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", "transfer", ("sender", "receiver")),
    # Permits that somebody has signed: EIP-2612, and DAI's own.
    (
        "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
        "approve",
        ("sender", "receiver", "amount"),
    ),
    (
        "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
        "approve",
        ("sender", "receiver", "skipped", "skipped", "granted"),
    ),
    # Permit2, which keeps grants of its own.
    ("approve(address,address,uint160,uint48)", "approve", ("token", "receiver", "amount", "until")),
    ("transferFrom(address,address,uint160,address)", "transfer", ("sender", "receiver", "amount", "token")),
)


def selector(signature: str) -> str:
    """The first four bytes by which a contract knows a function, in hex with `0x`."""
    return "0x" + keccak(text=signature)[:_SELECTOR].hex()


KNOWN_FUNCTIONS: Final = {selector(signature): (signature, action, parts) for signature, action, parts in _KNOWN}
"""By selector."""


_OWNER_CHANGES: Final[tuple[tuple[str, tuple[OwnerPart, ...]], ...]] = (
    ("addOwnerWithThreshold(address,uint256)", ("added", "threshold")),
    ("removeOwner(address,address,uint256)", ("skipped", "removed", "threshold")),
    ("swapOwner(address,address,address)", ("skipped", "removed", "added")),
    ("changeThreshold(uint256)", ("threshold",)),
)
_CHANGES_BY_SELECTOR: Final = {selector(signature): (signature, parts) for signature, parts in _OWNER_CHANGES}


def is_unlimited(amount: int, supply: int | None = None) -> bool:
    """Whether a grant of so many base units is one of everything.

    Args:
        amount: what is granted.
        supply: how many there are; None where nobody has said.
    """
    return amount >= (min(supply, _MORE_THAN_ANY) if supply else UNLIMITED_FROM)


def decode_call(data: bytes) -> Function:
    """Decodes the function that call data calls. Never fails: what is unknown has its selector alone."""
    if len(data) < _SELECTOR:
        return Function("")
    known = KNOWN_FUNCTIONS.get("0x" + data[:_SELECTOR].hex())
    if known is None:
        return _decode_owner_change(data)
    signature, action, parts = known
    found = {part: _word(data, index) for index, part in enumerate(parts)}
    amount, granted = found.get("amount", found.get("id_or_amount")), found.get("granted", 1)
    if action == "approve" and "granted" in parts:
        amount = _EVERYTHING if granted else 0
    grants = action == "approve_all" or (action == "approve" and is_unlimited(amount or 0))
    return Function(
        selector="0x" + data[:_SELECTOR].hex(),
        signature=signature,
        action=action,
        token=_address(found.get("token")),
        sender=_address(found.get("sender")),
        receiver=_address(found.get("receiver")),
        amount=amount,
        token_id=found.get("id"),
        id_or_amount="id_or_amount" in parts,
        unlimited=grants and granted != 0,
        revokes=granted == 0 or (action == "approve" and amount == 0),
        until=found.get("until"),
    )


def _decode_owner_change(data: bytes) -> Function:
    found = "0x" + data[:_SELECTOR].hex()
    signature, parts = _CHANGES_BY_SELECTOR.get(found, ("", ()))
    words = {part: _word(data, index) for index, part in enumerate(parts)}
    change = OwnerChange(_address(words.get("added")), _address(words.get("removed")), words.get("threshold"))
    return Function(found, signature, owners=change if signature else None)


def _word(data: bytes, index: int) -> int:
    start = _SELECTOR + index * _WORD
    return int.from_bytes(data[start : start + _WORD].ljust(_WORD, b"\0"), "big")


def _address(word: int | None) -> str:
    return "" if word is None else str(to_checksum_address("0x" + word.to_bytes(_WORD, "big")[12:].hex()))
