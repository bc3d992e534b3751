"""Transfers of the native coin and of ERC-20 tokens as wallets take them, built with web3 over our transport."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Final, TypeVar

from eth_utils.crypto import keccak

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import AmountError, MalformedResponseError, TransportError
from walletmodal.core.errors.nodes import NodeError, classify_node_error
from walletmodal.core.transfers.fees import FeeQuote, Speed
from walletmodal.core.transfers.send import Transfer
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.eip155.data_fee import data_fee
from walletmodal.services.chains.eip155.fees import (
    FEE_BLOCKS,
    PERCENTILES,
    Fees,
    History,
    chosen,
    fees_by_speed,
    most_for_data,
    one_price,
    quote,
)
from walletmodal.services.chains.eip155.tokens import Erc20Tokens
from walletmodal.services.chains.sent_token import check_decimals, sent_token
from walletmodal.services.rpc.transport import RpcTransport
from walletmodal.services.rpc.web3_library import AsyncWeb3, ContractLogicError, Web3RPCError
from walletmodal.services.rpc.web3_provider import web3_over

PLAIN_TRANSFER_GAS: Final = 21_000
TOKEN_TRANSFER_GAS: Final = 80_000
"""Where a token's contract cannot be asked how much it takes: more than the common ones do."""
MAX_UINT256: Final = 2**256 - 1
_LONG_AMOUNT: Final = 0x1_23_45_67_89_AB_CD_EF_01_23
"""Of ten bytes, enough for a million coins, of which none is zero: hardly any amount costs more as data."""

_REVERTED: Final = 3
_TRANSFER_ABI: Final[Sequence[dict[str, object]]] = (
    {
        "type": "function",
        "name": "transfer",
        "stateMutability": "nonpayable",
        "inputs": [{"name": "to", "type": "address"}, {"name": "amount", "type": "uint256"}],
        # Some tokens answer with nothing (USDT); nobody reads it here.
        "outputs": [],
    },
)
T = TypeVar("T")


