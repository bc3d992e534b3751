"""How long a batch of the embedded wallet's smart account takes from its approval to its receipt, what it costs in gas, and what its operation and a grant cost us."""

import asyncio
import json
import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from eth_account import Account
from playwright.sync_api import Browser, Frame, Page

from bench.apps import App, served
from bench.browser import fresh_page, preloaded, wait_for
from bench.embedded_wallet import log_in, secure_frame
from bench.figures import Figure, Floor, figure
from bench.sandbox_start import RunningSandbox, running_sandbox
from scripts.build import build_sandbox, build_secure
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import CommandError, say, tool_environment
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.permission import Permission, caveats_of
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7
from walletmodal.core.smart_accounts.delegator import execute_call_data, operation_message
from walletmodal.core.smart_accounts.safe import signature_of_operation
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.rpc import RpcEndpoints, rpc_http_client
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.endpoints import ServiceEndpoints
from walletmodal.services.smart_accounts.networks import SmartAccountNetworks
from walletmodal.services.smart_accounts.operations import OperationRequest, UserOperations

BATCHES = 8
"""Of each kind, the first of which makes the account a smart one."""
ROUNDS = 300
_MS = 1000.0
_OWN, _SPONSORED = "eip155:1", "eip155:137"
_ETHER = 10**18
_GAS = 21_000
_CONFIRMED = 200

_PAY = """async ([chain, from, receivers]) => {
  const provider = modal.getProvider("eip155");
  window.__paid = window.__failed = window.__receipt = null;
  const calls = receivers.map((to) => ({ to, value: "0x1" }));
  try {
    const { id } = await provider.request({ method: "wallet_sendCalls", params: [{ version: "2.0.0", chainId: chain, from, atomicRequired: true, calls }] });
    let told;
    do told = await provider.request({ method: "wallet_getCallsStatus", params: [id] });
    while (told.status < 200);
    window.__paid = __probe.now();
    window.__receipt = told;
  } catch (error) {
    window.__failed = error.message;
  }
}"""


def operations() -> list[Figure]:
    """The figures of what is worked out without a browser or a chain.

    Raises:
        CommandError: the secure site's scripts cannot be built, or do not sign.
    """
    say(f"smart accounts: {ROUNDS} operations and as many grants")
    build_secure()
    key = Account.create()
    calls = [AccountCall(_receiver(), 1, b""), AccountCall(_receiver(), 2, b"")]
    permission = Permission("native-token-periodic", amount=_ETHER, period=86_400, start=1, until=2**31)

    def operation(nonce: int) -> None:
        made = UserOperation(sender=key.address, nonce=nonce, call_data=execute_call_data(calls))
        made.hash(ENTRY_POINT_0_7, 1)
        operation_message(made, 1)

    made = Delegation(calls[0].to, key.address, caveats_of(permission, 0), salt=0)

    def grant(salt: int) -> None:
        delegation = replace(made, salt=salt)
        signature = Account.unsafe_sign_hash(delegation.digest(1), key.key).signature
        encode_context([delegation.signed(bytes(signature))])

    in_python = "beside it the same by Python's `eth_account`"
    return [
        figure("operation_ms", "user operation of two calls built and hashed", "ms", _each(operation), floor=Floor(5, on="p95")),
        figure("grant_ms", "grant of a permission read and signed", "ms", _signed_in_frame(made), floor=Floor(5, on="p95"), reference=_each(grant), note=in_python),
    ]  # fmt: skip


