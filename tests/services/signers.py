"""Wallets of every namespace for tests of signing in: accounts, and how each signs a text, by SDKs that are not ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b

import base58
import sr25519
from embit import ec
from eth_account import Account
from eth_account.messages import encode_defunct
from solders.keypair import Keypair

from tests.services.bitcoin_signer import (
    Multisig,
    addresses,
    recoverable,
    signed_by_hash,
    signed_by_taproot,
    spending,
)
from walletmodal.core.chains.caip import AccountId, ChainId, parse_account_id
from walletmodal.services.rpc import RpcTransport


@dataclass(frozen=True)
class Signer:
    """An account, and how its wallet signs a text."""

    account: AccountId
    sign: Callable[[str], str]

    def on(self, chain: str) -> Signer:
        return replace(self, account=parse_account_id(f"{chain}:{self.account.address}"))


def evm(seed: int) -> Signer:
    wallet = Account.from_key(seed.to_bytes(32, "big"))
    return Signer(
        parse_account_id(f"eip155:1:{wallet.address}"),
        lambda text: "0x" + wallet.sign_message(encode_defunct(text=text)).signature.hex().removeprefix("0x"),
    )


def solana(seed: int) -> Signer:
    key = Keypair.from_seed(seed.to_bytes(32, "big"))
    return Signer(
        parse_account_id(f"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:{key.pubkey()}"),
        lambda text: str(key.sign_message(text.encode())),
    )


def bitcoin(seed: int, kind: str) -> Signer:
    key = ec.PrivateKey(seed.to_bytes(32, "big"))
    address = addresses(key)[kind.partition(" ")[0]]
    ways: dict[str, Callable[[str], str]] = {
        "p2wpkh": lambda text: signed_by_hash(key, address, text),
        "p2wpkh 1.0.0": lambda text: "smp" + signed_by_hash(key, address, text),
        "p2tr": lambda text: signed_by_taproot(key, address, text),
        "p2wpkh legacy": lambda text: recoverable(text, 39, key.secret),
    }
    return Signer(parse_account_id(f"bip122:000000000019d6689c085ae165831e93:{address}"), ways[kind])


def several_keys(seed: int) -> Signer:
    """Two of three, behind P2SH."""
    wallet = Multisig("p2sh-p2wsh", first=seed)

    def sign(text: str) -> str:
        to_sign = spending(wallet.address, text)
        return wallet.full(to_sign, wallet.signatures(to_sign))

    return Signer(parse_account_id(f"bip122:000000000019d6689c085ae165831e93:{wallet.address}"), sign)


def polkadot(seed: int, kind: str) -> Signer:
    raw = seed.to_bytes(32, "big")
    pair, key = sr25519.pair_from_seed(raw), Keypair.from_seed(raw)
    public = bytes(pair[0]) if kind == "sr25519" else bytes(key.pubkey())
    body = b"\x00" + public
    address = base58.b58encode(body + blake2b(b"SS58PRE" + body, digest_size=64).digest()[:2]).decode()

    def sign(text: str) -> str:
        wrapped = b"<Bytes>" + text.encode() + b"</Bytes>"
        made = sr25519.sign(pair, wrapped) if kind == "sr25519" else bytes(key.sign_message(wrapped))
        return "0x" + bytes(made).hex()

    return Signer(parse_account_id(f"polkadot:91b171bb158e2d3848fa23a9f1c25182:{address}"), sign)


MAKERS: dict[str, Callable[[int], Signer]] = {
    "eip155": evm,
    "solana": solana,
    "p2wpkh": lambda seed: bitcoin(seed, "p2wpkh"),
    "p2wpkh 1.0.0": lambda seed: bitcoin(seed, "p2wpkh 1.0.0"),
    "multisig": several_keys,
    "p2tr": lambda seed: bitcoin(seed, "p2tr"),
    "p2wpkh legacy": lambda seed: bitcoin(seed, "p2wpkh legacy"),
    "sr25519": lambda seed: polkadot(seed, "sr25519"),
    "polkadot ed25519": lambda seed: polkadot(seed, "ed25519"),
}


class Silent:
    """A node without contracts."""

    async def request(self, _method: str, _params: object = ()) -> object:
        return "0x"


def silent(_chain: ChainId) -> RpcTransport:
    return Silent()
