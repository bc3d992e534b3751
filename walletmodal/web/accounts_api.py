"""Accounts API: what accounts own and did, for hosts' servers with the API key: what the modal's views show of any account, in exact amounts."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from decimal import Decimal
from typing import Any, Final, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from walletmodal.core.accounts.tokens import TokenBalance
from walletmodal.core.accounts.transactions import HistoryPage, Transaction, Transfer, on_chain, without_spam
from walletmodal.core.chains.caip import AccountId, ChainId, parse_account_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import AddressError, CaipError, NetworkError, TransportError
from walletmodal.core.errors.services import NotConfiguredError, ServiceError, TokenBalanceUnavailableError
from walletmodal.core.sign_in.message import iso_text
from walletmodal.core.text.amounts import format_balance, to_base_units
from walletmodal.web.answers import json_response
from walletmodal.web.host_api import ByMethod, HostApi, RefusedError

MAX_TOKENS: Final = 200
"""Tokens of one account, the most valuable; the others are counted. Anybody can send anybody thousands of them."""
MAX_CURSOR: Final = 4096


class AccountReads(Protocol):
    """Who knows accounts. Each raises `AddressError`, `NetworkError`, `TransportError` or an error of the service."""

    async def native_balance(self, chain: ChainId, address: str, /) -> int:
        """The native coin, in base units."""
        ...

    async def tokens(self, chain: ChainId, address: str, /) -> Sequence[TokenBalance]:
        """All that it owns, the native coin too, the most valuable first."""
        ...

    async def history(self, chain: ChainId, address: str, cursor: str | None, /) -> HistoryPage:
        """A page of what it did."""
        ...


class AccountsApi:
    """The handlers of the routes.

    Args:
        host_api: who may ask, how often, and how failures are told.
        reads: who knows accounts, asked for at each call.
        networks: CAIP-2 ids that the deployment offers; others are asked for nowhere.
    """

    def __init__(self, host_api: HostApi, *, reads: Callable[[], AccountReads], networks: Collection[str]) -> None:
        self._host_api, self._reads, self._networks = host_api, reads, frozenset(networks)

    async def balance(self, request: Request) -> Response:
        """`GET /v1/accounts/{account}/balance`: the native coin."""
        return await self._answer("balance", self._balance, request)

    async def tokens(self, request: Request) -> Response:
        """`GET /v1/accounts/{account}/tokens`: the native coin and all tokens, the most valuable first."""
        return await self._answer("tokens", self._tokens, request)

    async def activity(self, request: Request) -> Response:
        """`GET /v1/accounts/{account}/activity?cursor=`: a page of transactions, the newest first."""
        return await self._answer("activity", self._activity, request)

    async def _answer(
        self, call: str, read: Callable[[AccountId, Request], Awaitable[dict[str, Any]]], request: Request
    ) -> Response:
        async def handle(request: Request) -> Response:
            key = await self._host_api.admit(request)
            account = self._account(request.path_params["account"])
            await self._host_api.spend_on_account(key)
            try:
                return json_response({"account": str(account), **await read(account, request)})
            except AddressError as error:
                raise _malformed() from error
            except NetworkError as error:
                raise RefusedError(404, "not_found", "Of this network nobody can be asked for that.") from error
            except NotConfiguredError as error:
                message = f"{error.setting} is not set, so this deployment does not know that."
                raise RefusedError(404, "not_configured", message) from error
            except (TransportError, ServiceError, TokenBalanceUnavailableError) as error:
                raise RefusedError(
                    503, "unavailable", "Those who know the account do not answer.", Retry_After="30"
                ) from error

        return await self._host_api.counted(call, handle, request)

    def _account(self, text: str) -> AccountId:
        try:
            account = parse_account_id(text)
        except CaipError as error:
            raise _malformed() from error
        if str(account.chain) not in self._networks:
            raise RefusedError(404, "not_found", "This deployment does not offer the network.")
        return account

    async def _balance(self, account: AccountId, _request: Request) -> dict[str, Any]:
        network = bundled_networks().get(str(account.chain))
        if network is None:
            raise NetworkError("Unsupported chain", details=str(account.chain))
        reads, coin = self._reads(), network.native_currency
        units, worth = await asyncio.gather(
            reads.native_balance(account.chain, account.address), _worth(reads, account), return_exceptions=True
        )
        if isinstance(units, BaseException):
            raise units
        found = {"symbol": coin.symbol, "decimals": coin.decimals, **_amount(units, coin.decimals)}
        return {**found, "usd": worth if isinstance(worth, str) else None}

    async def _tokens(self, account: AccountId, _request: Request) -> dict[str, Any]:
        owned = [one for one in await self._reads().tokens(account.chain, account.address) if one.quantity.numeric]
        return {"tokens": [_token(one) for one in owned[:MAX_TOKENS]], "more": max(0, len(owned) - MAX_TOKENS)}

    async def _activity(self, account: AccountId, request: Request) -> dict[str, Any]:
        cursor = request.query_params.get("cursor") or None
        if cursor and len(cursor) > MAX_CURSOR:
            raise RefusedError(400, "malformed", "The cursor is none of this API.")
        page = await self._reads().history(account.chain, account.address, cursor)
        shown = on_chain(without_spam(page.data), account.chain)
        return {"transactions": [_transaction(one) for one in shown], "next": page.next}


def accounts_api_routes(api: AccountsApi) -> Sequence[BaseRoute]:
    """The routes; each answers 405 to other methods."""
    return [
        Route(f"/v1/accounts/{{account}}/{name}", ByMethod(GET=handler))
        for name, handler in (("balance", api.balance), ("tokens", api.tokens), ("activity", api.activity))
    ]


async def _worth(reads: AccountReads, account: AccountId) -> str | None:
    """What all of the native coin is worth in US dollars, where somebody knows."""
    owned = await reads.tokens(account.chain, account.address)
    return next((_decimal(one.value) for one in owned if one.is_native), None)


def _amount(units: int, decimals: int) -> dict[str, str]:
    return {"value": str(units), "formatted": format_balance(units, decimals)}


def _decimal(number: Decimal | None) -> str | None:
    """A number as plain digits; nothing where nobody knows, which services also write as zero."""
    return f"{number:f}" if number and number > 0 else None


def _token(balance: TokenBalance) -> dict[str, Any]:
    decimals = balance.quantity.decimals
    return {
        "token": balance.address,
        "name": balance.name,
        "symbol": balance.symbol,
        "decimals": decimals,
        **_amount(to_base_units(balance.quantity.numeric, decimals), decimals),
        "usd": _decimal(balance.value),
        "price": _decimal(balance.price),
    }


def _transaction(one: Transaction) -> dict[str, Any]:
    told = one.metadata
    return {
        "id": one.id,
        "hash": told.hash,
        "type": told.operation_type,
        "status": told.status,
        "at": iso_text(told.mined_at),
        "from": told.sent_from,
        "to": told.sent_to,
        "transfers": [_transfer(move) for move in one.transfers],
    }


def _transfer(move: Transfer) -> dict[str, Any]:
    token, nft = move.fungible_info, move.nft_info
    return {
        "direction": move.direction,
        "kind": "nft" if nft else "token",
        "name": nft.name if nft else token.name if token else None,
        "symbol": token.symbol if token else None,
        "amount": f"{move.quantity.numeric:f}" if move.quantity else None,
        "usd": _decimal(move.value),
    }


def _malformed() -> RefusedError:
    return RefusedError(400, "malformed", "The account is no CAIP-10 id, such as eip155:1:0x….")