def _signed_in_frame(delegation: Delegation) -> list[float]:
    """Milliseconds of each signature by the frame's scripts, once they are warm."""
    asked = json.dumps({"data": delegation.typed_data(1), "rounds": 2 * ROUNDS})
    done = subprocess.run(
        [str(VENV_BIN / "node"), "bench/grants.mjs"],
        check=False,
        cwd=ROOT,
        env=tool_environment(),
        input=asked,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CommandError(f"the frame's scripts do not sign:\n{done.stderr[-2000:]}")
    took: list[float] = json.loads(done.stdout)
    return took[ROUNDS:]


def _each(work: Callable[[int], None]) -> list[float]:
    took = []
    for number in range(ROUNDS):
        began = time.perf_counter()
        work(number)
        took.append((time.perf_counter() - began) * _MS)
    return took


@dataclass
class _Batches:
    """What batches of one kind took, and their gas; the first by itself."""

    took: list[float] = field(default_factory=list)
    gas: list[float] = field(default_factory=list)


def smart_accounts(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures of batches of two payments, paid for by the account and by the deployment.

    Raises:
        CommandError: something did not come about.
    """
    say(f"smart accounts: {BATCHES} batches by the account's own transactions, and as many that are sponsored")
    build_sandbox()
    build_secure()
    with running_sandbox({"SECURE_MODAL_ORIGINS": app.url, "ALLOWED_ORIGINS": host}) as sandbox:
        services = {
            "RPC_URL": f"{sandbox.url}/rpc",
            "SECURE_SITE_URL": f"{sandbox.secure_url}/sdk",
            "BUNDLER_URL": f"{_SPONSORED}={sandbox.url}/bundler/{_SPONSORED}",
            "PAYMASTER_URL": f"{_SPONSORED}={sandbox.url}/paymaster/{_SPONSORED}",
            "SPONSOR_LIMITS": f"{_SPONSORED}=1|100",
        }
        alone, of_safe = _payments_alone(sandbox), _gas_of_safe(sandbox)
        with served(replace(app, environment={**app.environment, **services})), fresh_page(browser) as page:
            modal = preloaded(page, host, app.url)
            log_in(page, modal, sandbox.url, "owner@example.org")
            own = _batches(page, sandbox, _OWN)
            page.evaluate("(chain) => modal.switchNetwork(chain)", _SPONSORED)
            sponsored = _batches(page, sandbox, _SPONSORED)
    node = sorted(alone.took)[len(alone.took) // 2]
    note = "beside it a plain transfer of a key, sent to the node directly"
    first, made = "the first one makes the account a smart account", "the first one makes the Safe"
    return [
        figure("batch_ms", "batch of two: approving click to receipt at the host", "ms", own.took[1:], floor=Floor(400), reference=alone.took, note=note),
        figure("batch_ours_ms", "of it ours: without what the node needs for a transfer", "ms", [took - node for took in own.took[1:]], floor=Floor(150)),
        figure("sponsored_batch_ms", "sponsored batch of two: approving click to receipt at the host", "ms", sponsored.took[1:], reference=alone.took, note=note),
        figure("batch_first_gas", "gas: first batch of two payments", "gas", own.gas[:1], reference=alone.gas, note=first),
        figure("batch_gas", "gas: batch of two payments", "gas", own.gas[1:], reference=alone.gas),
        figure("sponsored_batch_first_gas", "gas: first sponsored batch", "gas", sponsored.gas[:1], reference=alone.gas, note=first),
        figure("sponsored_batch_gas", "gas: sponsored batch", "gas", sponsored.gas[1:], reference=alone.gas),
        figure("safe_batch_first_gas", "gas: first batch of two payments of a Safe", "gas", of_safe[:1], reference=alone.gas, note=made),
        figure("safe_batch_gas", "gas: batch of two payments of a Safe", "gas", of_safe[1:], reference=alone.gas),
    ]  # fmt: skip


def _batches(page: Page, sandbox: RunningSandbox, network: str) -> _Batches:
    address = str(page.evaluate("modal.getAddress()"))
    gift = {"address": address, "chain": network, "amount": str(_ETHER)}
    httpx.post(f"{sandbox.url}/sandbox/faucet", json=gift, trust_env=False).raise_for_status()
    secure, found = secure_frame(page, sandbox.secure_url), _Batches()
    for _ in range(BATCHES):
        chain = hex(int(network.partition(":")[2]))
        page.evaluate(f"(given) => void ({_PAY})(given)", [chain, address, [_receiver(), _receiver()]])
        _approve(page, secure)
        paid = wait_for(page, page, "window.__paid || window.__failed", "the receipt of a batch")
        if isinstance(paid, str):
            raise CommandError(f"smart accounts: {paid}")
        told = page.evaluate("window.__receipt")
        if told["status"] != _CONFIRMED:
            raise CommandError(f"smart accounts: a batch has the status {told['status']}")
        found.took.append(float(paid) - float(secure.evaluate("__probe.clicked")))
        found.gas.append(float(int(told["receipts"][0]["gasUsed"], 16)))
    return found


def _approve(page: Page, secure: Frame) -> None:
    approve = secure.locator('[data-testid="frame-approve"]')
    approve.wait_for()
    # It can be pressed once all of the card was in view.
    wait_for(
        page,
        secure,
        "document.querySelector('.body')?.scrollTo(0, 1e6), document.querySelector('[data-testid=frame-approve]:enabled') !== null",
        "the end of the card",
    )
    approve.hover()
    # The frame wants the pointer to have been there for half a second.
    page.wait_for_timeout(600)
    approve.click()


def _payments_alone(sandbox: RunningSandbox) -> _Batches:
    """What the node alone takes for plain transfers."""
    key, found = Account.create(), _Batches()
    with httpx.Client(base_url=sandbox.evm_url, trust_env=False) as node:

        def rpc(method: str, *params: object) -> object:
            body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
            return node.post("/", json=body).raise_for_status().json()["result"]

        rpc("anvil_setBalance", key.address, hex(_ETHER))
        for nonce in range(BATCHES):
            transfer = {
                "chainId": 1, "nonce": nonce, "to": _receiver(), "value": 1, "gas": _GAS,
                "maxFeePerGas": 100 * 10**9, "maxPriorityFeePerGas": 10**9,
            }  # fmt: skip
            raw = "0x" + bytes(key.sign_transaction(transfer).raw_transaction).hex()
            began = time.perf_counter()
            sent, receipt = rpc("eth_sendRawTransaction", raw), None
            while not isinstance(receipt, dict):
                receipt = rpc("eth_getTransactionReceipt", sent)
            found.took.append((time.perf_counter() - began) * _MS)
            found.gas.append(float(int(receipt["gasUsed"], 16)))
    return found


def _gas_of_safe(sandbox: RunningSandbox) -> list[float]:
    # The browser's interface keeps a loop running in this thread.
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, _batches_of_safe(sandbox)).result()


async def _batches_of_safe(sandbox: RunningSandbox) -> list[float]:
    """The gas of batches of two payments of a Safe that pays for itself, by the sandbox's bundler."""
    key, chain, found = Account.create(), parse_chain_id(_OWN), list[float]()
    async with rpc_http_client() as client:
        nodes = RpcEndpoints(client, gateway=f"{sandbox.url}/rpc")
        services = ServiceEndpoints(client, {_OWN: f"{sandbox.url}/bundler/{_OWN}"}, setting="BUNDLER_URL")
        bundler = Bundler(services.transport, nodes.unjoined)
        operations = UserOperations(bundler, SmartAccountNetworks(nodes.unjoined))
        gift = {"address": smart_account_address("safe", key.address), "chain": _OWN, "amount": str(_ETHER)}
        (await client.post(f"{sandbox.url}/sandbox/faucet", json=gift)).raise_for_status()
        for _ in range(BATCHES):
            calls = AccountCall(_receiver(), 1), AccountCall(_receiver(), 1)
            prepared = await operations.prepare(OperationRequest(chain, "safe", key.address, calls))
            signature = bytes(Account.unsafe_sign_hash(prepared.message.digest, key.key).signature)
            signed = prepared.signed(signature_of_operation({key.address: signature}))
            await bundler.send(chain, signed, prepared.entry_point, prepared.hash)
            while not (bundle := await bundler.transaction_of(chain, prepared.hash)):  # noqa: ASYNC110 (nobody tells)
                await asyncio.sleep(0.01)
            receipt: Any = await nodes.unjoined(chain).request("eth_getTransactionReceipt", [bundle])
            found.append(float(int(receipt["gasUsed"], 16)))
        await nodes.close()
    return found


def _receiver() -> str:
    return str(Account.from_key(os.urandom(32)).address)
