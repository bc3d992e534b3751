"""Smart accounts on the sandbox's chains: bundler, paymaster and nodes as a deployment has them, and fresh keys with money."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.signers.local import LocalAccount

from tests.patience import PATIENCE, patience
from tests.ports import sandbox_settings
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.smart_accounts.account_state import Implementation, smart_account_address
from walletmodal.core.smart_accounts.authorization import NOBODY, Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call
from walletmodal.core.smart_accounts.contracts import SAFE_PROXY_FACTORY, STATELESS_DELEGATOR
from walletmodal.core.smart_accounts.safe import signature_of_operation
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.world import worlds
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client
from walletmodal.services.rpc.transport import JsonParams
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.endpoints import ServiceEndpoints
from walletmodal.services.smart_accounts.networks import SmartAccountNetworks
from walletmodal.services.smart_accounts.operations import OperationRequest, PreparedOperation, UserOperations
from walletmodal.services.smart_accounts.outcomes import OperationOutcome, OperationOutcomes, SentOperation
from walletmodal.services.smart_accounts.paymaster import Paymaster

MAINNET = parse_chain_id("eip155:1")
ETHER = 10**18
BOB = "0x000000000000000000000000000000000000bEEF"
PLAIN = UserOperation(
    sender=BOB,
    nonce=2**64 + 5,
    call_data=b"\1\2\3\4",
    call_gas_limit=1,
    verification_gas_limit=2,
    pre_verification_gas=3,
    max_fee_per_gas=4,
    max_priority_fee_per_gas=5,
)
MADE = replace(PLAIN, factory=SAFE_PROXY_FACTORY, factory_data=b"made")
PAID = replace(
    MADE,
    paymaster=STATELESS_DELEGATOR,
    paymaster_verification_gas_limit=6,
    paymaster_post_op_gas_limit=7,
    paymaster_data=b"paid",
)


@dataclass
class Stage:
    """Everything that a deployment has for smart accounts, and the sandbox that it is pointed at."""

    sandbox: Sandbox
    http: httpx.AsyncClient
    rpc: RpcEndpoints
    bundlers: ServiceEndpoints
    paymasters: ServiceEndpoints

    def __post_init__(self) -> None:
        self.bundler = Bundler(self.bundlers.transport, self.rpc.unjoined)
        self.networks = SmartAccountNetworks(self.rpc.unjoined)
        self.operations = UserOperations(self.bundler, self.networks)
        self.outcomes = OperationOutcomes(self.bundler, self.rpc.unjoined)

    @property
    def paymaster(self) -> Paymaster:
        """That of the network."""
        return Paymaster(self.paymasters.transport(MAINNET), MAINNET)

    async def ask(self, method: str, *params: object) -> Any:
        """A node's answer."""
        return await self.rpc.unjoined(MAINNET).request(method, params)

    async def call(self, contract: str, data: bytes) -> bytes:
        """What a contract answers."""
        answer = await self.ask("eth_call", {"to": contract, "data": "0x" + data.hex()}, "latest")
        return bytes.fromhex(answer[2:])

    async def fund(self, address: str, amount: int, token: str = "") -> None:
        """Gives an account coins, or a token's base units."""
        body = {"address": address, "chain": str(MAINNET), "amount": str(amount)}
        body |= {"token": f"{MAINNET}:{token}"} if token else {}
        (await self.http.post("/sandbox/faucet", json=body)).raise_for_status()

    async def fault(self, service: str, **fault: object) -> None:
        """Has a service of the sandbox fail."""
        (await self.http.post("/sandbox/faults", json={"service": service, **fault})).raise_for_status()

    async def balance(self, address: str, token: str = "") -> int:
        """What an account has."""
        if token:
            return int.from_bytes(await self.call(token, encode_call("balanceOf(address)", address)), "big")
        return int(await self.ask("eth_getBalance", address, "latest"), 16)

    async def height(self) -> int:
        """That of the chain."""
        return int(await self.ask("eth_blockNumber"), 16)

    async def outcome(self, prepared: PreparedOperation, height: int) -> OperationOutcome:
        """What became of an operation, once the chain has it."""
        sent = SentOperation(prepared.hash, prepared.operation.sender, prepared.entry_point, height)
        async with patience():
            while (found := await self.outcomes.find(MAINNET, sent, await self.height())) is None:
                await asyncio.sleep(0.01)
        return found

    async def make(self, request: OperationRequest, key: LocalAccount) -> OperationOutcome:
        """Prepares, signs and sends an operation, and waits for it."""
        prepared, height = await self.operations.prepare(request), await self.height()
        await self.send(prepared, signed(prepared, request, key))
        return await self.outcome(prepared, height)

    async def send(self, prepared: PreparedOperation, operation: UserOperation) -> None:
        """Hands a signed operation in."""
        await self.bundler.send(MAINNET, operation, prepared.entry_point, prepared.hash)


