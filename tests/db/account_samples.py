"""One row in each table about an account, as the stores write it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.sign_in_samples import ORIGIN, proven
from walletmodal.core.chains.caip import parse_account_id, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.permissions.record import PermissionRecord
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.core.smart_accounts.sponsorship import Beneficiary, SponsorLimits
from walletmodal.core.transfers.transaction_request import TransactionRequest, propose
from walletmodal.db.audit import AuditStore
from walletmodal.db.permissions import PermissionStore
from walletmodal.db.requests import RequestStore
from walletmodal.db.resume import ResumeStore
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.sponsorships import SponsorshipStore

MAINNET = parse_chain_id("eip155:1")
LIMITS = SponsorLimits(visitor=10**18, everybody=10**18)
MINE, OTHERS = "m" * 43, "o" * 43


def asked(name: str, sender: str, call: dict[str, str], clock: MovableClock, **fields: Any) -> TransactionRequest:
    proposal = propose(MAINNET, sender, "eth_sendTransaction", [call])
    return replace(TransactionRequest(name, name, ORIGIN, "host", proposal, clock.now(), clock.now()), **fields)


async def fill(engine: AsyncEngine, clock: MovableClock, account: str) -> None:
    """One row of everything that there is about an account."""
    now, short = clock.now(), account[-4:]
    await SignInStore(engine, clock=clock).add(
        proven(f"nonce{short}", at=now, accountAddress=account), f"browser{short}"
    )
    await RequestStore(engine, clock=clock).ask(asked(short, account, {"to": account, "value": "0x1"}, clock))
    audit = AuditStore(engine, clock=clock)
    audit.note(AuditEntry(now, "denied", "eth_sign", ORIGIN, "eip155:1", account, "no", f"Sign as {account}", "d" * 64))
    await audit.close()
    of, context = parse_account_id(f"eip155:1:{account}"), bytes.fromhex(account[2:])
    granted = PermissionRecord(short, of, ORIGIN, ORIGIN, {"from": account}, context, now, None)
    await PermissionStore(engine, clock=clock).add(granted, "browser")
    whose = Beneficiary("eip155:1", account, f"browser{short}", "203.0.113.7")
    await SponsorshipStore(engine, clock=clock).promise(0, whose, 10**9, LIMITS)


async def put(engine: AsyncEngine, clock: MovableClock, resume_id: str, account: str, typed: str = "") -> None:
    chosen = {"connector": "io.metamask", "first": account, "address": account}
    store = ResumeStore(engine, clock=clock)
    store.put(resume_id, {"accounts": {"eip155": chosen}, "send": {"receiver": typed}})
    await store.close()
