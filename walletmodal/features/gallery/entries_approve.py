"""The gallery's entries of ApproveTransaction: requests of the host page in each of their forms, made by the reading that visitors get."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.errors.operations import PaymasterTermsError, TokenFundsError
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_parts import Token
from walletmodal.features.account.state import Eip155State
from walletmodal.features.approve.fees import offer_fees
from walletmodal.features.approve.showing import render_words
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.embedded.payers import FeeOption
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values

_STACK: Final = ("Account", "ApproveTransaction")
_ALONE: Final = ("ApproveTransaction",)
_MAINNET: Final = sample.networks("eip155:1")[0]
_RECEIVER: Final = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_USDC: Final = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
_DAI: Final = "0x6B175474E89094C44Da98b954EedeAC495271d0F"
_ROUTER: Final = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45"
_ACCOUNTS: Final = {
    "solana": "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV",
    "bip122": "bc1q4qw42stdzjqs59xvlrlxr8526e3nunw7mp73te",
}
_TOKENS: Final = {_USDC: Token("USDC", 6)}
_ALL: Final = "f" * 64
_HELLO: Final = "Hello from the shop.\n\nOrder 4711: two tickets for the evening show."


def _word(value: str | int) -> str:
    return f"{value:064x}" if isinstance(value, int) else value[2:].lower().rjust(64, "0")


def shown_request(
    method: str, params: Any, *, chain: str = "eip155:1", whole: bool = False, trial: str = "none", **changes: Any
) -> dict[type[rx.State], Values]:
    """What the state classes hold while this request is shown."""
    network: ChainId = parse_chain_id(chain)
    account = _ACCOUNTS.get(network.namespace, sample.ADDRESS)
    request = read_request(method=method, chain=network, account=account, origin="https://shop.example", params=params)
    row = sample.networks(chain)[0]
    around = {
        "host": "The Shop",
        "origin": "https://shop.example",
        "icon": sample.wallet(2)["icon"],
        "account": truncate(account),
        "avatar": avatar(account).background,
        "wallet": "Tidewater Wallet",
        "network": row["name"],
        "network_image": row["image"],
        "reason": "",
        "framed": False,
        "trial": "none",
    }
    filled = {**around, **render_words(summarize(request, tokens=_TOKENS, whole=whole))}
    values = {"phase": "ready", "seen": "sample", "whole": whole, "trial": {**_TRIAL, "state": trial}, **changes}
    return {Eip155State: sample.account(), ApproveState: {"request": filled, **values}}


def signed(types: Mapping[str, Any], primary: str, message: Mapping[str, Any], **domain: Any) -> dict[str, Any]:
    """Typed data as hosts' libraries make it, with a type of its domain."""
    kinds = {"name": "string", "version": "string", "chainId": "uint256", "verifyingContract": "address"}
    of_domain = [{"name": name, "type": kinds[name]} for name in domain]
    return {"types": {"EIP712Domain": of_domain, **types}, "primaryType": primary, "domain": domain, "message": message}


def _typed(primary: str, fields: Mapping[str, str], message: Mapping[str, Any], **domain: Any) -> list[Any]:
    types = {primary: [{"name": name, "type": kind} for name, kind in fields.items()]}
    return [sample.ADDRESS, signed(types, primary, message, **domain)]


def _send(**transaction: str) -> list[dict[str, str]]:
    return [{"from": sample.ADDRESS, **transaction}]


def _sign_in(domain: str) -> list[str]:
    text = (
        f"{domain} wants you to sign in with your Ethereum account:\n{sample.ADDRESS}\n\nSign in to see your orders.\n\n"
        f"URI: https://{domain}/login\nVersion: 1\nChain ID: 1\nNonce: 8sj29dk3h4\nIssued At: 2026-01-01T00:00:00.000Z"
    )
    return ["0x" + text.encode().hex(), sample.ADDRESS]