def to_bob(amount: int = 1) -> AccountCall:
    """A call that gives somebody coins."""
    return AccountCall(BOB, amount)


def token_of(symbol: str) -> str:
    """A token of the sandbox in which gas can be paid."""
    return next(str(token.address) for token in worlds()[str(MAINNET)].tokens if token.symbol == symbol)


def usdc() -> str:
    """One whose allowances are plain."""
    return token_of("USDC")


def fresh_key() -> LocalAccount:
    """A key that nobody has used."""
    made: LocalAccount = Account.create()
    return made


def changed(data: str, at: int, value: bytes) -> str:
    """A paymaster's data with other bytes from a place on."""
    raw = bytearray.fromhex(data[2:])
    raw[at : at + len(value)] = value
    return "0x" + raw.hex()


def lie(monkeypatch: pytest.MonkeyPatch, paymaster: Paymaster, method: str, altered: Callable[[Any], Any]) -> None:
    """Has a paymaster answer a method with something else than it would."""
    honest = paymaster._transport.request

    async def request(asked: str, params: JsonParams) -> Any:
        answer: Any = await honest(asked, params)
        return altered(answer) if asked == method else answer

    monkeypatch.setattr(paymaster._transport, "request", request)


def account_of(implementation: Implementation, key: LocalAccount) -> str:
    """The address of a key's smart account."""
    return smart_account_address(implementation, str(key.address))


def sign_digest(digest: bytes, key: LocalAccount) -> bytes:
    """A key's signature of 32 bytes."""
    return bytes(Account.unsafe_sign_hash(digest, key.key).signature)


def sign_authorization(authorization: Authorization, key: LocalAccount) -> SignedAuthorization:
    """An authorization as a key signs it."""
    signature = Account.unsafe_sign_hash(authorization.hash, key.key)
    return SignedAuthorization(authorization, signature.v - 27, signature.r, signature.s)


def signed(prepared: PreparedOperation, request: OperationRequest, key: LocalAccount) -> UserOperation:
    """A prepared operation with what a key signs."""
    signature = sign_digest(prepared.message.digest, key)
    if request.implementation == "safe":
        signature = signature_of_operation({str(key.address): signature})
    authorization = prepared.authorization
    return prepared.signed(signature, sign_authorization(authorization, key) if authorization else None)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def running_sandbox() -> AsyncIterator[Sandbox]:
    async with Sandbox(sandbox_settings()) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def stage(running_sandbox: Sandbox) -> AsyncIterator[Stage]:
    """Without faults, before and after."""
    url = running_sandbox.url
    async with (
        httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE) as http,
        rpc_http_client() as client,
    ):
        rpc = RpcEndpoints(client, gateway=f"{url}/rpc")
        bundlers = ServiceEndpoints(client, {str(MAINNET): f"{url}/bundler/{MAINNET}"}, setting="BUNDLER_URL")
        paymasters = ServiceEndpoints(client, {str(MAINNET): f"{url}/paymaster/{MAINNET}"}, setting="PAYMASTER_URL")
        yield Stage(running_sandbox, http, rpc, bundlers, paymasters)
        await rpc.close()
        (await http.delete("/sandbox/faults")).raise_for_status()


async def own_transaction(stage: Stage, key: LocalAccount, data: bytes, *, take_back: bool) -> None:
    """Sends a transaction of the account to itself, with an authorization."""
    nonce = await stage.networks.transaction_count(MAINNET, key.address)
    # The transaction itself takes the next nonce before the authorization counts.
    unsigned = Authorization(1, NOBODY if take_back else STATELESS_DELEGATOR, nonce + 1)
    await send_authorized(stage, key, data, unsigned)


async def send_authorized(stage: Stage, key: LocalAccount, data: bytes, unsigned: Authorization) -> None:
    """Sends a transaction with an authorization of the same account."""
    one = sign_authorization(unsigned, key)
    transaction: Any = {
        "type": 4,
        "chainId": 1,
        "nonce": unsigned.nonce - 1,
        "to": key.address,
        "value": 0,
        "data": data,
        "gas": 300_000,
        "maxFeePerGas": 10**11,
        "maxPriorityFeePerGas": 10**9,
        "accessList": [],
        "authorizationList": [
            {
                "chainId": 1,
                "address": unsigned.address,
                "nonce": unsigned.nonce,
                "yParity": one.y_parity,
                "r": one.r,
                "s": one.s,
            }
        ],
    }
    raw = bytes(key.sign_transaction(transaction).raw_transaction)
    transaction_hash = await stage.ask("eth_sendRawTransaction", "0x" + raw.hex())
    async with patience():
        while (receipt := await stage.ask("eth_getTransactionReceipt", transaction_hash)) is None:
            await asyncio.sleep(0.01)
    assert receipt["status"] == "0x1"
