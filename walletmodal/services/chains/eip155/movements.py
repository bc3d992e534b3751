"""Token movements of a transaction, read from the logs of its simulation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.transfers.simulation import Asset

MAX_LOGS: Final = 2_000
NATIVE_LOGS: Final = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"
"""Nodes that trace payments of the native coin tell them as transfers of this contract."""

_TRANSFER: Final = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
_SINGLE: Final = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62"
_BATCH: Final = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb"
_UNREADABLE: Final = (KeyError, TypeError, ValueError, AttributeError, DecodingError, OverflowError)


@dataclass(frozen=True, slots=True)
class Movement:
    """So much of something goes from one account to another; addresses in lower case."""

    asset: Asset
    sender: str
    receiver: str
    amount: int


def movements(logs: Sequence[object]) -> list[Movement]:
    """The movements of logs, those that cannot be read left out. ERC-20, ERC-721, ERC-1155 and traced payments.

    Raises:
        ValueError: there are more logs than are read, so that what they tell is not the whole.
    """
    if len(logs) > MAX_LOGS:
        raise ValueError("too many logs")
    found: list[Movement] = []
    for log in logs:
        try:
            found += _movements(log)
        except _UNREADABLE:
            continue
    return found


def changes(moved: Iterable[Movement], account: str) -> Mapping[Asset, int]:
    """By how much the balances of an account change.

    Args:
        moved: all movements.
        account: its address, in any case.
    """
    own = account.lower()
    found: defaultdict[Asset, int] = defaultdict(int)
    for one in moved:
        if one.receiver == own:
            found[one.asset] += one.amount
        if one.sender == own:
            found[one.asset] -= one.amount
    return dict(found)


def _movements(log: object) -> list[Movement]:
    if not isinstance(log, Mapping):
        return []
    contract, topics, data = str(log["address"]), [str(topic).lower() for topic in log["topics"]], str(log["data"])
    if not is_address("eip155", contract.lower()):
        return []
    token = normal_address("eip155", contract.lower())
    raw = bytes.fromhex(data.removeprefix("0x"))
    if topics[:1] == [_TRANSFER] and len(topics) == 3:
        native = token == NATIVE_LOGS
        return [Movement((None if native else token, None), _party(topics[1]), _party(topics[2]), _word(raw))]
    if topics[:1] == [_TRANSFER] and len(topics) == 4:
        return [Movement((token, int(topics[3], 16)), _party(topics[1]), _party(topics[2]), 1)]
    if len(topics) != 4 or topics[0] not in (_SINGLE, _BATCH):
        return []
    if topics[0] == _SINGLE:
        ids, amounts = [_word(raw)], [_word(raw[32:])]
    else:
        ids, amounts = map(list, decode(["uint256[]", "uint256[]"], raw))
    rows = zip(ids, amounts, strict=True)
    return [Movement((token, number), _party(topics[2]), _party(topics[3]), amount) for number, amount in rows]


def _party(topic: str) -> str:
    return f"0x{int(topic, 16) % 2**160:040x}"


def _word(raw: bytes) -> int:
    if len(raw) < 32:
        raise ValueError("too short for a number")
    return int.from_bytes(raw[:32], "big")