class EvmTransfers:
    """Builds the transfers of one network.

    Args:
        transport: the way to its nodes.
    """

    def __init__(self, transport: RpcTransport) -> None:
        self._transport = transport
        self._w3 = web3_over(transport)
        # It would ask for the chain's id before every estimate; the id goes to the wallet, which compares it with its own.
        self._w3.middleware_onion.remove("validation")

    async def build(
        self, sender: str, transfer: Transfer, speed: Speed = "normal", *, sponsored: bool = False
    ) -> PreparedTransfer:
        """The parameters of `eth_sendTransaction`, with gas, fees and nonce as the node sees them now.

        What is `sponsored` may cost more gas than the account can pay.

        Raises:
            AddressError: sender, receiver or token are no addresses, or the token is of another network.
            AmountError: more than 2^256 - 1.
            NetworkError: there is no ERC-20 contract at the token's address.
            NodeError: the node says that it would fail.
            SendError: the token has other decimals than those that the amount was read with.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        if transfer.base_units > MAX_UINT256:
            raise AmountError("The amount is too large", details="more than 2^256 - 1")
        account, receiver = normal_address("eip155", sender), normal_address("eip155", transfer.receiver)
        contract = sent_token(transfer)
        if contract is None:
            call = {"from": account, "to": receiver, "value": hex(transfer.base_units), "data": "0x"}
        else:
            call = {
                "from": account,
                "to": contract,
                "value": "0x0",
                "data": self._transfer_data(receiver, transfer.base_units),
            }
        prepared, _ = await asyncio.gather(
            self.build_call(transfer.chain, call, speed, sponsored=sponsored), self._check_token(contract, transfer)
        )
        return prepared

    async def build_call(
        self, chain: ChainId, call: dict[str, str], speed: Speed = "normal", *, sponsored: bool = False
    ) -> PreparedTransfer:
        """As `build`, of a contract's call: checked `from` and `to`, `value` and `data` hexadecimal.

        Raises:
            NodeError: the node says that it would fail.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        gas, nonce, by_speed, balance, data = await asyncio.gather(
            self._gas(call, chain),
            self._nonce(call["from"], chain),
            self._fees(chain),
            self._balance(call["from"], chain),
            data_fee(self._transport, chain, call),
        )
        fees = chosen(by_speed, speed)
        if not sponsored:
            fees = fees.within(gas, balance - int(call["value"], 16) - (data or 0))
        request = {**call, "chainId": hex(chain.number), "gas": hex(gas), "nonce": hex(nonce), **fees.fields()}
        return PreparedTransfer(
            chain,
            "eth_sendTransaction",
            [request],
            fee=gas * fees.most + most_for_data(data or 0),
            speed=speed if speed in by_speed else "normal",
            quote=quote(by_speed, gas, data),
        )

    async def gas_price(self, chain: ChainId) -> int:
        """Returns the most that a unit of gas costs at normal speed, in wei. Raises TransportError."""
        return chosen(await self._fees(chain), "normal").most

    async def fee(self, chain: ChainId, sender: str, token: str | None) -> FeeQuote:
        """What a transfer costs before its amount and receiver are known: to an account that has had nothing of the token yet.

        Raises:
            AddressError: sender or token are no addresses.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        account = normal_address("eip155", sender)
        contract = None if token is None else normal_address("eip155", token)
        stranger = AsyncWeb3.to_checksum_address(keccak(text=account)[-20:])
        if contract is None:
            call = {"from": account, "to": stranger, "value": hex(_LONG_AMOUNT), "data": "0x"}
        else:
            call = {"from": account, "to": contract, "value": "0x0", "data": self._transfer_data(stranger, 1)}
        gas, by_speed, data = await asyncio.gather(
            self._likely_gas(call, chain, plain=contract is None),
            self._fees(chain),
            data_fee(self._transport, chain, call),
        )
        return quote(by_speed, gas, data)

    async def _likely_gas(self, call: dict[str, str], chain: ChainId, *, plain: bool) -> int:
        if plain:
            return PLAIN_TRANSFER_GAS
        try:
            return await self._gas(call, chain)
        except NodeError:
            # It refuses who has none of it; that is told when there is an amount.
            return TOKEN_TRANSFER_GAS

    async def _check_token(self, contract: str | None, transfer: Transfer) -> None:
        if contract is not None:
            check_decimals(transfer, await Erc20Tokens(self._transport, transfer.chain).decimals(contract))

    def _transfer_data(self, receiver: str, amount: int) -> str:
        return str(self._w3.eth.contract(abi=_TRANSFER_ABI).encode_abi("transfer", args=[receiver, amount]))

    async def _gas(self, call: dict[str, str], chain: ChainId) -> int:
        """The estimate; with a quarter on top where a contract runs, for it may do more by the time it runs."""
        asked: Any = {**call, "value": int(call["value"], 16)}
        gas = _whole(await _answer(self._w3.eth.estimate_gas(asked), chain), chain)
        return gas if gas <= PLAIN_TRANSFER_GAS else gas + gas // 4

    async def _nonce(self, account: str, chain: ChainId) -> int:
        checked = AsyncWeb3.to_checksum_address(account)
        return _whole(await _answer(self._w3.eth.get_transaction_count(checked, "pending"), chain), chain)

    async def _balance(self, account: str, chain: ChainId) -> int:
        checked = AsyncWeb3.to_checksum_address(account)
        return _whole(await _answer(self._w3.eth.get_balance(checked), chain), chain)

    async def _fees(self, chain: ChainId) -> Mapping[Speed, Fees]:
        """By the base fee of the next block and the tips that others pay; where the chain has no base fee, its gas price."""
        price, history = await asyncio.gather(
            _answer(_price(self._w3), chain), _history(self._w3, chain), return_exceptions=True
        )
        if isinstance(history, BaseException) or not history.base_fees:
            if isinstance(price, BaseException):
                raise price
            return one_price(_whole(price, chain))
        return fees_by_speed(history, None if isinstance(price, BaseException) else _whole(price, chain))


async def _price(w3: AsyncWeb3[Any]) -> object:
    return await w3.eth.gas_price


async def _history(w3: AsyncWeb3[Any], chain: ChainId) -> History:
    answer: Any = await _answer(w3.eth.fee_history(FEE_BLOCKS, "latest", list(PERCENTILES)), chain)
    base_fees, rewards = answer.get("baseFeePerGas"), answer.get("reward")
    if not isinstance(base_fees, list) or len(base_fees) > FEE_BLOCKS + 1:
        raise MalformedResponseError(url=str(chain), details="eth_feeHistory answered with no base fees")
    rows = [row for row in rewards[:FEE_BLOCKS] if isinstance(row, list)] if isinstance(rewards, list) else []
    told = [[_whole(tip, chain) for tip in row[: len(PERCENTILES)]] for row in rows]
    # A node that tells fewer figures than were asked for means the last for the rest.
    tips = [row + row[-1:] * (len(PERCENTILES) - len(row)) for row in told]
    return History([_whole(fee, chain) for fee in base_fees], tips)


def _whole(value: object, chain: ChainId) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_UINT256:
        raise MalformedResponseError(url=str(chain), details="the node answered with no quantity")
    return value


async def _answer(asked: Awaitable[T], chain: ChainId) -> T:
    """What web3 answers; its errors become ours.

    Raises:
        NodeError: the node refused.
        TransportError: it could not be asked, or its answer could not be understood.
    """
    try:
        return await asked
    except TransportError:
        raise
    except ContractLogicError as error:
        raise classify_node_error(str(error.message or ""), code=_REVERTED) from error
    except Web3RPCError as error:
        raise _refusal(error) from error
    except Exception as error:
        # web3 reads answers without checking them first, so nonsense can make it raise almost anything.
        raise MalformedResponseError(url=str(chain), details=f"web3: {type(error).__name__}") from error


def _refusal(error: Web3RPCError) -> NodeError:
    failure = (error.rpc_response or {}).get("error")
    if isinstance(failure, dict):
        return classify_node_error(str(failure.get("message", "")), code=failure.get("code", -32000))
    return classify_node_error(str(error.message or ""))
