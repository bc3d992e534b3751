"""Who pays the network fee: the deployment, a paymaster that the host page names for its own request, or the account, also in a token."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypedDict

from walletmodal.core.chains.caip import AccountId, ChainId, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import WalletModalError
from walletmodal.core.language import _
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Beneficiary
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.core.wallets.capabilities import PAYMASTER_SERVICE, missing_in_operation
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.account_type import uses_smart_account
from walletmodal.features.signin.state import SignInState
from walletmodal.features.transactions.state import PendingState
from walletmodal.services.chains.adapter import Token
from walletmodal.services.outside_budget import current_asker
from walletmodal.services.smart_accounts.operations import Payer

BATCH: Final = "wallet_sendCalls"
TRANSACTION: Final = "eth_sendTransaction"
PAID_FOR: Final = _("Paid for you")
MAX_FEE_TOKENS: Final = 8
"""That a visitor may choose from."""
CAPABILITIES: Final = "wallet_getCapabilities"
_MAX_URL: Final = 2048
_BATCH_GAS: Final = 60_000
"""Of a batch beside its calls: the account's own code, and becoming a smart account (EIP-7702)."""
_SAFE_GAS: Final = 450_000
"""The same of an operation of a Safe, and making that."""

logger = logging.getLogger(__name__)


class HostPaymaster(NamedTuple):
    """What a page says of its paymaster (EIP-5792); `optional`: the visitor may pay as well."""

    url: str
    context: Mapping[str, Any]
    optional: bool


class Offer(NamedTuple):
    """What the deployment may pay for: what a visitor with a smart account sends in the modal itself.

    Attributes:
        about: the account. browser: the key of the browser's secret.
        origin: of the host page. signed_in: there, with this account.
        owner: of the Safe that the account is; "" for an account with a key of its own.
    """

    about: AccountId
    browser: str
    origin: str
    signed_in: bool
    owner: str = ""

    def request(self, method: str, params: object) -> HostedRequest:
        """What the deployment is asked to pay for.

        Raises:
            PayloadError: the parameters are none of the method.
        """
        return read_request(
            method=method,
            chain=self.about.chain,
            account=self.about.address,
            origin=self.origin,
            params=params,
            signed_in=self.signed_in,
            at=int(deployment().clock.now().timestamp()),
        )


async def find_offer(state: Any, about: AccountId) -> Offer | None:
    """Returns what the deployment may pay for; None where the account pays by itself.

    Args:
        state: `self` of a background event, not held while the wallet is asked.
        about: the account.
    """
    if about.chain.namespace != "eip155" or not deployment_pays(about.chain):
        return None
    if not await uses_smart_account(state, about.chain):
        return None
    async with state:
        origin = (await state.get_state(EmbedState))._origin
        signed_in = deployment().policy.is_set and await (await state.get_state(SignInState))._has_session(about)
        owner = (await account(state, "eip155"))._owner_of(about.address)
        return Offer(about, (await state.get_state(PendingState))._ensure_owner(), origin, signed_in, owner)


def may_be_paid_for(found: HostedRequest) -> bool:
    """Whether somebody else could pay for a request of the embedded wallet's owner, by what it asks for."""
    if found.method not in (BATCH, TRANSACTION) or not found.calls or any(not call.to for call in found.calls):
        return False
    if _insists_on_more(found):
        return False
    if found.method == TRANSACTION and (found.unread or found.params[0].get("nonce") is not None):
        # A user operation has neither a place of the page's choice nor what else only transactions have.
        return False
    return deployment_pays(found.chain) or (_has_bundler(found.chain) and host_paymaster(found) is not None)


def _insists_on_more(found: HostedRequest) -> bool:
    """Whether a batch insists on what an operation does not have; the frame refuses it."""
    return found.method == BATCH and missing_in_operation(found.params, hex(found.chain.number)) is not None


def _has_bundler(chain: ChainId) -> bool:
    return str(chain) in deployment().smart_accounts.bundler_networks


def deployment_pays(chain: ChainId) -> bool:
    """Whether the deployment offers to pay fees on a network."""
    name, clients = str(chain), deployment().smart_accounts
    return _has_bundler(chain) and name in clients.paymaster_networks and deployment().sponsorships.is_offered(name)


