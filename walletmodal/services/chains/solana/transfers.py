"""Transfers of SOL and of tokens as unsigned transactions, simulated before a wallet is asked."""

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import Final

from solders.hash import Hash
from solders.instruction import Instruction
from solders.message import Message
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction
from spl.token.instructions import (
    create_idempotent_associated_token_account,
    get_associated_token_address,
    transfer_checked,
)
from spl.token.models import TransferCheckedParams

from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.solana_message import LAMPORTS_PER_SIGNATURE
from walletmodal.core.errors import AmountError, MalformedResponseError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.language import _
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.text.texts import FAILED_TO_SEND_TRANSACTION
from walletmodal.core.transfers.fees import SPEEDS, FeeQuote, Speed, SpeedFee
from walletmodal.core.transfers.send import Transfer
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.sent_token import check_decimals, sent_token
from walletmodal.services.chains.solana.instructions import budget, pay_lamports
from walletmodal.services.chains.solana.reads import (
    HOLDING_SIZE,
    MAX_U64,
    TOKEN_2022_PROGRAM,
    Mint,
    SolanaReads,
    read_holding,
)
from walletmodal.services.rpc.transport import RpcTransport

MAX_UNITS: Final = 1_400_000
"""Compute units that one transaction may use at all."""
SPARE_UNITS: Final = 1_000
MAX_UNIT_PRICE: Final = 1_000_000
"""Millionths of a lamport per compute unit: at most this is offered, however high others bid."""
FAST_UNIT_PRICE: Final = 10_000
SOL_DECIMALS: Final = 9
SLACK_LAMPORTS: Final = 5_000
"""By which fees rise or fall while somebody types."""
LAMPORTS_UNITS: Final = 450 * 6 // 5 + SPARE_UNITS
"""What a payment of SOL takes, with what is added in case."""
TOKEN_UNITS: Final = 60_000
"""What a payment of tokens takes at most where the receiver's account is opened, about."""
EXTENDED_SIZE: Final = 182
"""Bytes of a token account with the extensions that a mint of Token-2022 commonly asks for."""

TOO_LITTLE_LEFT: Final = _(
    "Too little SOL would be left for your account to be kept. Send less, or everything with Max."
)
NOT_ENOUGH: Final = _("There is not enough SOL in your account for this and its fee.")

