"""The paymaster of one chain (ERC-7677): whoever asks is sponsored, and accounts that hold tokens may pay in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal
from typing import Any, Final

from eth_account import Account
from eth_account.messages import encode_defunct

from walletmodal.core.clock import Clock
from walletmodal.core.errors.codes import INVALID_PARAMS
from walletmodal.core.errors.operations import PAYMASTER_DEPOSIT_TOO_LOW
from walletmodal.core.smart_accounts.user_operation import DUMMY_SIGNATURE, PACKED_TYPE, UserOperation
from walletmodal.sandbox.blockchain.abi import calldata, decoded_number, eth_call, hex_bytes, hex_number
from walletmodal.sandbox.blockchain.chains import NATIVE, Chain
from walletmodal.sandbox.blockchain.failures import ServiceError
from walletmodal.sandbox.blockchain.prices import Prices
from walletmodal.sandbox.bundler import parameters
from walletmodal.sandbox.bundler.refusals import OperationRefusedError
from walletmodal.sandbox.bundler.simulation import Simulation
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.smart_accounts import PAYMASTERS, SPONSOR_KEY, TOKEN_GAS_TREASURY
from walletmodal.sandbox.evm.world import Token

VALID_SECONDS: Final = 3600
"""How long a signature of the paymaster holds."""

CHARGED_POST_OP_GAS: Final = 50_000
"""Gas that an account pays in tokens for the transfer of these."""

_VERIFICATION_LIMIT: Final = 60_000
_POST_OP_LIMIT: Final = 100_000
_NO_POST_OP: Final = 1
_VERIFYING, _TOKEN = 0, 1
"""How the contract pays: for nothing, or against a token."""
_ANY_BUNDLER: Final = 1
_SPONSOR: Final = {"name": "WalletModal sandbox"}
_EXACT: Final = Context(prec=100)
_DOLLAR_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class _TokenGas:
    """A token that gas is paid in, and its base units for 10^18 of the native coin's."""

    token: Token
    rate: int