def host_paymaster(found: HostedRequest) -> HostPaymaster | None:
    """Reads which paymaster the page names for its calls; None for none."""
    batch = found.params[0] if found.method == BATCH and isinstance(found.params, list) else {}
    wanted = batch.get("capabilities") if isinstance(batch, Mapping) else None
    service = wanted.get(PAYMASTER_SERVICE) if isinstance(wanted, Mapping) else None
    if not isinstance(service, Mapping):
        return None
    # Drafts of the standard name one for each network.
    named = service.get(hex(found.chain.number), service)
    url, context = (named.get("url"), named.get("context")) if isinstance(named, Mapping) else (None, None)
    if not isinstance(url, str) or not 0 < len(url) <= _MAX_URL:
        return None
    return HostPaymaster(url, context if isinstance(context, Mapping) else {}, optional=service.get("optional") is True)


class FeeOption(TypedDict):
    """What an account can pay a network fee in.

    `token`: the contract, "" for the network's coin; `held`: base units of it, decimal text; `enough`: as far as is known, that pays a fee.
    """

    token: str
    symbol: str
    decimals: int
    held: str
    enough: bool


async def find_fee_options(state: Any, found: HostedRequest, gas: int) -> list[FeeOption]:
    """Finds what the embedded wallet's owner may pay the fee of an operation in; nothing where there is no choice.

    Args:
        state: `self` of a background event, not held while others are asked.
        found: a batch, or a transaction of a Safe, for which nobody else pays.
        gas: that its calls used when they were simulated; 0 where they were not.
    """
    running, chain, owner = deployment(), found.chain, found.account
    adapter, tokens = running.chains.adapter("eip155"), running.smart_accounts.gas_tokens(chain)
    async with state:
        is_safe = bool((await account(state, "eip155"))._owner_of(found.account))
    if found.method != BATCH and not (is_safe and found.method == TRANSACTION):
        return []
    if not tokens or found.unread or any(not call.to for call in found.calls) or _insists_on_more(found):
        return []
    if not await uses_smart_account(state, chain):
        return []
    try:
        balances = await adapter.token_balances(chain, owner, [Token(one, "", "", 0) for one in tokens])
        held = [token for token in tokens if balances.get(token)][:MAX_FEE_TOKENS]
        accepted = await running.smart_accounts.accepted(chain, held) if held else ()
        if not accepted:
            return []
        read = await asyncio.gather(*(adapter.read_token(chain, token) for token in accepted))
        coins, price = await asyncio.gather(
            adapter.native_balance(chain, owner), running.account_calls.gas_price(chain)
        )
    except WalletModalError as error:
        logger.info("what %s can pay fees in is not known: %s", chain, error)
        return []
    options = [
        FeeOption(
            token=one.address, symbol=one.symbol, decimals=one.decimals, held=str(balances[one.address]), enough=True
        )
        for one in read
    ]
    needed = found.value + (gas + (_SAFE_GAS if is_safe else _BATCH_GAS)) * price
    return [_coin(chain, coins, enough=coins >= needed), *options]


def _coin(chain: ChainId, held: int, *, enough: bool) -> FeeOption:
    coin = bundled_networks()[str(chain)].native_currency
    return FeeOption(token="", symbol=coin.symbol, decimals=coin.decimals, held=str(held), enough=enough)


def payer_of(found: HostedRequest, browser: str) -> Payer:
    """Returns who pays for a request.

    Args:
        found: one that may be paid for.
        browser: the key of the browser's secret. What is paid is counted for it, for the account and for the client's address.

    Raises:
        PaymasterRefusedError: the page's paymaster is none that is asked.
        NotConfiguredError: nobody pays any more.
    """
    clients, named = deployment().smart_accounts, host_paymaster(found)
    if named is not None:
        return clients.host_payer(found.chain, named.url, named.context)
    asker = current_asker()
    whose = Beneficiary(str(found.chain), found.account, browser, asker.address if asker is not None else "")

    async def authorize(operation: UserOperation) -> None:
        await deployment().sponsorships.authorize(operation.nonce, found, whose, operation.max_cost)

    return clients.sponsor(found.chain, authorize)


def payer_text(name: str) -> str:
    """Tells who pays; `name`: what the paymaster calls them, cleaned, or ""."""
    return _("Paid by {name}", name=name) if name else PAID_FOR


def with_paymasters(told: object) -> object:
    """Adds to what the wallet says of its networks where a page may name a paymaster: where there is a bundler, and batches."""
    if not isinstance(told, Mapping):
        return told
    bundlers = {hex(parse_chain_id(chain).number) for chain in deployment().smart_accounts.bundler_networks}
    return {
        chain: {**has, PAYMASTER_SERVICE: {"supported": True}} if chain in bundlers and _makes_batches(has) else has
        for chain, has in told.items()
    }


def _makes_batches(has: object) -> bool:
    atomic = has.get("atomic") if isinstance(has, Mapping) else None
    return isinstance(atomic, Mapping) and atomic.get("status") in ("ready", "supported")