_MAX_REASON: Final = 300
_MICRO: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a transfer does, and the rent that it leaves behind, in lamports."""

    instructions: list[Instruction]
    rent: int = 0


class SolanaTransfers:
    """Builds the transfers of one network.

    Args:
        transport: the way to its nodes.
        chain: its id.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._reads, self._chain = SolanaReads(transport, chain), chain

    async def build(self, sender: str, transfer: Transfer, speed: Speed = "normal") -> PreparedTransfer:
        """The parameters of `solana_signAndSendTransaction`: a transaction in base64, good for about a minute.

        Raises:
            AddressError: sender, receiver or token are no addresses, or the token is of another network.
            AmountError: more than 2^64 - 1 base units.
            NetworkError: there is no mint at the token's address.
            SendError: no token account holds enough, the receiver cannot hold tokens, the simulation failed, or the token has other
                decimals than those that the amount was read with.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        if transfer.base_units > MAX_U64:
            raise AmountError("The amount is too large", details="more than 2^64 - 1")
        payer = Pubkey.from_string(normal_address("solana", sender))
        receiver = Pubkey.from_string(normal_address("solana", transfer.receiver))
        token = sent_token(transfer)
        plan, blockhash, prices, balance = await asyncio.gather(
            self._lamports(payer, receiver, transfer.base_units)
            if token is None
            else self._tokens(payer, receiver, Pubkey.from_string(token), transfer),
            self._blockhash(),
            self._unit_prices(),
            self._reads.lamports(str(payer)),
        )
        price = prices[speed]
        if token is None:
            # What a payment takes is known, and its fee has to be right also while it is only tried.
            units, price = LAMPORTS_UNITS, _price_within(price, LAMPORTS_UNITS, balance - transfer.base_units)
            await self._simulated_units(_unsigned([*budget(units, price), *plan.instructions], payer, blockhash))
        else:
            # Free at first: how many units it takes does not depend on what is paid for them.
            draft = _unsigned([*budget(MAX_UNITS, 0), *plan.instructions], payer, blockhash)
            units = min(MAX_UNITS, await self._simulated_units(draft) * 6 // 5 + SPARE_UNITS)
        text = _unsigned([*budget(units, price), *plan.instructions], payer, blockhash)
        return PreparedTransfer(
            self._chain,
            "solana_signAndSendTransaction",
            {"transaction": text},
            fee=_fee(units, price) + plan.rent,
            speed=speed,
            quote=_quote(units, prices, plan.rent),
        )

    async def fee(self, sender: str, token: str | None) -> FeeQuote:
        """What a transfer costs before its amount and receiver are known.

        Raises:
            AddressError: sender or token are no addresses.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        normal_address("solana", sender)
        if token is None:
            return _quote(LAMPORTS_UNITS, await self._unit_prices(), 0)
        normal_address("solana", token)
        prices, rent = await asyncio.gather(self._unit_prices(), self._rent(HOLDING_SIZE))
        return _quote(TOKEN_UNITS, prices, rent)

    async def _lamports(self, payer: Pubkey, receiver: Pubkey, lamports: int) -> _Plan:
        await self._refuse_token_account(str(receiver), None)
        return _Plan([pay_lamports(payer, receiver, lamports)])

    async def _tokens(self, payer: Pubkey, receiver: Pubkey, mint: Pubkey, transfer: Transfer) -> _Plan:
        about, source, direct = await asyncio.gather(
            self._reads.mint(str(mint)),
            self._source(payer, mint, transfer.base_units),
            self._refuse_token_account(str(receiver), mint),
        )
        check_decimals(transfer, about.decimals)
        program = Pubkey.from_string(about.program)
        target = receiver if direct else get_associated_token_address(receiver, mint, program)
        payment = transfer_checked(
            TransferCheckedParams(
                program_id=program,
                source=source,
                mint=mint,
                dest=target,
                owner=payer,
                amount=transfer.base_units,
                decimals=about.decimals,
            )
        )
        if direct or await self._reads.account(str(target)) is not None:
            return _Plan([payment])
        rent = await self._rent(_account_size(about))
        opening = create_idempotent_associated_token_account(payer, receiver, mint, program)
        return _Plan([opening, payment], rent)

    async def _rent(self, size: int) -> int:
        method = "getMinimumBalanceForRentExemption"
        return self._reads.whole(await self._reads.ask(method, [size]), method)

    async def _source(self, owner: Pubkey, mint: Pubkey, amount: int) -> Pubkey:
        """The token account that pays: the fullest that is not frozen."""
        holdings = await self._reads.holdings(str(owner), {"mint": str(mint)})
        usable = [one for one in holdings if not one.frozen and one.mint == str(mint)]
        fullest = max(usable, key=lambda one: one.amount, default=None)
        if fullest is None or fullest.amount < amount:
            raise SendError("Insufficient Funds", details="no token account of the sender holds that much")
        return Pubkey.from_string(fullest.address)

    async def _refuse_token_account(self, receiver: str, mint: Pubkey | None) -> bool:
        """Whether the receiver is itself an account of the mint; any other account of a token program would swallow what it gets."""
        account = await self._reads.account(receiver)
        if account is None or not (account.holding or account.mint):
            return False
        if mint is not None and account.holding and read_holding(receiver, account).mint == str(mint):
            return True
        raise SendError("Invalid Address", details="the receiver is an account of a token program")

    async def _blockhash(self) -> Hash:
        method = "getLatestBlockhash"
        value = self._reads.value(await self._reads.ask(method, [{"commitment": "confirmed"}]), method)
        text = value.get("blockhash") if isinstance(value, Mapping) else None
        # A blockhash is written as an address is: base58 of 32 bytes.
        if not isinstance(text, str) or not is_address("solana", text):
            raise MalformedResponseError(url=str(self._chain), details=f"{method} named no blockhash")
        return Hash.from_string(text)

    async def _unit_prices(self) -> Mapping[Speed, int]:
        """What others pay of late, in millionths of a lamport per compute unit: the lower quarter, the middle, the upper quarter."""
        method = "getRecentPrioritizationFees"
        rows = await self._reads.ask(method, [])
        if not isinstance(rows, list):
            raise MalformedResponseError(url=str(self._chain), details=f"{method} answered with no list")
        paid = sorted(
            self._reads.whole(row.get("prioritizationFee"), method) for row in rows if isinstance(row, Mapping)
        )
        middle = median_low(paid) if paid else 0
        prices = {
            "slow": paid[len(paid) // 4] if paid else 0,
            "normal": middle,
            # Where nobody bids, a little is ahead of everybody.
            "fast": max(paid[len(paid) * 3 // 4] if paid else 0, middle + middle // 4, FAST_UNIT_PRICE),
        }
        return {speed: min(prices[speed], MAX_UNIT_PRICE) for speed in SPEEDS}

    async def _simulated_units(self, transaction: str) -> int:
        method = "simulateTransaction"
        config = {
            "encoding": "base64",
            "sigVerify": False,
            "replaceRecentBlockhash": True,
            "commitment": "confirmed",
        }
        value = self._reads.value(await self._reads.ask(method, [transaction, config]), method)
        if not isinstance(value, Mapping) or "err" not in value:
            raise MalformedResponseError(url=str(self._chain), details=f"{method} answered with no outcome")
        if value["err"] is not None:
            raise SendError(await self._why(value["err"]), details=_reason(value))
        return self._reads.whole(value.get("unitsConsumed"), method)

    async def _why(self, error: object) -> str:
        """What a visitor can do about a failure; where that is nothing, the general text."""
        if error in ("InsufficientFundsForFee", "AccountNotFound"):
            return NOT_ENOUGH
        poor = error.get("InsufficientFundsForRent") if isinstance(error, Mapping) else None
        if isinstance(poor, Mapping):
            if poor.get("account_index") == 0:
                return TOO_LITTLE_LEFT
            least = format_exact(to_decimal(await self._rent(0), SOL_DECIMALS))
            return _(
                "The receiver's account is empty, and the network keeps none with less than {least} SOL.", least=least
            )
        return FAILED_TO_SEND_TRANSACTION


def _fee(units: int, price: int) -> int:
    return LAMPORTS_PER_SIGNATURE + -(-units * price // _MICRO)


def _quote(units: int, prices: Mapping[Speed, int], rent: int) -> FeeQuote:
    fees = {speed: _fee(units, prices[speed]) + rent for speed in SPEEDS}
    return FeeQuote(tuple(SpeedFee(speed, fee, fee) for speed, fee in fees.items()))


def _price_within(price: int, units: int, left: int) -> int:
    """The price at which the fee is all that is left beside the amount, where that is nearly so anyway.

    An account may be emptied, but not to a few lamports, which are less than the network asks for.

    Args:
        price: the one that is wanted, in millionths of a lamport per unit.
        units: how many.
        left: lamports beside the amount.
    """
    wanted = _fee(units, price)
    if not LAMPORTS_PER_SIGNATURE <= left <= 2 * wanted + SLACK_LAMPORTS:
        return price
    return (left - LAMPORTS_PER_SIGNATURE) * _MICRO // units


def _account_size(mint: Mint) -> int:
    return EXTENDED_SIZE if mint.program == TOKEN_2022_PROGRAM else HOLDING_SIZE


def _unsigned(instructions: list[Instruction], payer: Pubkey, blockhash: Hash) -> str:
    message = Message.new_with_blockhash(instructions, payer, blockhash)
    return base64.b64encode(bytes(VersionedTransaction.populate(message, [Signature.default()]))).decode()


def _reason(outcome: Mapping[str, object]) -> str:
    """What the node says of a failure: the error, and the last line of the log."""
    logs = outcome.get("logs")
    last = logs[-1] if isinstance(logs, list) and logs else ""
    return clean_text(f"{outcome['err']} {last}", limit=_MAX_REASON)
