"""The gallery's entries of the account: what it owns in every state, its settings, and the wallet's other accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import reflex as rx

from walletmodal.core.accounts.account import ACCOUNT_TABS, AccountKind
from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.connections.connections import Connection, Connections
from walletmodal.core.constants import WALLET_FEATURES_ORDER
from walletmodal.core.protocol.snapshots import Session
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.smart_accounts.safe import SafeAccount
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.addresses import KINDS, AddressesState, AddressRow
from walletmodal.features.account.state import Bip122State, Eip155State, SolanaState
from walletmodal.features.account.tokens import TokenRow, TokensState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.embedded.owners import OWNER_ALREADY
from walletmodal.features.gallery import sample
from walletmodal.features.gallery.entry import Entry, Values
from walletmodal.features.networks.state import NetworksState

Filled = dict[type[rx.State], Values]

_EVERY_CHAIN: Final = (
    *sample.OFFERED[:3],
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
    "bip122:000000000019d6689c085ae165831e93",
)
_ROWS: Final = sample.networks(*_EVERY_CHAIN)
_OTHERS: Final = ("0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")
_SOLANA: Final = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
_BITCOIN: Final = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
_UNSUPPORTED: Final = {"unsupported": True, "active": "eip155:31337", "active_name": "", "active_image": ""}
_AN_AGE: Final = 86_400_000
"""In 1970: an age that reads the same for decades."""

_TOKENS: Final[tuple[TokenRow, ...]] = (
    ("eip155:1", "Ether", "ETH", "9,999.997", "$31,204,990.64", "$3,120.50", "/networks/eip155-1.svg"),
    ("eip155:1:0x01", "USD Coin", "USDC", "2,500", "$2,500.00", "$1.00", "/networks/eip155-8453.svg"),
    ("eip155:1:0x02", "Harbour Token", "HBR", "1,204.551", "$843.19", "$0.70", "/networks/eip155-137.svg"),
    ("eip155:1:0x03", "Lantern", "LNTN", "<0.001", "<$0.01", "$12.40", ""),
    ("eip155:1:0x04", "Nobody's Price", "NOBODY", "77", "", "", ""),
)
_MANY: Final = [
    (f"eip155:1:0x{n:040x}", f"Token {n}", f"TKN{n}", f"{n}", f"${200 - n}.00", "$1.00", "") for n in range(200)
]
_HOSTILE: Final[tuple[TokenRow, ...]] = (
    ("eip155:1:0xa", "W" * 60, "W" * 30, "9" * 40, "$" + "9" * 40 + ".00", "$" + "9" * 30 + ".00", ""),
    (
        "eip155:1:0xb",
        "<b>Claim at evil.example</b>",
        "<img src=x>",
        "1",
        "$1.00",
        "$1.00",
        "data:image/png;base64,AAAA",
    ),
    ("eip155:1:0xc", "", "", "1", "", "", ""),
    ("eip155:1:0xd", "A\u0301ccente\u0301d 🪙 Token", "🪙🪙🪙🪙", "1", "", "", ""),
)


def tokens(rows: Sequence[TokenRow] = _TOKENS, **changes: object) -> Values:
    """Tokens that are known, with what they are worth."""
    return {
        "of": sample.CAIP_ADDRESS,
        "phase": "known",
        "rows": list(rows),
        "dollars": "$31,208,333",
        "cents": ".83",
        **changes,
    }


def _none(phase: str) -> Values:
    return {"of": sample.CAIP_ADDRESS, "phase": phase}


def able(**changes: object) -> Values:
    """An account with which everything can be done."""
    tabs = {"tabs": list(ACCOUNT_TABS), "tab": "Tokens", "history": True}
    return {**tabs, "actions": list(WALLET_FEATURES_ORDER), **changes}


def _networks(active: int = 0, **changes: object) -> Values:
    row = _ROWS[active]
    shown = {"rows": _ROWS, "active": row["id"], "active_name": row["name"], "active_image": row["image"]}
    return {**shown, **changes}


def account(*, owned: Values | None = None, can: Values | None = None, **changes: object) -> Filled:
    """An Ethereum account with its tokens."""
    return {
        Eip155State: sample.account(**changes),
        ActiveState: able() if can is None else can,
        TokensState: tokens() if owned is None else owned,
        NetworksState: _networks(),
    }


def _solana(**changes: object) -> Values:
    return sample.account(
        address=_SOLANA,
        short_address=truncate(_SOLANA),
        avatar=avatar(_SOLANA).background,
        balance="12.5",
        balance_symbol="SOL",
        explorer_url=f"https://solscan.io/account/{_SOLANA}",
        **changes,
    )


def _bitcoin(**changes: object) -> Values:
    return sample.account(
        address=_BITCOIN,
        short_address=truncate(_BITCOIN),
        avatar=avatar(_BITCOIN).background,
        balance="0.021",
        balance_symbol="BTC",
        explorer_url="",
        several=True,
        kind="payment",
        **changes,
    )


def _connection(accounts: tuple[str, ...]) -> Connection:
    """A wallet of so many accounts. It is on no network, so that nobody is asked what they own."""
    session = Session(connector=sample.wallet(0)["id"], accounts=accounts, chain="")
    return Connection("eip155", session, address=accounts[0], chain="")


def _several(*addresses: str, worth: Mapping[str, str], kind: AccountKind = "eoa") -> Filled:
    rows: list[AddressRow] = [
        {"address": each, "short": truncate(each), "avatar": avatar(each).background, "kind": KINDS[kind]}
        for each in addresses
    ]
    site, icon = "https://app.example", sample.wallet(2)["icon"]
    return {
        # The view asks for its rows again, so page and account have what they are made of.
        EmbedState: {"_origin": site, "_host_icon": icon},
        BridgeState: {"_connections": Connections(held=(_connection(addresses),))},
        **account(several=True),
        AddressesState: {"worth": dict(worth), "rows": rows, "site": site, "site_icon": icon},
    }


def _safe(*owners: str, **changes: object) -> Filled:
    """A Safe of the embedded wallet, and who controls it."""
    given = (_SAFE, sample.ADDRESS)
    held = account(
        connector=AUTH_ID,
        several=True,
        safe="usable",
        address=_SAFE,
        short_address=truncate(_SAFE),
        avatar=avatar(_SAFE).background,
    )
    connection = Connection("eip155", Session(connector=AUTH_ID, accounts=given, chain=""), address=_SAFE, chain="")
    rows: list[AddressRow] = [
        {"address": each, "short": truncate(each), "avatar": avatar(each).background, "kind": kind}
        for each, kind in zip(given, (KINDS["smartAccount"], KINDS["eoa"]), strict=True)
    ]
    shown = {"phase": "shown", "rows": list(owners), "key": sample.ADDRESS, **changes}
    return {
        BridgeState: {"_connections": Connections(held=(connection,))},
        **held,
        AddressesState: {"worth": {_SAFE: "$31,208,333.83", sample.ADDRESS: "$0.00"}, "rows": rows},
        AccountTypeState: {"status": "supported", "kind": "smartAccount", "known": shown},
    }


_PASSKEY_OWNER: Final = PasskeySigner(1, 1).address
_SAFE: Final = SafeAccount((sample.ADDRESS,)).address
_PICTURE: Final = "/networks/eip155-10.svg"
_UNPRICED: Final = {"dollars": "", "cents": ""}
_THREE: Final = (sample.ADDRESS, *_OTHERS)
_WORTH: Final = {sample.ADDRESS: "$31,208,333.83", _OTHERS[0]: "$12.00"}
_PROFILE: Final = ("Account", "Profile")
_SETTINGS: Final = ("Account", "AccountSettings")
_ADDRESSES: Final = ("Account", "SwitchAddress")

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("account-full", ("Account",), account()),
    Entry("account-named", ("Account",), account(profile_name="alice.eth", profile_image=_PICTURE)),
    Entry(
        "account-loading",
        ("Account",),
        account(balance="", balance_state="loading", owned={}),
    ),
    Entry(
        "account-empty",
        ("Account",),
        account(balance="0.000", owned=_none("empty")),
    ),
    Entry(
        "account-unavailable",
        ("Account",),
        account(balance="", balance_state="unavailable", owned=_none("unavailable")),
    ),
    Entry(
        "account-aged",
        ("Account",),
        account(owned=tokens(as_of=_AN_AGE)),
        note="could not be read again",
        photographed=False,
    ),
    Entry("account-many-tokens", ("Account",), account(owned=tokens(_MANY, more=1800))),
    Entry(
        "account-unpriced",
        ("Account",),
        account(owned=tokens([(*row[:4], "", "", row[6]) for row in _TOKENS], **_UNPRICED)),
        note="nobody knows prices: a deployment without a blockchain service",
    ),
    Entry("account-two-actions", ("Account",), account(can=able(actions=["receive", "send"]))),
    Entry("account-one-tab", ("Account",), account(can=able(tabs=["Tokens"], actions=[]))),
    Entry("account-disconnecting", ("Account",), account(disconnecting=True)),
    Entry(
        "account-bare",
        ("Account",),
        {
            **account(explorer_url="", balance="0.000", balance_symbol="", owned=_none("empty"), can=able(actions=[])),
            NetworksState: _networks(choosable=False),
        },
        note="a network without explorer, and nothing to switch to",
    ),
    Entry(
        "account-rich",
        ("Account",),
        account(
            balance="115792089237316195423570985008687907853269984665640564039457.584",
            balance_symbol="LONGSYMBOL12",
            owned=tokens(dollars=f"${10**60:,}"),
        ),
        note="the largest balance that a chain can report",
    ),
    Entry(
        "account-hostile",
        ("Account",),
        account(profile_name="W" * 120, owned=tokens(_HOSTILE)),
        note="names and symbols as a hostile token has them",
    ),
    Entry(
        "account-unsupported",
        ("Account",),
        {
            **account(balance="1.5", explorer_url="", owned=_none("unavailable")),
            NetworksState: {**_networks(), **_UNSUPPORTED},
        },
        note="the host allows unsupported networks",
    ),
    Entry(
        "account-no-switch",
        ("Account",),
        {**account(), EmbedState: {"network_switch": False}},
        note="the host switched the network selector off",
    ),
    Entry("account-several", ("Account",), account(several=True), note="the wallet gave more than one account"),
    Entry("account-compact", ("Account",), account(can=able(compact=True))),
    Entry("account-compact-several", ("Account",), account(several=True, can=able(compact=True, actions=["receive"]))),
    Entry(
        "account-solana",
        ("Account",),
        {
            ActiveState: able(namespace="solana"),
            SolanaState: _solana(),
            TokensState: tokens([("solana", "Solana", "SOL", "12.5", "$1,875.00", "$150.00", _ROWS[3]["image"])]),
            NetworksState: _networks(3),
        },
    ),
    Entry(
        "account-bitcoin",
        ("Account",),
        {
            ActiveState: {"namespace": "bip122", "compact": True, "actions": ["receive"]},
            Bip122State: _bitcoin(),
            NetworksState: _networks(4),
        },
    ),
    Entry(
        "account-bitcoin-kinds",
        ("Account",),
        {
            ActiveState: {"namespace": "bip122", "compact": True, "actions": ["receive"]},
            Bip122State: _bitcoin(kinds=["payment", "ordinal"]),
            NetworksState: _networks(4),
        },
        note="one address for payments, one for collectibles",
    ),
    Entry("profile-three", _PROFILE, _several(*_THREE, worth=_WORTH), note="the worth of the last is being asked for"),
    Entry(
        "profile-many",
        _PROFILE,
        _several(sample.ADDRESS, *(f"0x{number:040x}" for number in range(1, 20)), worth=_WORTH),
    ),
    Entry(
        "profile-smart",
        _PROFILE,
        {
            **_several(sample.ADDRESS, worth=_WORTH),
            **account(connector=AUTH_ID),
            AccountTypeState: {"status": "ready"},
        },
        note="one account, which is used as one of two kinds",
    ),
    Entry(
        "profile-smart-unknown",
        _PROFILE,
        {
            **_several(sample.ADDRESS, worth=_WORTH, kind="smartAccount"),
            **account(connector=AUTH_ID),
            AccountTypeState: {"failed": True},
        },
        note="the frame could not say which kinds the account can be",
    ),
    Entry("profile-safe", _PROFILE, _safe(_OTHERS[0], sample.ADDRESS), note="two owners of a Safe"),
    Entry(
        "profile-safe-refused",
        _PROFILE,
        _safe(sample.ADDRESS, error=OWNER_ALREADY),
        note="what was given as another owner is one",
    ),
    Entry(
        "profile-safe-passkeys",
        _PROFILE,
        _safe(
            _PASSKEY_OWNER,
            sample.ADDRESS,
            passkeys={
                _PASSKEY_OWNER: {"name": "Chrome on Windows", "made": "Passkey, 12 Nov 2026"},
                _OTHERS[1]: {"name": "Safari on iPhone", "made": "Passkey, 20 Nov 2026"},
            },
            offered=[_OTHERS[1]],
            signer=_PASSKEY_OWNER,
        ),
        note="a passkey owns the Safe and signs for it; another can be an owner too",
    ),
    Entry("profile-safe-failed", _PROFILE, _safe(phase="failed"), note="the network does not say who the owners are"),
    Entry("account-settings", _SETTINGS, account()),
    Entry(
        "account-settings-several",
        _SETTINGS,
        account(several=True, profile_name="alice.eth", profile_image=_PICTURE),
    ),
    Entry(
        "account-settings-one-network",
        _SETTINGS,
        {**account(disconnecting=True, explorer_url=""), NetworksState: _networks(choosable=False)},
    ),
    Entry("switch-address-two", _ADDRESSES, _several(*_THREE[:2], worth=_WORTH)),
    Entry(
        "switch-address-many",
        _ADDRESSES,
        _several(sample.ADDRESS, *(f"0x{number:040x}" for number in range(1, 20)), worth=_WORTH),
    ),
)
"""In the order in which the index lists them."""