_TRIAL: Final = {"state": "none", "leaves": [], "arrives": [], "failure": ""}
_PAY: Final = _send(to=_RECEIVER, value=hex(15 * 10**17))
_TRANSFER: Final = _send(to=_USDC, data="0xa9059cbb" + _word(_RECEIVER) + _word(250_000_000))
_ALLOW: Final = _send(to=_USDC, data="0x095ea7b3" + _word(_ROUTER) + _ALL)
_UNKNOWN: Final = _send(to=_ROUTER, value=hex(2 * 10**17), data="0x12aa3caf" + "00" * 132)
_PERMIT: Final = _typed(
    "Permit",
    {"owner": "address", "spender": "address", "value": "uint256", "nonce": "uint256", "deadline": "uint256"},
    {"owner": sample.ADDRESS, "spender": _ROUTER, "value": str(2**256 - 1), "nonce": 0, "deadline": 1_798_761_600},
    name="USD Coin",
    version="2",
    chainId=1,
    verifyingContract=_USDC,
)
_LETTER: Final = [
    sample.ADDRESS,
    signed(
        {
            "Mail": [
                {"name": "from", "type": "Person"},
                {"name": "to", "type": "Person[]"},
                {"name": "text", "type": "string"},
            ],
            "Person": [{"name": "name", "type": "string"}, {"name": "wallet", "type": "address"}],
        },
        "Mail",
        {
            "from": {"name": "Ada", "wallet": sample.ADDRESS},
            "to": [{"name": "Grace", "wallet": _RECEIVER}],
            "text": "See you at noon",
        },
        name="Letters",
        version="1",
        chainId=137,
    ),
]
_CALLS: Final = [
    {
        "version": "2.0.0",
        "chainId": "0x1",
        "atomicRequired": True,
        "calls": [
            {"to": _USDC, "data": "0x095ea7b3" + _word(_ROUTER) + _word(40_000_000)},
            {"to": _ROUTER, "data": "0x12aa3caf" + "00" * 68, "value": hex(10**16)},
            {"to": _RECEIVER, "value": hex(5 * 10**16)},
        ],
    }
]
_MANY: Final = [{"calls": [{"to": _RECEIVER, "value": hex(10**15)} for _ in range(40)]}]
_HIDING: Final = "<b>Free</b> \u202egpj.exe\u202c mint\u200b " + "W" * 90 + "\n" + "lines\n" * 4
_HOSTILE: Final = ["0x" + _HIDING.encode().hex(), sample.ADDRESS]
_BYTES: Final = ["0x" + "c1" * 32, sample.ADDRESS]
_MOVED: Final = {"trial": {**_TRIAL, "state": "told", "leaves": ["1.5 ETH"]}}
_SWAPPED: Final = {"trial": {**_TRIAL, "state": "told", "leaves": ["0.2 ETH"], "arrives": ["498.12 USDC"]}}
_PAID: Final = [{"calls": [{"to": _RECEIVER, "value": hex(15 * 10**17)}]}]
_CALL_FAILS: Final = {
    "trial": {**_TRIAL, "state": "fails", "failure": "Call 2 of 3: The contract refuses it: Too little received."}
}
_FEE_ROWS: Final = [
    {"token": "", "symbol": "ETH", "held": "2.481 ETH"},
    {"token": _USDC, "symbol": "USDC", "held": "1,204.5 USDC"},
    {"token": _DAI, "symbol": "DAI", "held": "0.002 DAI"},
]
_FAILS: Final = {
    "trial": {**_TRIAL, "state": "fails", "failure": "The receiver, or the token's contract, refuses it: paused."}
}


_COIN: Final = FeeOption(token="", symbol="ETH", decimals=18, held="0", enough=True)


def _fee(token: str, phase: str, text: str = "") -> dict[str, Any]:
    return {"rows": _FEE_ROWS, "token": token, "phase": phase, "text": text}


def _with(method: str, params: Any, **changes: Any) -> dict[type[rx.State], Values]:
    filled = shown_request(method, params)
    values: dict[str, Any] = dict(filled[ApproveState])
    # Only the embedded wallet's owner has a choice, and is asked again by its frame.
    request = {**values["request"], "framed": "fee" in changes}
    return {**filled, ApproveState: {**values, "request": request, **changes}}


