"""User operations that were mined, read from the chain: whoever bundled them, and after any restart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.smart_accounts.user_operation import DELEGATED, PACKED_TYPE
from walletmodal.sandbox.blockchain.chains import ZERO_ADDRESS, Chain
from walletmodal.sandbox.bundler.refusals import revert_reason
from walletmodal.sandbox.bundler.simulation import HANDLE_OPS
from walletmodal.sandbox.evm.smart_accounts import ENTRY_POINTS

_EVENT, _REVERTED, _BEFORE_EXECUTION = (
    "0x" + keccak(text=signature).hex()
    for signature in (
        "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)",
        "UserOperationRevertReason(bytes32,address,uint256,bytes)",
        "BeforeExecution()",
    )
)
_HANDLE_OPS: Final = keccak(text=HANDLE_OPS)[:4]
_KNOWN: Final = frozenset(map(str.lower, ENTRY_POINTS))


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedOperation:
    """What the entry point told of one operation.

    Attributes:
        hash: by which the entry point knows it.
        entry_point, sender: addresses.
        paymaster: the contract that has paid; the zero address where the account has.
        nonce: of the operation.
        success: whether the account's call went through.
        cost: in base units of the native coin.
        gas: that was paid for.
        reason: why the call failed, where it told.
        transaction: the hash of the bundle's transaction.
        log_index: of the event in its block.
    """

    hash: str
    entry_point: str
    sender: str
    paymaster: str
    nonce: int
    success: bool
    cost: int
    gas: int
    reason: str
    transaction: str
    log_index: int

    @property
    def is_sponsored(self) -> bool:
        """Whether a paymaster has paid."""
        return self.paymaster != ZERO_ADDRESS


class MinedOperations:
    """The operations of one chain."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    async def find(self, operation_hash: str) -> MinedOperation | None:
        """The operation with this hash.

        Raises:
            ServiceError: the node does not answer.
        """
        wanted = {"fromBlock": "0x0", "address": list(ENTRY_POINTS), "topics": [_EVENT, operation_hash]}
        logs: Any = await self._chain.node.call("eth_getLogs", wanted)
        if not logs:
            return None
        receipt = await self.receipt(logs[0]["transactionHash"])
        return next((one for one in operations_of(receipt) if one.hash == operation_hash), None) if receipt else None

    async def receipt(self, transaction: str) -> dict[str, Any] | None:
        """The receipt of a transaction.

        Raises:
            ServiceError: the node does not answer.
        """
        found = await self._chain.node.call("eth_getTransactionReceipt", transaction)
        return found if isinstance(found, dict) else None

    async def told(self, operation_hash: str) -> dict[str, Any] | None:
        """What `eth_getUserOperationReceipt` answers."""
        found = await self.find(operation_hash)
        receipt = await self.receipt(found.transaction) if found else None
        if found is None or receipt is None:
            return None
        answer = {
            "userOpHash": found.hash,
            "entryPoint": found.entry_point,
            "sender": found.sender,
            "nonce": hex(found.nonce),
            "paymaster": found.paymaster,
            "actualGasCost": hex(found.cost),
            "actualGasUsed": hex(found.gas),
            "success": found.success,
            "logs": _own_logs(receipt["logs"], found),
            "receipt": receipt,
        }
        return answer | ({"reason": found.reason} if found.reason else {})

    async def handed_in(self, operation_hash: str) -> dict[str, Any] | None:
        """What `eth_getUserOperationByHash` answers; None also where the bundle is no plain call of the entry point."""
        found = await self.find(operation_hash)
        if found is None:
            return None
        transaction: Any = await self._chain.node.call("eth_getTransactionByHash", found.transaction)
        operation = _read_bundle(bytes.fromhex(transaction["input"][2:]), found)
        if operation is None:
            return None
        return {
            "userOperation": operation,
            "entryPoint": found.entry_point,
            "transactionHash": found.transaction,
            "blockHash": transaction["blockHash"],
            "blockNumber": transaction["blockNumber"],
        }