class Paymaster:
    """Methods of ERC-7677, each over the list of its parameters.

    Args:
        chain: where.
        prices: what tokens are worth.
        clock: the time.
    """

    def __init__(self, chain: Chain, prices: Prices, clock: Clock) -> None:
        self._chain = chain
        self._prices = prices
        self._clock = clock
        self._simulation = Simulation(chain)

    async def stub_data(self, params: Sequence[object]) -> dict[str, Any]:
        """`pm_getPaymasterStubData`: operation, entry point, chain id and context; what gas is estimated with.

        Raises:
            OperationRefusedError: a parameter is wrong, or there is not enough on deposit.
            ServiceError: the node does not answer.
        """
        operation, entry_point, gas_token = await self._asked(params)
        stub = await self._stub(operation, entry_point, gas_token)
        await self._check_deposit(operation, entry_point)
        return {
            "paymaster": stub.paymaster,
            "paymasterData": "0x" + stub.paymaster_data.hex(),
            "paymasterVerificationGasLimit": hex(stub.paymaster_verification_gas_limit),
            "paymasterPostOpGasLimit": hex(stub.paymaster_post_op_gas_limit),
            "sponsor": _SPONSOR,
            "isFinal": False,
        }

    async def data(self, params: Sequence[object]) -> dict[str, str]:
        """`pm_getPaymasterData`: as `stub_data`, with a signature over the operation as it is.

        Raises:
            OperationRefusedError: a parameter is wrong, or there is not enough on deposit.
            ServiceError: the node does not answer.
        """
        operation, entry_point, gas_token = await self._asked(params)
        signed = await self._signed(operation, entry_point, gas_token)
        return {"paymaster": signed.paymaster, "paymasterData": "0x" + signed.paymaster_data.hex()}

    async def sponsor(self, params: Sequence[object]) -> dict[str, str]:
        """`pm_sponsorUserOperation`: operation, entry point and context; estimates the gas, and signs for that.

        Raises:
            OperationRefusedError: a parameter is wrong, the operation would fail, or there is not enough on deposit.
            ServiceError: the node does not answer.
        """
        entry_point, (operation, delegate) = parameters.entry_point(params), parameters.question(params)
        gas_token = await self._gas_token(params[2] if len(params) > 2 else None)
        stub = await self._stub(operation, entry_point, gas_token)
        limits = await self._simulation.estimate(stub, entry_point, delegate=delegate)
        sized = replace(
            stub,
            pre_verification_gas=limits.pre_verification,
            verification_gas_limit=limits.verification,
            call_gas_limit=limits.call,
        )
        signed = await self._signed(sized, entry_point, gas_token)
        fields = ("paymaster", "paymasterData", "paymasterVerificationGasLimit", "paymasterPostOpGasLimit")
        sizes = ("preVerificationGas", "verificationGasLimit", "callGasLimit")
        written = signed.to_json()
        return {name: written[name] for name in (*fields, *sizes)}

    async def token_quotes(self, params: Sequence[object]) -> dict[str, list[dict[str, str]]]:
        """`pimlico_getTokenQuotes`: tokens, entry point and chain id; tokens that gas cannot be paid in are left out.

        Raises:
            OperationRefusedError: a parameter is wrong.
            ServiceError: the node does not answer.
        """
        entry_point = parameters.entry_point(params)
        self._check_chain(params)
        asked = params[0] if isinstance(params[0], Mapping) else {}
        tokens = asked.get("tokens")
        if not isinstance(tokens, list):
            raise OperationRefusedError(INVALID_PARAMS, "the first parameter has a list of tokens")
        known = [found for one in tokens if (found := self._known(one)) is not None]
        prices = await self._prices.of(self._chain)
        native = prices.of(NATIVE)
        if native is None:
            raise ServiceError
        return {
            "quotes": [
                {
                    "paymaster": PAYMASTERS[entry_point],
                    "token": token.address,
                    "postOpGas": hex(CHARGED_POST_OP_GAS),
                    "exchangeRate": hex(_rate(native, price, token.decimals)),
                    "exchangeRateNativeToUsd": hex(int(native.scaleb(_DOLLAR_DECIMALS, _EXACT))),
                }
                for token in known
                if (price := prices.of(token.address.lower()))
            ]
        }

    async def _asked(self, params: Sequence[object]) -> tuple[UserOperation, str, _TokenGas | None]:
        entry_point, (operation, _) = parameters.entry_point(params), parameters.question(params)
        self._check_chain(params)
        return operation, entry_point, await self._gas_token(params[3] if len(params) > 3 else None)

    def _check_chain(self, params: Sequence[object]) -> None:
        given = params[2] if len(params) > 2 else None
        if not isinstance(given, str) or hex_number(given) != self._chain.number:
            raise OperationRefusedError(INVALID_PARAMS, f"the chain id is {hex(self._chain.number)}")

    async def _gas_token(self, context: object) -> _TokenGas | None:
        if context is None:
            return None
        if not isinstance(context, Mapping):
            raise OperationRefusedError(INVALID_PARAMS, "the context is an object")
        wanted = context.get("token")
        if wanted is None:
            return None
        token = self._known(wanted)
        if token is None:
            raise OperationRefusedError(INVALID_PARAMS, "gas cannot be paid in this token")
        prices = await self._prices.of(self._chain)
        native, price = prices.of(NATIVE), prices.of(token.address.lower())
        if not native or not price:
            raise OperationRefusedError(INVALID_PARAMS, "gas cannot be paid in this token now")
        return _TokenGas(token, _rate(native, price, token.decimals))

    def _known(self, address: object) -> Token | None:
        tokens = self._chain.world.tokens
        return next(
            (one for one in tokens if isinstance(address, str) and one.address.lower() == address.lower()), None
        )

    async def _stub(self, operation: UserOperation, entry_point: str, gas_token: _TokenGas | None) -> UserOperation:
        data = _data(gas_token, await self._until()) + DUMMY_SIGNATURE
        return replace(
            operation,
            paymaster=PAYMASTERS[entry_point],
            paymaster_data=data,
            paymaster_verification_gas_limit=_VERIFICATION_LIMIT,
            paymaster_post_op_gas_limit=_POST_OP_LIMIT if gas_token else _NO_POST_OP,
        )

    async def _signed(self, operation: UserOperation, entry_point: str, gas_token: _TokenGas | None) -> UserOperation:
        stub = await self._stub(operation, entry_point, gas_token)
        data = _data(gas_token, await self._until())
        sized = replace(
            stub,
            paymaster_data=data,
            paymaster_verification_gas_limit=operation.paymaster_verification_gas_limit or _VERIFICATION_LIMIT,
            paymaster_post_op_gas_limit=operation.paymaster_post_op_gas_limit or stub.paymaster_post_op_gas_limit,
        )
        await self._check_deposit(sized, entry_point)
        digest = await self._digest(sized, _TOKEN if gas_token else _VERIFYING)
        signature = Account.sign_message(encode_defunct(digest), SPONSOR_KEY).signature
        return replace(sized, paymaster_data=data + bytes(signature))

    async def _digest(self, operation: UserOperation, mode: int) -> bytes:
        asked = call_data(f"getHash(uint8,{PACKED_TYPE})", mode, operation.pack().values)
        call = {"to": operation.paymaster, "data": "0x" + asked.hex()}
        return hex_bytes(await self._chain.node.call("eth_call", call, "latest")) or b""

    async def _check_deposit(self, operation: UserOperation, entry_point: str) -> None:
        asked = eth_call(entry_point, calldata("balanceOf(address)", PAYMASTERS[entry_point]))
        (answer,) = await self._chain.node.ask([asked])
        deposit = decoded_number(answer) or 0
        # A bundler asks for some of it also while nobody knows the cost.
        if deposit < max(operation.max_cost, 1):
            raise OperationRefusedError(PAYMASTER_DEPOSIT_TOO_LOW, "the paymaster's deposit is too low")

    async def _until(self) -> int:
        newest: Any = await self._chain.node.call("eth_getBlockByNumber", "latest", False)
        # A chain whose time was moved stays ahead of the clock until it begins anew.
        return max(int(self._clock.now().timestamp()), hex_number(newest["timestamp"])) + VALID_SECONDS


def _data(gas_token: _TokenGas | None, until: int) -> bytes:
    """What the contract reads, before its signature."""
    times = until.to_bytes(6, "big") + bytes(6)
    if gas_token is None:
        return bytes([_VERIFYING << 1 | _ANY_BUNDLER]) + times
    return b"".join(
        (
            bytes([_TOKEN << 1 | _ANY_BUNDLER, 0]),
            times,
            bytes.fromhex(gas_token.token.address[2:]),
            CHARGED_POST_OP_GAS.to_bytes(16, "big"),
            gas_token.rate.to_bytes(32, "big"),
            _VERIFICATION_LIMIT.to_bytes(16, "big"),
            bytes.fromhex(TOKEN_GAS_TREASURY[2:]),
        )
    )


def _rate(native: Decimal, price: Decimal, decimals: int) -> int:
    """Base units of a token for 10^18 of the native coin's, rounded up."""
    whole = _EXACT.divide(native, price)
    return int(whole.scaleb(decimals, _EXACT).to_integral_value(ROUND_CEILING))
