"""What was bought with a card, as entries of the history (`onramp=coinbase`)."""

from decimal import Decimal
from typing import Final

from walletmodal.sandbox.blockchain.history.cursors import Place, to_cursor
from walletmodal.sandbox.blockchain.history.entries import iso_time
from walletmodal.sandbox.blockchain.prices import json_number
from walletmodal.sandbox.onramp.purchases import Purchase, PurchaseStore

PAGE: Final = 50


def purchase_entries(
    store: PurchaseStore, address: str, chain_id: str | None, before: Place | None
) -> dict[str, object]:
    """The answer `{data, next}`: purchases for an account, newest first.

    Args:
        store: where they are kept.
        address: plain address.
        chain_id: CAIP-2 id that they are limited to.
        before: only those older than this place.
    """
    bought = store.of_address(address, chain_id)
    places = [
        (int(one.at.timestamp()), one.chain, 0, number)
        for number, one in zip(range(len(bought), 0, -1), bought, strict=True)
    ]
    placed = [(place, one) for place, one in zip(places, bought, strict=True) if before is None or place < before]
    page = placed[:PAGE]
    following = to_cursor(page[-1][0]) if len(placed) > PAGE else None
    return {"data": [_entry(one, place[0]) for place, one in page], "next": following}


def _entry(purchase: Purchase, timestamp: int) -> dict[str, object]:
    return {
        "id": purchase.id,
        "metadata": {
            "operationType": "buy",
            "hash": purchase.transaction or "",
            "minedAt": iso_time(timestamp),
            "sentFrom": "Coinbase",
            "sentTo": purchase.address,
            "status": purchase.status.value,
            "nonce": 0,
            "application": None,
            "chain": purchase.chain,
        },
        "transfers": [
            {
                "fungible_info": {"name": purchase.name, "symbol": purchase.symbol, "icon": None},
                "nft_info": None,
                "direction": "in",
                "quantity": {"numeric": purchase.quantity},
                "value": json_number(Decimal(purchase.payment_total)) if purchase.payment_currency == "USD" else None,
                "price": None,
            }
        ],
    }
