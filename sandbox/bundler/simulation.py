"""Trying a user operation out: how much gas its parts take, and whether its bundle would go through."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from eth_abi.abi import decode, encode
from eth_utils.crypto import keccak

from walletmodal.core.errors.operations import CALL_REVERTED, REJECTED_BY_PAYMASTER
from walletmodal.core.smart_accounts.authorization import NOBODY, delegated_code
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.core.smart_accounts.user_operation import DUMMY_SIGNATURE, PACKED_TYPE, UserOperation
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.bundler.refusals import OperationRefusedError, entry_point_refusal, revert_reason
from walletmodal.sandbox.evm.artifacts import call_data, creation_code
from walletmodal.sandbox.evm.smart_accounts import BUNDLER

HANDLE_OPS: Final = f"handleOps({PACKED_TYPE}[],address)"
TRACE_GAS: Final = 29_000_000

_SIMULATE: Final = f"simulateHandleOp({PACKED_TYPE},address,bytes)"
_EXECUTION_RESULT: Final = "(uint256,uint256,uint256,uint256,bool,bytes)"
_SIMULATIONS: Final = {ENTRY_POINT_0_7: "EntryPointSimulations07", ENTRY_POINT_0_8: "EntryPointSimulations08"}

_CALL_LIMIT = _VERIFICATION_LIMIT = 5_000_000
_PAYMASTER_LIMIT: Final = 1_000_000
_HIGH_PRICE: Final = 10**15
"""Above any deposit, so that what it takes to pay the prefund is measured too."""
_LOW_PRICE: Final = 10**7
"""With a paymaster: below any deposit, and enough for a token's smallest unit to change hands, which takes the gas that it will take."""
_ENOUGH: Final = 10**30
"""Base units that the account has for that prefund while it is tried out."""

_TRANSACTION_GAS: Final = 21_000
_BUNDLE_GAS: Final = 26_000
"""What the entry point does for a bundle and that no limit of an operation covers."""
_AUTHORIZATION_GAS: Final = 25_000
_VERIFICATION_SPARE, _CALL_SPARE, _POST_OP_SPARE = 10_000, 9_000, 5_000

_VALIDATE, _CREATE, _VALIDATE_PAYMASTER, _POST_OP = (
    "0x" + keccak(text=signature)[:4].hex()
    for signature in (
        f"validateUserOp({PACKED_TYPE},bytes32,uint256)",
        "createSender(bytes)",
        f"validatePaymasterUserOp({PACKED_TYPE},bytes32,uint256)",
        "postOp(uint8,bytes,uint256,uint256)",
    )
)


@dataclass(frozen=True, slots=True)
class GasLimits:
    """The gas that an operation needs; of the paymaster only where it has one."""

    pre_verification: int
    verification: int
    call: int
    paymaster_verification: int | None = None
    paymaster_post_op: int | None = None

    def to_json(self) -> dict[str, str]:
        """Writes them as bundlers answer them."""
        found = {
            "preVerificationGas": self.pre_verification,
            "verificationGasLimit": self.verification,
            "callGasLimit": self.call,
            "paymasterVerificationGasLimit": self.paymaster_verification,
            "paymasterPostOpGasLimit": self.paymaster_post_op,
        }
        return {name: hex(value) for name, value in found.items() if value is not None}


@dataclass(slots=True)
class _Used:
    call: int = 0
    paymaster: int = 0
    post_op: int = 0


