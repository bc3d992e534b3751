"""A deployment on whose chains something can be sent, without a chain: what it holds, finds and builds is the test's to say."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from solders.hash import Hash
from solders.message import Message
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import VersionedTransaction

from tests.driver import ADDRESS, Driver, session
from tests.features.namespaces import SOLANA
from tests.patience import patience
from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.errors.services import TokenBalanceUnavailableError
from walletmodal.core.transfers.fees import FeeQuote, Speed, SpeedFee
from walletmodal.core.transfers.receiver_checks import Receiver
from walletmodal.core.transfers.receiver_input import clean_receiver
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import Moved, Simulation
from walletmodal.deployment import Deployment
from walletmodal.features.send.picker import PickState
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.services.chains.adapter import PreparedTransfer
from walletmodal.services.chains.solana.instructions import pay_lamports

USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
ETHER, USDC_KEY = "eip155:1", f"eip155:1:{USDC}"
RECEIVER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
SOL_RECEIVER = "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
HASH = "0x" + "ab" * 32
FEE = 21_000 * 10**9


def balance(key: str, symbol: str, numeric: str, decimals: int = 18, price: str | None = None) -> TokenBalance:
    """A token that an account has."""
    chain = ":".join(key.split(":")[:2])
    return parse_token_balance(
        {
            "name": f"The {symbol}",
            "symbol": symbol,
            "chainId": chain,
            "address": None if key == chain else key,
            "quantity": {"decimals": str(decimals), "numeric": numeric},
            "iconUrl": "",
            **({} if price is None else {"price": float(price), "value": float(price) * float(numeric)}),
        }
    )


def solana_bytes(sender: str, transfer: Transfer) -> str:
    """A transfer as a wallet is asked to sign it."""
    payer, receiver = Pubkey.from_string(sender), Pubkey.from_string(transfer.receiver)
    message = Message.new_with_blockhash([pay_lamports(payer, receiver, transfer.base_units)], payer, Hash.default())
    return b64encode(bytes(VersionedTransaction.populate(message, [Signature.default()]))).decode()


@dataclass
class Stage:
    """What the world is like. `failure` is raised when a transaction is built, `lost` when balances are read; who is `penniless` pays no fee."""

    tokens: dict[str, tuple[TokenBalance, ...]] = field(default_factory=dict)
    receiver: Receiver = field(default_factory=lambda: Receiver(RECEIVER, first_time=False))
    names: dict[str, str] = field(default_factory=dict)
    simulation: Simulation = field(default_factory=lambda: Simulation(ran=True, leaves=(Moved(None, 10**18),)))
    nonce: int = 7
    gas: int = 21_000
    price: int = 10**9
    failure: WalletModalError | None = None
    penniless: bool = False
    changed: WalletModalError | None = None
    lost: bool = False
    held: asyncio.Event | None = None
    built: list[tuple[str, Transfer, Speed]] = field(default_factory=list)
    examined: list[str] = field(default_factory=list)
    sent_to: Sequence[str] = ()
    builds: Callable[[str, Transfer], list[dict[str, str]]] | None = None

    def on(self, deployment: Deployment) -> Stage:
        """Puts it in the place of a deployment's chains and services."""
        made: Any = deployment
        made.chains, made.tokens, made.receivers, made.simulations = self, self, self, self
        return self

    # The registry of adapters, and the only adapter in it.

    def adapter(self, _namespace: str) -> Stage:
        return self

    def __iter__(self) -> Any:
        return iter(())

    async def height(self, _chain: ChainId) -> int:
        return 5

    async def transfer_fee(self, _chain: ChainId, _sender: str, _token: str | None = None) -> FeeQuote:
        return self._quote()

    def _quote(self) -> FeeQuote:
        most = self.gas * self.price
        speeds: tuple[tuple[Speed, int], ...] = (("slow", most // 2), ("normal", most), ("fast", most * 2))
        return FeeQuote(tuple(SpeedFee(speed, fee, fee) for speed, fee in speeds))

    async def build_transfer(
        self, sender: str, transfer: Transfer, speed: Speed = "normal", *, sponsored: bool = False
    ) -> PreparedTransfer:
        self.built.append((sender, transfer, speed))
        if self.held is not None:
            await self.held.wait()
        if self.failure is not None:
            raise self.failure
        if self.penniless and not sponsored:
            raise InsufficientFundsError
        fee = self._quote().of(speed).most
        if transfer.chain.namespace == "solana":
            made: Any = {"transaction": solana_bytes(sender, transfer)}
            return PreparedTransfer(transfer.chain, "solana_signAndSendTransaction", made, fee, speed, self._quote())
        made = self.builds(sender, transfer) if self.builds else [self._request(sender, transfer, fee)]
        return PreparedTransfer(transfer.chain, "eth_sendTransaction", made, fee, speed, self._quote())

    def _request(self, sender: str, transfer: Transfer, fee: int) -> dict[str, str]:
        to = transfer.receiver if transfer.token.address is None else transfer.token.address.rpartition(":")[2]
        return {
            "from": sender,
            "to": to,
            "value": hex(transfer.base_units if transfer.token.address is None else 0),
            "data": "0x",
            "chainId": hex(transfer.chain.number),
            "gas": hex(self.gas),
            "nonce": hex(self.nonce),
            "maxFeePerGas": hex(fee // self.gas),
            "maxPriorityFeePerGas": hex(1),
        }

    # What accounts own.

    async def balances(
        self, _caller: object, chain: ChainId, address: str, **_more: object
    ) -> tuple[TokenBalance, ...]:
        if self.lost:
            raise TokenBalanceUnavailableError("the service is down")
        return self.tokens.get(f"{chain}:{address}", self.tokens.get(str(chain), ()))

    # Receivers and names.

    async def examine(
        self, _caller: object, chain: ChainId, _sender: str, text: str, *, sent_to: Sequence[str] = (), **_more: object
    ) -> Receiver:
        self.examined.append(text)
        self.sent_to = sent_to
        meant = clean_receiver(text).text
        if "." in meant:
            found = self.names.get(meant.lower(), "")
            return replace(self.receiver, address=found, name=meant.lower())
        return replace(self.receiver, address=normal_address(chain.namespace, meant))

    async def check_unchanged(self, _caller: object, _chain: ChainId, _receiver: Receiver) -> None:
        if self.changed is not None:
            raise self.changed

    # What a transaction would do.

    async def simulate(self, _prepared: PreparedTransfer, _sender: str, _receiver: str = "") -> Simulation:
        return self.simulation


def world() -> Stage:
    """Two accounts on Ethereum and one on Solana, with something to send."""
    owned = (
        balance(ETHER, "ETH", "10", price="2500"),
        balance(USDC_KEY, "USDC", "1250.5", 6, price="1"),
    )
    return Stage(
        tokens={
            ETHER: owned,
            "eip155:137": (balance("eip155:137", "POL", "3"),),
            SOLANA: (balance(SOLANA, "SOL", "2", 9, price="150"),),
        },
        names={"vitalik.eth": RECEIVER},
    )


def held(address: str = ADDRESS, *others: str, chain: str = "1") -> dict[str, Any]:
    """A wallet on Ethereum with these accounts."""
    return {"eip155": {**session(address, chain), "accounts": [address, *others]}}


async def settles(driver: Driver) -> None:
    """Returns once nothing is being read, prepared or checked: background work goes on after the event that began it."""
    async with patience():
        while True:
            form, review = await driver.state(SendState), await driver.state(ReviewState)
            shell = await driver.state(ShellState)
            reads = form.phase == "loading" and shell.view == "WalletSend" and bool(form.token)
            makes = review.phase == "loading" and shell.view == "WalletSendPreview" and shell.open
            asks = review.phase == "asking" and not await driver.commands("wallet.request")
            if not (reads or makes or asks or form.resolving or review.phase == "checking"):
                return
            await asyncio.sleep(0.001)


async def confirm(driver: Driver) -> None:
    """The Send button, and all that follows from it."""
    await driver.fire(await send_click(driver))
    await settles(driver)


async def send_click(driver: Driver) -> Any:
    """A click on the Send button, which names what is shown."""
    return ReviewState.confirm((await driver.state(ReviewState)).seen)


async def tick(driver: Driver) -> None:
    """The box below the warnings that are shown."""
    await driver.fire(ReviewState.accept(True, (await driver.state(ReviewState)).seen))


async def form(driver: Driver) -> SendState:
    """What it shows."""
    return await driver.state(SendState)


async def at_form(driver: Driver, **sessions: Any) -> None:
    """The form is open."""
    await driver.load(sessions=sessions or held())
    await driver.call("open")
    await driver.fire(SendState.open_form)
    await driver.fire(SendState.on_shown)


async def pick(driver: Driver, key: str = ETHER) -> None:
    """A token is picked from the list."""
    await driver.fire(PickState.open_list)
    await driver.fire(PickState.on_shown)
    async with patience():
        while (await driver.state(PickState)).phase == "loading":
            await asyncio.sleep(0.001)
    await driver.fire(PickState.choose(key))
    await settles(driver)


async def fill(driver: Driver, key: str = ETHER, amount: str = "1", receiver: str = RECEIVER) -> None:
    """The form is complete."""
    await pick(driver, key)
    await driver.fire(SendState.type_amount(amount))
    await driver.fire(SendState.type_receiver(receiver))


async def at_review(driver: Driver, **entered: str) -> ReviewState:
    """The preview of what was entered."""
    await at_form(driver)
    await fill(driver, **entered)
    await driver.fire(ReviewState.open)
    await driver.fire(ReviewState.on_shown)
    await settles(driver)
    return await driver.state(ReviewState)


async def asked(driver: Driver) -> list[dict[str, Any]]:
    """What the wallet is asked to send."""
    return [command["params"] for command in await driver.commands("wallet.request")]


async def review(driver: Driver) -> ReviewState:
    """The preview as it stands."""
    return await driver.state(ReviewState)


async def view(driver: Driver) -> str:
    """The view that is shown."""
    return (await driver.state(ShellState)).view


async def answers(driver: Driver, **answer: Any) -> None:
    """The wallet answers what it was asked."""
    (command,) = await driver.commands("wallet.request")
    await driver.reply(command, **answer)
    await settles(driver)
