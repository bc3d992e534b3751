"""`POST /v1/wallet`: calls within a permission, prepared for the page's key to sign, then redeemed by the service (JSON-RPC)."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from eth_abi.abi import encode
from eth_account.messages import defunct_hash_message
from eth_keys.datatypes import PublicKey
from eth_utils import exceptions
from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak
from pydantic import BaseModel, ConfigDict, Field, RootModel
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.core.permissions.framework import MANAGER
from walletmodal.core.permissions.redemption import redeem_call
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.abi import hex_bytes
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.requests import Asset, asset, body
from walletmodal.sandbox.blockchain.sessions.endpoint import SessionsEndpoint
from walletmodal.sandbox.blockchain.sessions.redemption import redeem, service_key
from walletmodal.sandbox.blockchain.sessions.store import Session
from walletmodal.sandbox.blockchain.signatures import recovered

PREPARED_SECONDS: Final = 300
"""For how long prepared calls can be sent."""
MAX_PREPARED: Final = 1000
MAX_CALLS: Final = 20

_Address = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{40}$")]
_Hex = Annotated[str, Field(pattern=r"^0x(?:[0-9a-fA-F]{2})*$", max_length=65_536)]
_Quantity = Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{1,64}$")]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class Call(_Model):
    """One call of a batch (EIP-5792)."""

    to: _Address
    data: _Hex = "0x"
    value: _Quantity = "0x0"


class PermissionsCapability(_Model):
    """Which permission: `context` is its `pci`."""

    context: Annotated[str, Field(min_length=1, max_length=64)]


class CallCapabilities(_Model):
    """What the calls insist on."""

    permissions: PermissionsCapability


class PrepareCalls(_Model):
    """The one parameter of `wallet_prepareCalls`."""

    from_: Annotated[_Address, Field(alias="from")]
    chain_id: Annotated[_Quantity, Field(alias="chainId")]
    calls: Annotated[list[Call], Field(min_length=1, max_length=MAX_CALLS)]
    capabilities: CallCapabilities


class SendPreparedCalls(_Model):
    """The one parameter of `wallet_sendPreparedCalls`; what was prepared is known by the hash that was signed."""

    context: Annotated[str, Field(min_length=1, max_length=64)]
    prepared_calls: Annotated[dict[str, Any], Field(alias="preparedCalls")]
    signature: _Hex


class PrepareRequest(_Model):
    """A JSON-RPC request that prepares calls."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: int | str | None = None
    method: Literal["wallet_prepareCalls"]
    params: Annotated[list[PrepareCalls], Field(min_length=1, max_length=1)]


class SendRequest(_Model):
    """A JSON-RPC request that sends what was prepared."""

    jsonrpc: Literal["2.0"] = "2.0"
    id: int | str | None = None
    method: Literal["wallet_sendPreparedCalls"]
    params: Annotated[list[SendPreparedCalls], Field(min_length=1, max_length=1)]


class WalletRequest(RootModel[Annotated[PrepareRequest | SendRequest, Field(discriminator="method")]]):
    """A JSON-RPC request with one parameter."""


@dataclass(frozen=True)
class _Prepared:
    account: Asset
    pci: str
    data: bytes
    digest: bytes
    ends: float


