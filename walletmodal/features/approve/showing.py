"""Rendering of a waiting request: what the server reads of it, and what a node says that it would do."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypedDict, cast
from urllib.parse import urlsplit

from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import NetworkError, WalletModalError
from walletmodal.core.language import _
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Summary, Token, coin_amount
from walletmodal.core.requests.typed_request import Call, HostedRequest
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_exact
from walletmodal.core.transfers.simulation import Moved, Simulation
from walletmodal.deployment import deployment
from walletmodal.features.approve.entries import Waiting
from walletmodal.services.chains.adapter import PreparedTransfer

MAX_TOKENS: Final = 8
"""Contracts that are asked what they are; a request of more shows base units."""
TOKEN_SECONDS: Final = 10.0
"""A skeleton stands there meanwhile, and the request can be rejected; what comes later is shown in base units for good."""
FRESH_SECONDS: Final = 60.0
"""For how long counts what a node or a paymaster has said: prices and balances move on."""
MORE: Final = _("and more than can be shown here")

TrialState = Literal["none", "running", "told", "fails", "unknown"]
"""none: there is nothing to try. told: a node has run it. fails: it would fail. unknown: nobody could say."""


class Line(TypedDict):
    """A row of a part. `tone`: "", `code`, `address`, `warning`."""

    name: str
    value: str
    depth: int
    tone: str


class Section(TypedDict):
    """A part of the request."""

    title: str
    rows: list[Line]
    raw: str


class Words(TypedDict):
    """Texts of the request itself."""

    title: str
    text: str
    encoded: bool
    parts: list[Section]
    warnings: list[str]
    hidden: bool
    total: str


class Shown(Words):
    """All texts of a request, none of which is believed: what is carried out is kept apart. `framed`: the embedded wallet's frame asks next."""

    host: str
    origin: str
    icon: str
    account: str
    avatar: str
    wallet: str
    network: str
    network_image: str
    reason: str
    framed: bool
    trial: TrialState


class Trial(TypedDict):
    """Outcome of a simulation by a node."""

    state: TrialState
    leaves: list[str]
    arrives: list[str]
    failure: str


class Attempt(TypedDict):
    """What a node is asked to run without sending it, JSON. `chain`: CAIP-2; `account`: the sender, a plain address."""

    chain: str
    account: str
    method: str
    params: Any


class Tried(TypedDict):
    """What a node has said of an attempt before the visitor was asked, JSON; `at`: when, in Unix time."""

    attempt: Attempt | None
    trial: Trial
    at: float


NO_TRIAL: Final[Trial] = {"state": "none", "leaves": [], "arrives": [], "failure": ""}


@dataclass(frozen=True, slots=True)
class Asker:
    """The requesting host page, and the account with its wallet and network. `framed`: it is the embedded wallet."""

    name: str
    icon: str
    origin: str
    account: str
    wallet: str
    chain: str
    network: str
    network_image: str
    framed: bool


def read_waiting(entry: Waiting, asker: Asker) -> HostedRequest:
    """Reads the waiting request.

    Raises:
        PayloadError: it cannot be.
    """
    return read_request(
        method=entry["method"],
        chain=parse_chain_id(asker.chain),
        account=entry["account"],
        origin=asker.origin,
        params=entry["params"],
    )


async def render_request(request: HostedRequest, asker: Asker, reason: str, *, whole: bool) -> Shown:
    """Renders a request; its tokens' contracts are asked, for no longer than a moment."""
    summary = summarize(request, whole=whole)
    if summary.tokens:
        tokens = await read_tokens(request.chain, summary.tokens[:MAX_TOKENS])
        summary = summarize(request, tokens=tokens, whole=whole)
    return {
        "host": clean_text(asker.name, limit=64) or urlsplit(asker.origin).netloc,
        "origin": asker.origin,
        "icon": asker.icon,
        "account": truncate(asker.account),
        "avatar": avatar(asker.account).background,
        "wallet": asker.wallet,
        "network": asker.network,
        "network_image": asker.network_image,
        "reason": reason,
        "framed": asker.framed,
        "trial": "running" if attempt_of(request) else "none",
        **render_words(summary),
    }


def render_words(summary: Summary) -> Words:
    """Serializes a summary for the browser."""
    return {
        "title": summary.title,
        "text": summary.text,
        "encoded": summary.encoded,
        "parts": [
            {
                "title": part.title,
                "rows": [
                    {"name": row.name, "value": row.value, "depth": row.depth, "tone": row.tone} for row in part.rows
                ],
                "raw": part.raw,
            }
            for part in summary.parts
        ],
        "warnings": list(summary.warnings),
        "hidden": summary.hidden,
        "total": summary.total,
    }


