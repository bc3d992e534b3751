"""Redeeming an account's permission with the service's key for it. What it allows is held by the chain: a stolen key gets no further."""

from typing import Any, Final

from eth_account import Account
from eth_account.signers.local import LocalAccount

from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import ROOT, Delegation, decode_context
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.permission import read_caveats
from walletmodal.core.permissions.redemption import disabled_question, read_refusal
from walletmodal.sandbox.blockchain.abi import eth_call, hex_bytes
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.failures import NodeRefusedError, RefusedError
from walletmodal.sandbox.blockchain.requests import Asset
from walletmodal.sandbox.blockchain.sessions.store import Session
from walletmodal.sandbox.blockchain.signatures import require_digest

_COIN_FOR_GAS: Final = hex(10**18)


async def require_redeemable(account: Asset, session: Session, context: str, expiry: int) -> None:
    """Check that a wallet's context lets the service redeem the permission.

    Raises:
        RefusedError: 400, it is none for the service's key; 401, the account did not sign it.
    """
    delegation = read_delegation(context)
    try:
        until = read_caveats(delegation.caveats).until
    except PermissionUnreadableError as error:
        raise RefusedError(400, "context", f"The permission cannot be read: {error.details}") from error
    if delegation.delegator.lower() != account.address:
        raise RefusedError(400, "context", "The permission is of another account")
    if delegation.delegate != service_key(session).address:
        raise RefusedError(400, "context", "The permission is not for the key of the service")
    if until != expiry:
        raise RefusedError(400, "expiry", "The permission ends at another time")
    digest = delegation.digest(account.chain.number)
    await require_digest(account.chain, account.address, digest, delegation.signature)


def read_delegation(context: str) -> Delegation:
    """The account's own delegation of a context.

    Raises:
        RefusedError: 400, it is none.
    """
    try:
        delegations = decode_context(hex_bytes(context) or b"")
    except PermissionUnreadableError as error:
        raise RefusedError(400, "context", "The context is no delegation") from error
    if len(delegations) > 1 or delegations[0].authority != ROOT:
        raise RefusedError(400, "context", "The permission was handed on by somebody else")
    return delegations[0]


def service_key(session: Session) -> LocalAccount:
    """The service's key for a permission."""
    key: LocalAccount = Account.from_key(session.private_key)
    return key


async def redeem(chain: Chain, session: Session, data: bytes) -> str:
    """Send a redemption with the service's key; gives the transaction's hash.

    Raises:
        RefusedError: 400, the contracts refuse it.
        NodeUnavailableError: the chain does not answer.
    """
    key, node = service_key(session), chain.node
    await require_enabled(chain, session)
    await node.call("anvil_setBalance", key.address, _COIN_FOR_GAS)
    call = {"from": key.address, "to": MANAGER, "data": "0x" + data.hex()}
    try:
        gas = int(str(await node.call("eth_estimateGas", call)), 16)
    except NodeRefusedError as error:
        refusal = read_refusal(hex_bytes(error.data) or b"")
        raise RefusedError(400, "calls", refusal.text) from error
    price = int(str(await node.call("eth_gasPrice")), 16)
    nonce = int(str(await node.call("eth_getTransactionCount", key.address, "pending")), 16)
    transaction: dict[str, Any] = {
        "chainId": chain.number,
        "nonce": nonce,
        "to": MANAGER,
        "value": 0,
        "data": data,
        "gas": gas + gas // 5,
        "gasPrice": 2 * price,
    }
    signed = key.sign_transaction(transaction)
    return str(await node.call("eth_sendRawTransaction", "0x" + bytes(signed.raw_transaction).hex()))


async def require_enabled(chain: Chain, session: Session) -> None:
    """Check that the account has not taken the permission back on its chain.

    Raises:
        RefusedError: 400, it has.
    """
    question = disabled_question(read_delegation(session.terms.context or ""))
    (answer,) = await chain.node.ask([eth_call(MANAGER, "0x" + question.hex())])
    if int.from_bytes(hex_bytes(answer) or b"", "big"):
        raise RefusedError(400, "context", "The account has taken the permission back")