ENTRIES: Final = (
    Entry(
        "approve-loading", _STACK, {Eip155State: sample.account(), ApproveState: {"phase": "loading", "seen": "sample"}}
    ),
    Entry("approve-idle", _STACK, {Eip155State: sample.account()}),
    Entry("approve-message", _ALONE, shown_request("personal_sign", ["0x" + _HELLO.encode().hex(), sample.ADDRESS])),
    Entry(
        "approve-several",
        _ALONE,
        _with("personal_sign", ["0x" + _HELLO.encode().hex(), sample.ADDRESS], place=1, total=3),
    ),
    Entry("approve-message-hostile", _ALONE, shown_request("personal_sign", _HOSTILE), note="characters that hide"),
    Entry("approve-data", _ALONE, shown_request("personal_sign", _BYTES), note="32 bytes that nobody can read"),
    Entry("approve-sign-in-own", _ALONE, shown_request("personal_sign", _sign_in("shop.example"))),
    Entry(
        "approve-sign-in-foreign",
        _ALONE,
        shown_request("personal_sign", _sign_in("bank.example")),
        note="for another site",
    ),
    Entry(
        "approve-typed-data",
        _ALONE,
        shown_request("eth_signTypedData_v4", _LETTER),
        note="nested, and for another network",
    ),
    Entry("approve-permit", _ALONE, shown_request("eth_signTypedData_v4", _PERMIT)),
    Entry("approve-payment", _ALONE, _with("eth_sendTransaction", _PAY, **_MOVED)),
    Entry("approve-transfer", _ALONE, shown_request("eth_sendTransaction", _TRANSFER, trial="running")),
    Entry("approve-allowance", _ALONE, shown_request("eth_sendTransaction", _ALLOW, trial="unknown"), note="unlimited"),
    Entry("approve-unknown-call", _ALONE, _with("eth_sendTransaction", _UNKNOWN, **_SWAPPED)),
    Entry("approve-failing", _ALONE, _with("eth_sendTransaction", _TRANSFER, **_FAILS)),
    Entry("approve-creation", _ALONE, shown_request("eth_sendTransaction", _send(data="0x6080" + "00" * 300))),
    Entry("approve-calls", _ALONE, shown_request("wallet_sendCalls", _CALLS)),
    Entry("approve-calls-many", _ALONE, shown_request("wallet_sendCalls", _MANY), note="more than fit at first"),
    Entry(
        "approve-calls-fee", _ALONE, _with("wallet_sendCalls", _CALLS, fee=_fee(_USDC, "known", "At most 0.42 USDC"))
    ),
    Entry("approve-calls-fee-working", _ALONE, _with("wallet_sendCalls", _CALLS, fee=_fee(_USDC, "working"))),
    Entry(
        "approve-calls-fee-short",
        _ALONE,
        _with("wallet_sendCalls", _PAID, fee=_fee(_DAI, "short", TokenFundsError.text), **_MOVED),
    ),
    Entry(
        "approve-calls-fee-failed",
        _ALONE,
        _with("wallet_sendCalls", _PAID, fee=_fee(_DAI, "failed", PaymasterTermsError.text), **_MOVED),
    ),
    Entry(
        "approve-calls-fee-unknown",
        _ALONE,
        _with("wallet_sendCalls", _CALLS, fee=offer_fees([_COIN]), **_MOVED),
        note="nobody can say whether a token will do",
    ),
    Entry("approve-calls-failing", _ALONE, _with("wallet_sendCalls", _CALLS, **_CALL_FAILS)),
    Entry("approve-asking", _ALONE, _with("eth_sendTransaction", _PAY, phase="asking")),
    Entry(
        "approve-asking-again",
        _ALONE,
        _with("eth_sendTransaction", _PAY, phase="asking", request={}),
        note="come back from a lost session",
    ),
)