class PreparedCallsEndpoint:
    """Answers `wallet_prepareCalls` and `wallet_sendPreparedCalls`.

    Args:
        chains: where calls are made.
        sessions: the permissions.
        clock: for how long what is prepared counts.
    """

    def __init__(self, chains: Chains, sessions: SessionsEndpoint, clock: Clock) -> None:
        self._chains, self._sessions, self._clock = chains, sessions, clock
        self._prepared: dict[str, _Prepared] = {}

    async def answer(self, request: Request) -> Response:
        """Answer a request with `{jsonrpc, id, result}`."""
        asked = (await body(request, WalletRequest)).root
        if isinstance(asked, PrepareRequest):
            result: object = await self._prepare(asked.params[0])
        else:
            result = await self._send(asked.params[0])
        return json_answer({"jsonrpc": "2.0", "id": asked.id, "result": result})

    async def _prepare(self, wish: PrepareCalls) -> list[dict[str, Any]]:
        """What the page's key is to sign. Nothing is sent."""
        chain = f"eip155:{int(wish.chain_id, 16)}"
        if chain not in self._chains:
            raise RefusedError(404, "chainId", "The chain is not served")
        account = asset(self._chains, f"{chain}:{wish.from_}", "from")
        pci = wish.capabilities.permissions.context
        session = self._granted(account, pci)
        wanted = [
            AccountCall(to_checksum_address(one.to), int(one.value, 16), hex_bytes(one.data) or b"")
            for one in wish.calls
        ]
        data = redeem_call(hex_bytes(session.terms.context) or b"", wanted)
        number = secrets.token_bytes(32)
        digest = keccak(
            encode(["uint256", "address", "bytes32", "bytes32"], [account.chain.number, MANAGER, keccak(data), number])
        )
        self._forget_old()
        name = "0x" + number.hex()
        self._prepared[name] = _Prepared(account, pci, data, digest, self._clock.monotonic() + PREPARED_SECONDS)
        calls = {"to": MANAGER, "data": "0x" + data.hex(), "nonce": name}
        return [
            {
                "preparedCalls": {"type": "delegation-redemption", "data": calls, "chainId": wish.chain_id},
                "signatureRequest": {"hash": "0x" + digest.hex()},
                "context": pci,
            }
        ]

    async def _send(self, wish: SendPreparedCalls) -> list[str]:
        """Redeem what was prepared, once, for the page whose key has signed it; gives the transaction's hash."""
        data = wish.prepared_calls.get("data")
        name = data.get("nonce") if isinstance(data, Mapping) else None
        prepared = self._prepared.get(name) if isinstance(name, str) else None
        if prepared is None or prepared.pci != wish.context or prepared.ends <= self._clock.monotonic():
            raise RefusedError(404, "preparedCalls", "These calls were not prepared, or too long ago")
        session = self._granted(prepared.account, prepared.pci)
        signer = recovered(bytes(defunct_hash_message(prepared.digest)), hex_bytes(wish.signature) or b"")
        if signer is None or signer not in _page_keys(session):
            raise RefusedError(401, "signature", "The signature validation failed")
        # Before anything is waited for: two requests with one signature are one payment.
        del self._prepared[str(name)]
        return [await redeem(prepared.account.chain, session, prepared.data)]

    def _granted(self, account: Asset, pci: str) -> Session:
        if not self._sessions.knows(account, pci):
            raise RefusedError(404, "context", "The permission was not found")
        session = self._sessions.usable(account, pci)
        if session.terms.context is None:
            raise RefusedError(400, "context", "The permission was not granted yet")
        return session

    def _forget_old(self) -> None:
        now = self._clock.monotonic()
        kept = [(name, one) for name, one in self._prepared.items() if one.ends > now]
        self._prepared = dict(kept[-MAX_PREPARED + 1 :])


def _page_keys(session: Session) -> set[str]:
    """The accounts, lower case, of the page's keys: those of the signer but for the service's own."""
    data = session.terms.signer.get("data")
    keys = data.get("keys") if isinstance(data, Mapping) else None
    found = {_account(one) for one in keys if isinstance(one, Mapping)} if isinstance(keys, list) else set()
    return {one for one in found if one} - {service_key(session).address.lower()}


def _account(key: Mapping[str, Any]) -> str:
    raw = hex_bytes(key.get("publicKey")) or b""
    if key.get("type") != "secp256k1":
        return ""
    try:
        if len(raw) == 33:
            return str(PublicKey.from_compressed_bytes(raw).to_address())
        return str(PublicKey(raw[-64:]).to_address()) if len(raw) in (64, 65) else ""
    except (exceptions.ValidationError, ValueError):
        return ""
