"""The wallet's own sign-in on Solana (Wallet Standard, feature `solana:signIn`): what it is asked, and the text that it makes of that.

The wallet writes the text itself. It differs from ours in two things: without a statement there is one empty line less, and networks
are called as wallets call them.
"""

from typing import Final

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.sign_in.message import SignInMessage, iso_text, sign_in_text

_CLUSTERS: Final = {
    "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "solana:mainnet",
    "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": "solana:testnet",
    "EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "solana:devnet",
}


def solana_chain_name(chain: ChainId) -> str:
    """What Solana's wallets call a network; one that they do not know is `solana:localnet`."""
    return _CLUSTERS.get(chain.reference, "solana:localnet")


def solana_sign_in_input(message: SignInMessage) -> dict[str, str | list[str]]:
    """What the wallet is asked (`SolanaSignInInput`): every field that the message has, so that the wallet adds none of its own."""
    given: dict[str, str | list[str]] = {
        "domain": message.domain,
        "address": message.account_address,
        "uri": message.uri,
        "version": message.version,
        "chainId": solana_chain_name(parse_chain_id(message.chain_id)),
        "nonce": message.nonce,
        "issuedAt": iso_text(message.issued_at),
    }
    if message.statement is not None:
        given["statement"] = message.statement
    if message.expiration_time is not None:
        given["expirationTime"] = iso_text(message.expiration_time)
    if message.not_before is not None:
        given["notBefore"] = iso_text(message.not_before)
    if message.request_id:
        given["requestId"] = message.request_id
    if message.resources:
        given["resources"] = list(message.resources)
    return given


def solana_sign_in_text(message: SignInMessage) -> str:
    """The text that a wallet makes of `solana_sign_in_input`."""
    asked = solana_sign_in_input(message)
    lines = [f"{message.domain} wants you to sign in with your Solana account:", message.account_address, ""]
    if message.statement is not None:
        lines += [message.statement, ""]
    lines += [f"{label}: {asked[name]}" for label, name in _LABELS.items() if name in asked]
    if message.resources:
        lines += ["Resources:", *(f"- {resource}" for resource in message.resources)]
    return "\n".join(lines)


def signable_texts(message: SignInMessage) -> tuple[str, ...]:
    """Every text that may be signed for a message: the one that we give to wallets first, then what a wallet's own sign-in makes of it."""
    ours = sign_in_text(message)
    if message.account_id.namespace != "solana":
        return (ours,)
    return ours, solana_sign_in_text(message)


_LABELS: Final = {
    "URI": "uri",
    "Version": "version",
    "Chain ID": "chainId",
    "Nonce": "nonce",
    "Issued At": "issuedAt",
    "Expiration Time": "expirationTime",
    "Not Before": "notBefore",
    "Request ID": "requestId",
}
