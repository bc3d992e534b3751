"""One answer of each kind, as the reference of the public services writes it."""

from collections.abc import Callable
from typing import Any

from walletmodal.core.accounts.account import parse_user
from walletmodal.core.accounts.names import parse_identity, parse_name_record, parse_name_suggestions, parse_names
from walletmodal.core.accounts.smart_sessions import parse_smart_session, parse_smart_sessions
from walletmodal.core.accounts.tokens import (
    parse_fungible_prices,
    parse_token_balance,
    parse_token_balances,
    parse_wallet_asset,
)
from walletmodal.core.accounts.transactions import parse_history, parse_transaction
from walletmodal.core.parsing.strict_json import read_exact_json
from walletmodal.core.sign_in.message import parse_sign_in_message
from walletmodal.core.swaps.answers import (
    parse_allowance,
    parse_approval_transaction,
    parse_gas_price,
    parse_swap_quotes,
    parse_swap_tokens,
    parse_swap_transaction,
)
from walletmodal.core.transfers.onramp import parse_onramp_options, parse_onramp_quote, parse_onramp_url
from walletmodal.core.wallets.directory import parse_analytics_config, parse_wallet_listing, parse_wallet_page

_TEXTS = {
    "wallet_listing": """{"id": "9f1c4a", "name": "Lantern Wallet", "badge_type": "certified",
        "chains": ["eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"], "homepage": "https://lantern.example",
        "image_id": "0d3e-77", "image_url": null, "order": 30, "mobile_link": "lantern://", "desktop_link": null,
        "webapp_link": "https://web.lantern.example", "app_store": "https://apps.example/1", "play_store": "https://play.example/1",
        "chrome_store": "https://store.example/1", "rdns": "example.lantern",
        "injected": [{"namespace": "eip155", "injected_id": "isLantern"}]}""",
    "token_balance": """{"name": "USD Coin", "symbol": "USDC", "chainId": "eip155:1",
        "address": "eip155:1:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "value": 20.25, "price": 1.0125,
        "quantity": {"decimals": "6", "numeric": "20"}, "iconUrl": "https://icons.example/usdc.png"}""",
    "wallet_asset": """{"address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "balance": "0x1312d00", "type": "ERC20",
        "metadata": {"name": "USD Coin", "symbol": "USDC", "decimals": 6, "price": 1.01, "iconUrl": "", "value": 20.2}}""",
    "fungible_prices": """{"fungibles": [{"address": "eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "name": "Ether",
        "symbol": "ETH", "iconUrl": "https://icons.example/eth.png", "price": 3120.5, "decimals": 18}]}""",
    "transaction": """{"id": "t-81", "metadata": {"operationType": "send", "hash": "0xabc", "minedAt": "2025-03-02T09:14:00Z",
        "sentFrom": "0xaa", "sentTo": "0xbb", "status": "confirmed", "nonce": 12,
        "application": {"name": "Tideswap", "iconUrl": "https://icons.example/tide.png"}, "chain": "eip155:1"},
        "transfers": [{"fungible_info": {"name": "USD Coin", "symbol": "USDC", "icon": {"url": "https://icons.example/usdc.png"}},
        "nft_info": null, "direction": "out", "quantity": {"numeric": "12.5"}, "value": 12.49, "price": 0.999},
        {"fungible_info": null, "nft_info": {"name": "Kite 7", "content": {"preview": {"url": "https://icons.example/7.png",
        "content_type": "image/png"}, "detail": null}, "flags": {"is_spam": false}}, "direction": "in",
        "quantity": {"numeric": "1"}, "value": null, "price": null}]}""",
    "swap_tokens": """{"tokens": [{"name": "USD Coin", "symbol": "USDC", "address": "eip155:10:0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85",
        "decimals": 6, "logoUri": null, "eip2612": true}]}""",
    "swap_quotes": """{"quotes": [{"id": null, "fromAmount": "1000000000000000000",
        "fromAccount": "eip155:10:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "toAmount": "3098123456",
        "toAccount": "eip155:10:0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85"}]}""",
    "allowance": """{"allowance": "115792089237316195423570985008687907853269984665640564039457584007913129639935"}""",
    "gas_price": """{"standard": "1000000000", "fast": "1500000000", "instant": "2000000000"}""",
    "swap_transaction": """{"tx": {"from": "eip155:10:0x1111111111111111111111111111111111111111",
        "to": "eip155:10:0x2222222222222222222222222222222222222222", "data": "0xdeadbeef", "amount": "1000",
        "eip155": {"gas": "210000", "gasPrice": "1000000"}}}""",
    "approval_transaction": """{"tx": {"from": "eip155:10:0x3333333333333333333333333333333333333333",
        "to": "eip155:10:0x4444444444444444444444444444444444444444", "data": "0x095ea7b3", "value": "0",
        "eip155": {"gasPrice": "1000000"}}}""",
    "name_record": """{"name": "maple.reown.id", "registered_at": "2025-01-05T10:00:00.123456789Z", "updated_at": null,
        "attributes": {"bio": "hi"}, "addresses": {"60": {"address": "0x5555555555555555555555555555555555555555",
        "created_at": "2025-01-05T10:00:00Z"}, "2147483658": {"address": "0x6666666666666666666666666666666666666666"}}}""",
    "name_suggestions": """{"suggestions": [{"name": "maple.reown.id", "registered": true}, {"name": "mapletree.reown.id"}]}""",
    "identity": """{"name": "maple.eth", "avatar": "https://img.example/a.png", "resolvedAt": "2025-03-01T10:00:00Z"}""",
    "onramp_options": """{"paymentCurrencies": [{"id": "USD", "payment_method_limits": [{"id": "card", "min": "10.00", "max": "7500.00"}]}],
        "purchaseCurrencies": [{"id": "2b92315d", "name": "USD Coin", "symbol": "USDC", "networks": [{"name": "ethereum-mainnet",
        "display_name": "Ethereum", "chain_id": "1", "contract_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"}]}]}""",
    "onramp_quote": """{"paymentTotal": {"amount": "103.49", "currency": "USD"}, "paymentSubtotal": {"amount": "100", "currency": "USD"},
        "purchaseAmount": {"amount": "98.7", "currency": "USDC"}, "coinbaseFee": {"amount": "2.49", "currency": "USD"},
        "networkFee": {"amount": "1", "currency": "USD"}, "quoteId": "q-77"}""",
    "onramp_url": """{"url": "https://pay.example/buy/select-asset?appId=1"}""",
    "smart_session": """{"project": {"id": "p-1", "name": "Dapp", "url": "https://dapp.example", "iconUrl": null}, "pci": "6f0c-11",
        "expiry": 1767225600, "createdAt": 1735689600, "permissions": [{"type": "contract-call", "data": {"contract": "0x1"}}],
        "policies": [], "context": "0xabcd", "revokedAt": null}""",
    "user": """{"email": "kim@example.org", "address": "0x7777777777777777777777777777777777777777", "chainId": 1,
        "accounts": [{"address": "0x7777777777777777777777777777777777777777", "type": "eoa"},
        {"address": "0x8888888888888888888888888888888888888888", "type": "smartAccount"}], "userName": "kim",
        "smartAccountDeployed": true, "preferredAccountType": "smartAccount"}""",
    "sign_in_message": """{"domain": "app.example:3000", "accountAddress": "0x9999999999999999999999999999999999999999",
        "uri": "https://app.example:3000/login", "version": "1", "chainId": "eip155:10", "nonce": "k3X9a0Zq",
        "issuedAt": "2026-01-01T00:00:00Z", "expirationTime": "2026-01-01T00:10:00Z", "notBefore": null,
        "statement": "Sign in to Tideswap.", "requestId": "r-1", "resources": ["https://app.example/terms"]}""",
    "analytics_config": """{"isAnalyticsEnabled": true}""",
}