async def read_tokens(chain: ChainId, addresses: tuple[str, ...]) -> dict[str, Token | None]:
    """Reads what contracts say of themselves, for no longer than a moment; None for one that could not be asked."""
    found = await asyncio.gather(*(_token(chain, address) for address in addresses))
    return dict(zip(addresses, found, strict=True))


async def _token(chain: ChainId, address: str) -> Token | None:
    """Reads what a contract says of itself; without decimals where it says that it has none."""
    try:
        async with asyncio.timeout(TOKEN_SECONDS):
            read = await deployment().chains.adapter(chain.namespace).read_token(chain, address)
    except NetworkError:
        return Token("", None)
    except (WalletModalError, TimeoutError):
        return None
    return Token(read.symbol, read.decimals)


def attempt_of(request: HostedRequest) -> Attempt | None:
    """Returns what a node is asked to run; None where there is nothing."""
    method: str = request.method
    params: Any = None
    if request.namespace == "eip155" and request.calls and not request.opaque:
        calls = [_native_call(request.chain, call) for call in request.calls]
        if len(calls) == 1:
            method, params = "eth_sendTransaction", calls
        elif all(call.to for call in request.calls):
            method, params = "wallet_sendCalls", [{"calls": calls}]
    if params is None and len(request.transactions) == 1:
        params = {"transaction": request.transactions[0]}
    if params is None:
        return None
    return Attempt(chain=str(request.chain), account=request.account, method=method, params=params)


def _native_call(chain: ChainId, call: Call) -> dict[str, str]:
    """A call as the transaction that it would be alone."""
    made = {"value": hex(call.value), "data": "0x" + call.data.hex(), "chainId": hex(int(chain.reference))}
    return {**made, "to": call.to} if call.to else made


async def simulate_attempt(attempt: Attempt | None) -> Simulation | None:
    """Simulates what a request would do to the account; None where there is nothing to simulate."""
    if attempt is None:
        return None
    prepared = PreparedTransfer(parse_chain_id(attempt["chain"]), attempt["method"], attempt["params"], fee=0)
    return await deployment().simulations.simulate(prepared, attempt["account"])


async def try_out(attempt: Attempt | None) -> Trial:
    """Has a node run what a request would do, and renders what it says."""
    return await render_trial(attempt, await simulate_attempt(attempt))


def note_tried(attempt: Attempt | None, trial: Trial) -> dict[str, Any]:
    """Writes down what a node has said now, a `Tried`."""
    return dict(Tried(attempt=attempt, trial=trial, at=deployment().clock.now().timestamp()))


def known_trial(tried: Mapping[str, Any], attempt: Attempt | None) -> Trial | None:
    """What a node has said of the same attempt a moment ago; None where it is to be asked."""
    if attempt is None or not tried or tried["attempt"] != attempt:
        return None
    is_old = deployment().clock.now().timestamp() - tried["at"] > FRESH_SECONDS
    return None if is_old else cast("Trial", dict(tried["trial"]))


async def render_trial(attempt: Attempt | None, simulation: Simulation | None) -> Trial:
    """Renders a simulation; tokens' contracts are asked, for no longer than a moment."""
    if attempt is None or simulation is None:
        return NO_TRIAL
    if simulation.failure:
        return {**NO_TRIAL, "state": "fails", "failure": simulation.failure}
    if not simulation.ran:
        return {**NO_TRIAL, "state": "unknown"}
    moved = [*simulation.leaves, *simulation.arrives]
    wanted = tuple(dict.fromkeys(one.token for one in moved if one.token and one.token_id is None))
    chain = parse_chain_id(attempt["chain"])
    tokens = await read_tokens(chain, wanted[:MAX_TOKENS])
    leaves, arrives = (
        [_movement_text(one, chain, tokens) for one in side] for side in (simulation.leaves, simulation.arrives)
    )
    more = [MORE] if simulation.cut else []
    return {"state": "told", "leaves": [*leaves, *more], "arrives": arrives, "failure": ""}


def _movement_text(moved: Moved, chain: ChainId, tokens: dict[str, Token | None]) -> str:
    if moved.token is None:
        known = str(chain) in bundled_networks()
        return coin_amount(str(chain), moved.amount) if known else _("{amount} of the coin", amount=moved.amount)
    if moved.token_id is not None:
        return _(
            "NFT {number} of {collection}",
            number=clean_text(str(moved.token_id), limit=20),
            collection=truncate(moved.token),
        )
    token = tokens.get(moved.token)
    if token is None or token.decimals is None:
        return _("An unknown token ({address})", address=truncate(moved.token))
    amount = format_exact(to_decimal(moved.amount, token.decimals))
    return _("{amount} {symbol}", amount=amount, symbol=token.symbol) if token.symbol else amount