class Simulation:
    """Tries user operations out on one chain, by traces of its node and the entry points' own simulation contracts."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._codes: dict[str, str] = {}

    async def estimate(
        self,
        operation: UserOperation,
        entry_point: str,
        *,
        delegate: str = "",
        overrides: Mapping[str, Any] | None = None,
    ) -> GasLimits:
        """Measure an operation that need not be signed.

        Args:
            operation: its gas limits and prices are not looked at.
            entry_point: 0.7 or 0.8.
            delegate: the contract that it delegates its account to, if it does.
            overrides: of the chain's state, by address, as nodes take them.

        Raises:
            OperationRefusedError: it would fail, whatever the limits.
            ServiceError: the node does not answer, or refuses the overrides.
        """
        used = _Used()
        trace = await self._trace(_sized(operation), entry_point, delegate, overrides or {})
        if "error" in trace:
            raise entry_point_refusal(_output(trace))
        _measure(trace, entry_point.lower(), operation.sender.lower(), used)
        ((before, *_),) = decode([_EXECUTION_RESULT], _output(trace))
        # The entry point's own work, such as that for the nonce, is in what it counts before the call.
        verification = int(before) - used.paymaster
        return GasLimits(
            _overhead(operation, authorizes=bool(delegate)),
            _spared(verification, _VERIFICATION_SPARE),
            _spared(used.call, _CALL_SPARE),
            _spared(used.paymaster, _VERIFICATION_SPARE) if operation.paymaster else None,
            _spared(used.post_op, _POST_OP_SPARE) if operation.paymaster else None,
        )

    async def rehearse(self, operation: UserOperation, entry_point: str) -> int:
        """Try the bundle of a signed operation out.

        Returns:
            The gas that it takes.

        Raises:
            OperationRefusedError: the entry point refuses it.
            ServiceError: the node does not answer.
        """
        call = {"from": BUNDLER, "to": entry_point, "data": bundle_data(operation), "gas": hex(TRACE_GAS)}
        signed = operation.authorization
        state = _delegation(operation.sender, signed.authorization.address if signed else "")
        options = {"tracer": "callTracer", "tracerConfig": {"onlyTopCall": True}, "stateOverrides": state}
        trace = await self._traced(call, options)
        if "error" in trace:
            raise entry_point_refusal(_output(trace))
        return int(trace["gasUsed"], 16)

    async def _trace(
        self, operation: UserOperation, entry_point: str, delegate: str, overrides: Mapping[str, Any]
    ) -> dict[str, Any]:
        state: dict[str, Any] = {entry_point.lower(): {"code": await self._code(entry_point)}}
        if not operation.paymaster:
            state[operation.sender.lower()] = {"balance": hex(_ENOUGH)}
        for address, changes in (*_delegation(operation.sender, delegate).items(), *overrides.items()):
            state[address.lower()] = {**state.get(address.lower(), {}), **changes}
        data = call_data(_SIMULATE, operation.pack().values, NOBODY, b"")
        call = {"to": entry_point, "data": "0x" + data.hex(), "gas": hex(TRACE_GAS)}
        return await self._traced(call, {"tracer": "callTracer", "stateOverrides": state})

    async def _traced(self, call: dict[str, str], options: dict[str, Any]) -> dict[str, Any]:
        trace: Any = await self._chain.node.call("debug_traceCall", call, "latest", options)
        return dict(trace)

    async def _code(self, entry_point: str) -> str:
        """The simulation's code as it would be deployed at the entry point, so that its immutables are those of this place."""
        if entry_point not in self._codes:
            code = "0x" + creation_code(_SIMULATIONS[entry_point]).hex()
            call = {"to": entry_point, "data": "0x", "gas": hex(TRACE_GAS)}
            # It refuses to be made from a low block on, 100 for entry point 0.7, so that nobody puts it on a public chain.
            first = {"number": "0x1"}
            made = await self._chain.node.call("eth_call", call, "latest", {entry_point: {"code": code}}, first)
            self._codes[entry_point] = str(made)
        return self._codes[entry_point]


def bundle_data(operation: UserOperation) -> str:
    """The call of the entry point with this operation alone, hexadecimal."""
    return "0x" + call_data(HANDLE_OPS, [operation.pack().values], BUNDLER).hex()


def _sized(operation: UserOperation) -> UserOperation:
    price = _LOW_PRICE if operation.paymaster else _HIGH_PRICE
    paymaster = _PAYMASTER_LIMIT if operation.paymaster else 0
    return replace(
        operation,
        call_gas_limit=_CALL_LIMIT,
        verification_gas_limit=_VERIFICATION_LIMIT,
        pre_verification_gas=0,
        max_fee_per_gas=price,
        max_priority_fee_per_gas=price,
        paymaster_verification_gas_limit=paymaster,
        paymaster_post_op_gas_limit=paymaster,
    )


def _delegation(sender: str, delegate: str) -> dict[str, dict[str, str]]:
    return {sender: {"code": "0x" + delegated_code(delegate).hex()}} if delegate else {}


def _measure(frame: Mapping[str, Any], entry_point: str, sender: str, used: _Used) -> None:
    for inner in frame.get("calls", ()):
        gas, method = int(inner["gasUsed"], 16), str(inner["input"])[:10]
        by_entry_point = inner["from"].lower() == entry_point
        if by_entry_point and method == _VALIDATE_PAYMASTER:
            used.paymaster += gas
        elif by_entry_point and method == _POST_OP:
            used.post_op += gas
            if "error" in inner:
                output = _output(inner)
                raise OperationRefusedError(REJECTED_BY_PAYMASTER, f"postOp reverted: {revert_reason(output)}", output)
        elif method in (_VALIDATE, _CREATE):
            continue
        elif by_entry_point and str(inner.get("to", "")).lower() == sender:
            used.call += gas
            if "error" in inner:
                output = _output(inner)
                raise OperationRefusedError(CALL_REVERTED, f"execution reverted: {revert_reason(output)}", output)
        else:
            _measure(inner, entry_point, sender, used)


def _output(frame: Mapping[str, Any]) -> bytes:
    return bytes.fromhex(str(frame.get("output", "0x"))[2:])


def _spared(gas: int, spare: int) -> int:
    # One part in 64 stays behind at every call, refunds come at the end, and a real signature costs more than a dummy.
    return gas * 115 // 100 + spare


def _overhead(operation: UserOperation, *, authorizes: bool) -> int:
    signed = replace(operation, signature=operation.signature or DUMMY_SIGNATURE)
    data = encode([PACKED_TYPE], [signed.pack().values])
    # Fields that are still empty will have bytes.
    spare = 16 * 32
    gas = _TRANSACTION_GAS + _BUNDLE_GAS + sum(16 if byte else 4 for byte in data) + spare
    return gas + (_AUTHORIZATION_GAS if authorizes else 0)