def _read(text: str) -> Any:
    return read_exact_json(text.encode())


_ONE = {name: _read(text) for name, text in _TEXTS.items()}

SAMPLES: dict[str, Any] = {
    **_ONE,
    "wallet_page": {"count": 512, "data": [_ONE["wallet_listing"]]},
    "token_balances": {"balances": [_ONE["token_balance"]]},
    "history": {"data": [_ONE["transaction"]], "next": "eyJwIjoyfQ"},
    "names": [_ONE["name_record"]],
    "smart_sessions": {"pcis": [_ONE["smart_session"]]},
}

ROWS = {"wallet_listing", "token_balance", "transaction", "name_record", "smart_session"}
"""Samples that are part of another one too."""

PARSERS: dict[str, Callable[[object], Any]] = {
    "wallet_listing": parse_wallet_listing,
    "wallet_page": parse_wallet_page,
    "analytics_config": parse_analytics_config,
    "token_balance": parse_token_balance,
    "token_balances": parse_token_balances,
    "wallet_asset": parse_wallet_asset,
    "fungible_prices": parse_fungible_prices,
    "transaction": parse_transaction,
    "history": parse_history,
    "swap_tokens": parse_swap_tokens,
    "swap_quotes": parse_swap_quotes,
    "allowance": parse_allowance,
    "gas_price": parse_gas_price,
    "swap_transaction": parse_swap_transaction,
    "approval_transaction": parse_approval_transaction,
    "name_record": parse_name_record,
    "names": parse_names,
    "name_suggestions": parse_name_suggestions,
    "identity": parse_identity,
    "onramp_options": parse_onramp_options,
    "onramp_quote": parse_onramp_quote,
    "onramp_url": parse_onramp_url,
    "smart_session": parse_smart_session,
    "smart_sessions": parse_smart_sessions,
    "user": parse_user,
    "sign_in_message": parse_sign_in_message,
}
