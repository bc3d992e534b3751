"""What it takes to verify the sign-in of an account with a key, and what a thousand of them leave behind."""

import asyncio
import gc
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from eth_account import Account
from eth_account.messages import encode_defunct

from bench.figures import Figure, Floor, figure
from walletmodal.commands.project import CommandError, say
from walletmodal.core.chains.caip import ChainId, parse_account_id, parse_chain_id
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.core.sign_in.reading import read_sign_in_text
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import SigningKeys
from walletmodal.services.chains.registry import Chains
from walletmodal.services.rpc import RpcTransport
from walletmodal.services.sign_in import MemoryNonces, SignInProofs, SignInTerms, SignInTokens

SIGN_INS = 1000
ROUNDS_BEFORE = 2
"""Rounds of a thousand after which memory counts: by then pools, caches and compiled statements have their size."""

_ORIGIN = "https://app.example"
_CHAIN = parse_chain_id("eip155:1")
_WALLET = Account.from_key(b"\x07" * 32)
_ACCOUNT = parse_account_id(f"{_CHAIN}:{_WALLET.address}")
_MS = 1000.0


@dataclass(frozen=True, slots=True)
class _Process:
    """The parts of a deployment that sign somebody in."""

    proofs: SignInProofs
    chains: Chains
    store: SignInStore
    tokens: SignInTokens


def sign_ins() -> list[Figure]:
    """The figures.

    Raises:
        CommandError: a good signature was not verified.
    """
    say(f"signin: {SIGN_INS:,} sign-ins, {ROUNDS_BEFORE} rounds before")
    with tempfile.TemporaryDirectory() as folder:
        recovered, proven, whole, growth = asyncio.run(_measure(f"sqlite:///{Path(folder) / 'bench.db'}"))
    return [
        figure("sign_in_recovered", "sign-in of a key: text read, signature recovered", "ms", recovered, floor=Floor(2)),
        figure("sign_in_proven", "the same with its nonce taken and every rule asked", "ms", proven, floor=Floor(2)),
        figure("sign_in_whole", "the same with message, record on SQLite and token", "ms", whole),
        figure("sign_in_growth", f"memory that {SIGN_INS:,} sign-ins leave behind", "kB", [growth], floor=Floor(1000)),
    ]  # fmt: skip


async def _measure(database_url: str) -> tuple[list[float], list[float], list[float], float]:
    upgrade(database_url)
    engine = open_engine(database_url)
    chains = Chains(_no_node)
    proofs = SignInProofs(chains, MemoryNonces())
    process = _Process(proofs, chains, SignInStore(engine), SignInTokens(SigningKeys(engine), "https://modal.example"))
    try:
        for number in range(ROUNDS_BEFORE):
            await _round(process, f"before-{number}")
        before = _memory()
        recovered, proven, whole = await _round(process, "counted")
        return recovered, proven, whole, max(0.0, (_memory() - before) / 1000)
    finally:
        await engine.dispose()


async def _round(process: _Process, name: str) -> tuple[list[float], list[float], list[float]]:
    recovered, proven, whole = list[float](), list[float](), list[float]()
    adapter = process.chains.adapter("eip155")
    for number in range(SIGN_INS):
        visitor = f"{name}-{number}"
        started = time.perf_counter()
        message = await process.proofs.propose(visitor, SignInTerms(_ACCOUNT, _ORIGIN))
        proposed = time.perf_counter() - started
        text = sign_in_text(message)
        signature = "0x" + _WALLET.sign_message(encode_defunct(text=text)).signature.hex().removeprefix("0x")

        started = time.perf_counter()
        read = read_sign_in_text(text)
        good = await adapter.verify_message(_CHAIN, read.account_address, text, signature)
        recovered.append((time.perf_counter() - started) * _MS)
        if not good:
            raise CommandError("signin: a good signature was not verified")

        started = time.perf_counter()
        proof = await process.proofs.prove(visitor, message.nonce, signature, account=_ACCOUNT, origin=_ORIGIN)
        proven.append((time.perf_counter() - started) * _MS)
        await process.tokens.mint(await process.store.add(proof, visitor))
        whole.append((proposed + time.perf_counter() - started) * _MS)
    return recovered, proven, whole


def _memory() -> float:
    gc.collect()
    return float(psutil.Process().memory_full_info().uss)


def _no_node(_chain: ChainId) -> RpcTransport:
    raise CommandError("signin: no node is to be asked for a key's signature")
