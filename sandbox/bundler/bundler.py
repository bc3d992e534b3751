"""The bundler of one chain: estimates user operations, sends each in a bundle of its own, and finds them again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from eth_account import Account

from walletmodal.core.errors.codes import INVALID_PARAMS
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import SignedAuthorization, read_delegation
from walletmodal.core.smart_accounts.user_operation import DELEGATED, UserOperation
from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.failures import NodeRefusedError
from walletmodal.sandbox.bundler import parameters
from walletmodal.sandbox.bundler.mined import MinedOperations
from walletmodal.sandbox.bundler.refusals import OperationRefusedError
from walletmodal.sandbox.bundler.simulation import Simulation, bundle_data
from walletmodal.sandbox.evm.smart_accounts import BUNDLER, BUNDLER_KEY, ENTRY_POINTS

MAX_GAS: Final = 15_000_000
"""Gas that one operation may ask for; a transaction has at most 2^24 (EIP-7825)."""

_TIP: Final = 10**9
_HASH_LENGTH: Final = 66


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An operation whose bundle may not be mined yet."""

    hash: str
    given: Mapping[str, Any]
    entry_point: str
    transaction: str


class Bundler:
    """Methods of ERC-7769, each over the list of its parameters.

    Args:
        chain: where.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._simulation = Simulation(chain)
        self._mined = MinedOperations(chain)
        self._waiting: dict[tuple[str, int], _Waiting] = {}
        self._sending = asyncio.Lock()

    def reset(self) -> None:
        """Forget what waits to be mined."""
        self._waiting.clear()

    async def chain_id(self, _: Sequence[object]) -> str:
        """`eth_chainId`."""
        return hex(self._chain.number)

    async def supported_entry_points(self, _: Sequence[object]) -> list[str]:
        """`eth_supportedEntryPoints`."""
        return list(ENTRY_POINTS)

    async def gas_price(self, _: Sequence[object] = ()) -> dict[str, dict[str, str]]:
        """`pimlico_getUserOperationGasPrice`."""
        base = await self._base_fee()
        return {
            name: {"maxFeePerGas": hex(base * times // 2 + _TIP), "maxPriorityFeePerGas": hex(_TIP)}
            for name, times in (("slow", 3), ("standard", 4), ("fast", 5))
        }

    async def estimate(self, params: Sequence[object]) -> dict[str, str]:
        """`eth_estimateUserOperationGas`: operation, entry point, and overrides of the state.

        Raises:
            OperationRefusedError: it cannot be read, or would fail.
            ServiceError: the node does not answer.
        """
        entry_point, (operation, delegate) = parameters.entry_point(params), parameters.question(params)
        overrides = params[2] if len(params) > 2 and params[2] is not None else {}
        if not isinstance(overrides, Mapping) or not all(isinstance(one, Mapping) for one in overrides.values()):
            raise OperationRefusedError(INVALID_PARAMS, "overrides are objects by address")
        try:
            limits = await self._simulation.estimate(operation, entry_point, delegate=delegate, overrides=overrides)
        except NodeRefusedError as error:
            raise OperationRefusedError(INVALID_PARAMS, f"the node cannot try it out: {error}") from error
        return limits.to_json()

    async def send(self, params: Sequence[object]) -> str:
        """`eth_sendUserOperation`: operation and entry point; the answer is the operation's hash.

        Raises:
            OperationRefusedError: it cannot be read, pays too little, or its bundle would not go through.
            ServiceError: the node does not answer.
        """
        entry_point, operation = parameters.entry_point(params), parameters.operation(params)
        if operation.gas > MAX_GAS:
            raise OperationRefusedError(INVALID_PARAMS, f"an operation has at most {MAX_GAS} gas in all")
        base = await self._base_fee()
        if operation.max_fee_per_gas < base:
            raise OperationRefusedError(INVALID_PARAMS, f"maxFeePerGas must be at least {base}, the base fee")
        if operation.authorization:
            await self._check(operation, operation.authorization)
        operation_hash = await self._hash(operation, entry_point)
        given = params[0] if isinstance(params[0], Mapping) else {}
        async with self._sending:
            waiting = await self._waiting_for(operation)
            if waiting is not None and waiting.hash == operation_hash:
                return operation_hash
            if waiting is not None:
                raise OperationRefusedError(INVALID_PARAMS, "another operation with this nonce waits to be mined")
            transaction = await self._bundle(operation, entry_point, base)
            self._waiting[operation.sender, operation.nonce] = _Waiting(operation_hash, given, entry_point, transaction)
        return operation_hash

    async def by_hash(self, params: Sequence[object]) -> dict[str, Any] | None:
        """`eth_getUserOperationByHash`.

        Raises:
            OperationRefusedError: the parameter is no hash.
            ServiceError: the node does not answer.
        """
        wanted = _hash_of(params)
        found = await self._mined.handed_in(wanted)
        if found is not None:
            return found
        waiting = next((one for one in self._waiting.values() if one.hash == wanted), None)
        if waiting is None or await self._is_gone(waiting):
            return None
        nowhere = {"blockHash": None, "blockNumber": None}
        return {
            "userOperation": dict(waiting.given),
            "entryPoint": waiting.entry_point,
            "transactionHash": waiting.transaction,
            **nowhere,
        }

    async def receipt(self, params: Sequence[object]) -> dict[str, Any] | None:
        """`eth_getUserOperationReceipt`; None until it is mined.

        Raises:
            OperationRefusedError: the parameter is no hash.
            ServiceError: the node does not answer.
        """
        return await self._mined.told(_hash_of(params))

    async def _bundle(self, operation: UserOperation, entry_point: str, base_fee: int) -> str:
        gas = await self._simulation.rehearse(operation, entry_point)
        count = await self._chain.node.call("eth_getTransactionCount", BUNDLER, "pending")
        transaction: dict[str, Any] = {
            "chainId": self._chain.number,
            "nonce": hex_number(count),
            "to": entry_point,
            "value": 0,
            "data": bundle_data(operation),
            # The entry point insists on all the gas that the operation's limits name, used or not.
            "gas": max(gas, operation.gas) * 13 // 12 + 200_000,
            "maxFeePerGas": 2 * base_fee + _TIP,
            "maxPriorityFeePerGas": _TIP,
        }
        if operation.authorization:
            transaction["authorizationList"] = [_numbers(operation.authorization)]
        signed = Account.sign_transaction(transaction, BUNDLER_KEY).raw_transaction
        return str(await self._chain.node.call("eth_sendRawTransaction", "0x" + bytes(signed).hex()))

    async def _check(self, operation: UserOperation, signed: SignedAuthorization) -> None:
        # A transaction goes through without an authorization that does not hold, and the operation would fail behind it.
        if not signed.authorization.is_for(self._chain.number):
            raise OperationRefusedError(INVALID_PARAMS, "the authorization is for another chain")
        if parameters.authority(signed) != operation.sender:
            raise OperationRefusedError(INVALID_PARAMS, "the authorization is not signed by the sender")
        count = hex_number(await self._chain.node.call("eth_getTransactionCount", operation.sender, "latest"))
        if signed.authorization.nonce != count:
            raise OperationRefusedError(INVALID_PARAMS, f"the authorization's nonce must be {count}")

    async def _hash(self, operation: UserOperation, entry_point: str) -> str:
        delegate = ""
        if operation.factory == DELEGATED and operation.authorization is None:
            code = str(await self._chain.node.call("eth_getCode", operation.sender, "latest"))
            delegate = read_delegation(bytes.fromhex(code[2:]))
        try:
            return "0x" + operation.hash(entry_point, self._chain.number, delegate=delegate).hex()
        except PayloadError as error:
            raise parameters.unreadable(error) from error

    async def _waiting_for(self, operation: UserOperation) -> _Waiting | None:
        """The operation of this account and nonce whose bundle is not mined; those that are, are forgotten."""
        key = operation.sender, operation.nonce
        waiting = self._waiting.get(key)
        if waiting is not None and await self._is_gone(waiting):
            del self._waiting[key]
            return None
        return waiting

    async def _is_gone(self, waiting: _Waiting) -> bool:
        """Whether the node has mined the bundle, or has it no longer."""
        found = await self._chain.node.call("eth_getTransactionByHash", waiting.transaction)
        return not isinstance(found, dict) or found.get("blockNumber") is not None

    async def _base_fee(self) -> int:
        newest: Any = await self._chain.node.call("eth_getBlockByNumber", "latest", False)
        return hex_number(newest["baseFeePerGas"])


def _numbers(signed: SignedAuthorization) -> dict[str, Any]:
    return {
        "chainId": signed.authorization.chain_id,
        "address": signed.authorization.address,
        "nonce": signed.authorization.nonce,
        "yParity": signed.y_parity,
        "r": signed.r,
        "s": signed.s,
    }


def _hash_of(params: Sequence[object]) -> str:
    given = params[0] if params else None
    try:
        if isinstance(given, str) and len(given) == _HASH_LENGTH and given.startswith("0x"):
            return "0x" + bytes.fromhex(given[2:]).hex()
    except ValueError:
        pass
    raise OperationRefusedError(INVALID_PARAMS, "the first parameter is the hash of a user operation")
