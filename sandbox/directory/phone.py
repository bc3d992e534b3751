"""The sandbox's own phone as a wallet of the catalogue: the one whose links lead to a wallet that answers."""

import hashlib

NAME = "Sandbox Phone"
WALLET_ID = hashlib.sha256(f"walletmodal sandbox: {NAME}".encode()).hexdigest()
COLOUR = "#f2c14e"


def phone_wallet(sandbox_url: str) -> dict[str, object]:
    """What the catalogue says of the phone.

    Args:
        sandbox_url: where the phone's page is, below `/phone`; without a slash at the end.
    """
    page = f"{sandbox_url}/phone"
    return {
        "id": WALLET_ID,
        "name": NAME,
        "badge_type": "none",
        "description": "The wallet of the sandbox, on a phone that is a page.",
        "chains": [
            *("eip155:1", "eip155:10", "eip155:137", "eip155:8453", "eip155:42161"),
            "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
            "bip122:000000000019d6689c085ae165831e93",
            "polkadot:91b171bb158e2d3848fa23a9f1c25182",
        ],
        "homepage": page,
        "mobile_link": page,
        "desktop_link": page,
        "webapp_link": page,
        "app_store": None,
        "play_store": None,
        "chrome_store": None,
        "rdns": None,
        "injected": None,
    }