def operations_of(receipt: Mapping[str, Any]) -> list[MinedOperation]:
    """The operations that a transaction's receipt tells of, in their order."""
    return [_operation(log, receipt["logs"]) for log in receipt["logs"] if _is_event(log, _EVENT)]


def _operation(log: Mapping[str, Any], logs: Sequence[Mapping[str, Any]]) -> MinedOperation:
    nonce, success, cost, gas = decode(["uint256", "bool", "uint256", "uint256"], bytes.fromhex(log["data"][2:]))
    operation_hash = str(log["topics"][1])
    failed = (one for one in logs if _is_event(one, _REVERTED) and one["topics"][1] == operation_hash)
    reasons = [decode(["uint256", "bytes"], bytes.fromhex(one["data"][2:]))[1] for one in failed]
    return MinedOperation(
        hash=operation_hash,
        entry_point=to_checksum_address(log["address"]),
        sender=to_checksum_address("0x" + log["topics"][2][-40:]),
        paymaster=to_checksum_address("0x" + log["topics"][3][-40:]),
        nonce=nonce,
        success=success,
        cost=cost,
        gas=gas,
        reason=revert_reason(reasons[0]) if reasons else "",
        transaction=str(log["transactionHash"]),
        log_index=int(log["logIndex"], 16),
    )


def _is_event(log: Mapping[str, Any], topic: str) -> bool:
    return bool(log["topics"]) and log["topics"][0] == topic and log["address"].lower() in _KNOWN


def _own_logs(logs: Sequence[Mapping[str, Any]], operation: MinedOperation) -> list[Mapping[str, Any]]:
    """The logs of an operation: those since the operation before it, or since the validation of all."""
    begin = 0
    for position, log in enumerate(logs):
        if int(log["logIndex"], 16) >= operation.log_index:
            return list(logs[begin:position])
        if _is_event(log, _EVENT) or _is_event(log, _BEFORE_EXECUTION):
            begin = position + 1
    return []


def _read_bundle(data: bytes, wanted: MinedOperation) -> dict[str, str] | None:
    if data[:4] != _HANDLE_OPS:
        return None
    try:
        operations, _ = decode([f"{PACKED_TYPE}[]", "address"], data[4:])
    except DecodingError:
        return None
    sent = (one for one in operations if to_checksum_address(one[0]) == wanted.sender and one[1] == wanted.nonce)
    return next(map(_unpacked, sent), None)


def _unpacked(packed: Sequence[Any]) -> dict[str, str]:
    sender, nonce, init_code, data, limits, pre_verification_gas, fees, paymaster, signature = packed
    written = {
        "sender": to_checksum_address(sender),
        "nonce": hex(nonce),
        "callData": "0x" + data.hex(),
        **_pair("verificationGasLimit", "callGasLimit", limits),
        "preVerificationGas": hex(pre_verification_gas),
        **_pair("maxPriorityFeePerGas", "maxFeePerGas", fees),
        "signature": "0x" + signature.hex(),
    }
    if init_code:
        is_delegated = init_code[:20] == bytes.fromhex(DELEGATED[2:]).ljust(20, b"\0")
        factory = DELEGATED if is_delegated else to_checksum_address(init_code[:20])
        written |= {"factory": factory, "factoryData": "0x" + init_code[20:].hex()}
    if paymaster:
        written |= {"paymaster": to_checksum_address(paymaster[:20]), "paymasterData": "0x" + paymaster[52:].hex()}
        written |= _pair("paymasterVerificationGasLimit", "paymasterPostOpGasLimit", paymaster[20:52])
    return written


def _pair(high: str, low: str, word: bytes) -> dict[str, str]:
    return {high: hex(int.from_bytes(word[:16], "big")), low: hex(int.from_bytes(word[16:32], "big"))}
