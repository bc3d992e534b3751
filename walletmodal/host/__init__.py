"""What a Python host imports to know who is signed in. Needs PyJWT and cryptography; nothing of the modal's server comes along.

WALLETMODAL_URL and WALLETMODAL_AUDIENCE in the host's environment say which modal, and for which page:

    signed_in = verify(token)            # raises TokenError: answer 401
    signed_in.account                    # "eip155:1:0x…"

`read_webhook` reads what the modal tells of by itself (docs/webhooks.md). With WALLETMODAL_API_KEY it also asks what accounts own and did: `Modal.from_environment().balance(signed_in.account)`.

`walletmodal.host.fastapi`, `.starlette`, `.flask`, `.django` and `.reflex` do it for the views of a framework (docs/hosts.md).
"""

from walletmodal.core.errors.sign_in import ModalUnreachableError, TokenError
from walletmodal.core.errors.webhooks import WebhookError
from walletmodal.host.accounts import AccountUnknownError, Activity, Balance, Token, Transaction, Transfer
from walletmodal.host.keys import PublishedKeys
from walletmodal.host.modal import Modal, verify
from walletmodal.host.remembered import fresh_nonce
from walletmodal.host.tokens import SignedIn, read_token
from walletmodal.host.webhooks import WebhookEvent, read_webhook

__all__ = [
    "AccountUnknownError",
    "Activity",
    "Balance",
    "Modal",
    "ModalUnreachableError",
    "PublishedKeys",
    "SignedIn",
    "Token",
    "TokenError",
    "Transaction",
    "Transfer",
    "WebhookError",
    "WebhookEvent",
    "fresh_nonce",
    "read_token",
    "read_webhook",
    "verify",
]
