"""Events of contracts as movements and approvals: ERC-20, ERC-721, ERC-1155 and WETH9. Any contract may emit anything."""

from collections.abc import Iterable
from typing import Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError

from walletmodal.sandbox.blockchain.abi import hex_bytes, topic, topic_address
from walletmodal.sandbox.blockchain.chains import ZERO_ADDRESS
from walletmodal.sandbox.blockchain.history.facts import Movement

MAX_BATCH_IDS: Final = 100
"""Tokens of one TransferBatch that are looked at."""

_TRANSFER: Final = topic("Transfer(address,address,uint256)")
_APPROVAL: Final = topic("Approval(address,address,uint256)")
_APPROVAL_FOR_ALL: Final = topic("ApprovalForAll(address,address,bool)")
_TRANSFER_SINGLE: Final = topic("TransferSingle(address,address,address,uint256,uint256)")
_TRANSFER_BATCH: Final = topic("TransferBatch(address,address,address,uint256[],uint256[])")
_DEPOSIT: Final = topic("Deposit(address,uint256)")
_WITHDRAWAL: Final = topic("Withdrawal(address,uint256)")


def movements(logs: Iterable[object], wrapped: str) -> tuple[Movement, ...]:
    """What changed hands according to the logs of a transaction.

    Args:
        logs: as a receipt has them.
        wrapped: the chain's WETH9, lower case; it tells of wrapping and unwrapping in events of its own.
    """
    found: list[Movement] = []
    for log in logs:
        if isinstance(log, dict):
            found += _of_log(log, wrapped)
    return tuple(found)


def approvers(logs: Iterable[object]) -> frozenset[str]:
    """Who allowed someone something.

    Many tokens also tell of what is left of an allowance whenever some of it was used; that is no approval.
    """
    allowed: set[tuple[str, str]] = set()
    used: set[tuple[str, str]] = set()
    for log in logs:
        topics = log.get("topics") if isinstance(log, dict) else None
        if isinstance(log, dict) and isinstance(topics, list) and len(topics) >= 3:
            place = (str(log.get("address", "")).lower(), topic_address(topics[1]))
            if topics[0] in (_APPROVAL, _APPROVAL_FOR_ALL):
                allowed.add(place)
            elif topics[0] == _TRANSFER:
                used.add(place)
    return frozenset(owner for _, owner in allowed - used) - {ZERO_ADDRESS}


def _of_log(log: dict[str, object], wrapped: str) -> list[Movement]:
    topics, data = log.get("topics"), hex_bytes(log.get("data"))
    contract = str(log.get("address", "")).lower()
    if not isinstance(topics, list) or not topics or data is None:
        return []
    if topics[0] == _TRANSFER:
        return _transfer(contract, topics, data)
    if topics[0] in (_TRANSFER_SINGLE, _TRANSFER_BATCH) and len(topics) == 4:
        return _multi_token(contract, topics, data)
    if contract == wrapped and len(topics) == 2 and len(data) == 32:
        account, amount = topic_address(topics[1]), int.from_bytes(data, "big")
        if topics[0] == _DEPOSIT:
            return [Movement("erc20", contract, ZERO_ADDRESS, account, amount)]
        if topics[0] == _WITHDRAWAL:
            return [Movement("erc20", contract, account, ZERO_ADDRESS, amount)]
    return []


def _transfer(contract: str, topics: list[object], data: bytes) -> list[Movement]:
    if len(topics) == 3 and len(data) == 32:
        sender, recipient = topic_address(topics[1]), topic_address(topics[2])
        return [Movement("erc20", contract, sender, recipient, int.from_bytes(data, "big"))]
    if len(topics) == 4 and not data:
        token_id = int(str(topics[3]), 16)
        return [Movement("erc721", contract, topic_address(topics[1]), topic_address(topics[2]), 1, token_id)]
    return []


def _multi_token(contract: str, topics: list[object], data: bytes) -> list[Movement]:
    sender, recipient = topic_address(topics[2]), topic_address(topics[3])
    try:
        if topics[0] == _TRANSFER_SINGLE:
            one_id, one_amount = decode(("uint256", "uint256"), data)
            pairs = [(int(one_id), int(one_amount))]
        else:
            ids, amounts = decode(("uint256[]", "uint256[]"), data)
            pairs = list(zip(map(int, ids), map(int, amounts), strict=False))[:MAX_BATCH_IDS]
    except (DecodingError, OverflowError):
        return []
    return [Movement("erc1155", contract, sender, recipient, amount, token_id) for token_id, amount in pairs]
