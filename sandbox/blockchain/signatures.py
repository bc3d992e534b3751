"""Whether an account signed a message: by its key (EIP-191), or by its own code (ERC-1271)."""

from typing import Final

from eth_account import Account
from eth_account.messages import defunct_hash_message
from eth_keys.exceptions import BadSignature
from eth_utils.exceptions import ValidationError

from walletmodal.sandbox.blockchain.abi import calldata, eth_call, hex_bytes
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.failures import RefusedError

MAX_SIGNATURE: Final = 8192
"""Bytes of a signature; those of contract accounts may be long."""

_MAGIC: Final = bytes.fromhex("1626ba7e")


async def require_signature(chain: Chain | None, account: str, message: str, signature: str) -> None:
    """Check that an account signed a text.

    Args:
        chain: where the account may be a contract; None where only a key can have signed.
        account: lower case.
        message: the text, as a wallet shows it (`personal_sign`).
        signature: hexadecimal with 0x.

    Raises:
        RefusedError: 400, it has no form of a signature; 401, the account did not sign this.
        NodeUnavailableError: the chain does not answer.
    """
    raw = hex_bytes(signature)
    if not raw or len(raw) > MAX_SIGNATURE:
        raise RefusedError(400, "signature", "The signature format is invalid")
    await require_digest(chain, account, bytes(defunct_hash_message(text=message)), raw)


async def require_digest(chain: Chain | None, account: str, digest: bytes, signature: bytes) -> None:
    """Check that an account signed 32 bytes; arguments and errors as of `require_signature`."""
    if recovered(digest, signature) == account:
        return
    if chain is not None and await _accepted_by_contract(chain, account, digest, signature):
        return
    raise RefusedError(401, "signature", "The signature validation failed")


def recovered(digest: bytes, signature: bytes) -> str | None:
    """The account, lower case, whose key signed 32 bytes; None where it is no signature of a key."""
    if len(signature) != 65:
        return None
    try:
        return str(Account._recover_hash(digest, signature=signature)).lower()  # noqa: SLF001 (its public form hashes again)
    except (BadSignature, ValidationError, ValueError):
        return None


async def _accepted_by_contract(chain: Chain, account: str, digest: bytes, signature: bytes) -> bool:
    code = await chain.node.call("eth_getCode", account, "latest")
    if code in (None, "0x"):
        return False
    call = eth_call(account, calldata("isValidSignature(bytes32,bytes)", digest, signature))
    (answer,) = await chain.node.ask([call])
    raw = hex_bytes(answer)
    return raw is not None and len(raw) >= 32 and raw[:4] == _MAGIC
