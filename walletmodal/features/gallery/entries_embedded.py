"""The gallery's entries of the embedded wallet: login by email, recovery, and what its frame confirms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from walletmodal.core.text.texts import EMAIL_INVALID
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.approve.state import ApproveState
from walletmodal.features.connect.methods import MethodsState
from walletmodal.features.embedded.account_data import AccountDataState
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.embedded.devices import DeviceRow, DevicesState
from walletmodal.features.embedded.email_update import EmailUpdateState
from walletmodal.features.embedded.passkeys import PasskeyRow, PasskeysState
from walletmodal.features.embedded.recovery import RecoveryState
from walletmodal.features.embedded.social import CODE_EXPIRED, SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.gallery import entries_account, entries_connect, sample
from walletmodal.features.gallery.entry import Entry, Values

Filled = Mapping[type[rx.State], Values]

_EMAIL: Final = "kim@example.org"
_LONG: Final = f"{'kim.' * 15}x@{'a-long-name-of-a-host.' * 6}example.org"
# Without a wait: what counts down looks different in each picture.
_MAILED: Final = {"offered": True, "email": _EMAIL, "words": "amber fjord", "sent": "1", "wait": 0}
_CODE: Final = ("Connect", "EmailVerifyOtp")
_RECOVERY: Final = ("Connect", "RecoverWallet")
_SOCIAL: Final = ("Connect", "ConnectingSocial")
_PASSKEY_LOGIN: Final = ("Connect", "ConnectingPasskey")
_APPROVE: Final = ("ApproveTransaction",)


def _connect(*blocks: str, collapsed: bool = False, **changes: Any) -> Filled:
    return {
        **entries_connect.installed(sample.wallets(2)),
        MethodsState: {"blocks": list(blocks), "collapsed": collapsed, "guide": True},
        EmbeddedState: {"offered": True, **changes},
    }


def _mailed(**changes: Any) -> Filled:
    return {EmbeddedState: {**_MAILED, **changes}}


def _asked(kind: str) -> dict[str, Any]:
    return {"id": "gallery", "type": kind, "payload": {}}


def _passkeys(*rows: PasskeyRow, phase: str = "shown", **changes: Any) -> Filled:
    return {
        **entries_account.account(connector=AUTH_ID),
        PasskeysState: {"rows": list(rows), "phase": phase, **changes},
    }


def _devices(*rows: DeviceRow, phase: str = "shown", **changes: Any) -> Filled:
    return {
        **entries_account.account(connector=AUTH_ID),
        DevicesState: {"rows": list(rows), "phase": phase, **changes},
    }


_PROVIDERS: Final = ["google", "x", "discord", "github", "apple", "facebook"]


_BLOCKS: Final = ("email", "social", "passkey", "or", "wallet")


def _social(offered: list[str], logos: list[str], **changes: Any) -> Filled:
    return {
        **_connect(*_BLOCKS),
        SocialState: {
            "offered": offered,
            "logos": logos,
            "site": "https://secure.example",
            "provider": "google",
            **changes,
        },
    }


_SEVEN: Final = ["google", "x", "discord", "farcaster", "github", "apple", "facebook"]
_FARCASTER: Final = ("Connect", "ConnectingFarcaster")
_FARCASTER_LINK: Final = "https://farcaster.xyz/~/siwf?channelToken=0123456789ABCDEF"


def _farcaster(**changes: Any) -> Filled:
    return _social(_SEVEN, _SEVEN[1:5], **{"provider": "farcaster", **changes})


_LAPTOP: Final[PasskeyRow] = {
    "id": "laptop",
    "name": "Chrome on Windows",
    "site": "shop.example",
    "seen": "Last used 20 Nov 2026",
}
_PHONE: Final[PasskeyRow] = {"id": "phone", "name": "Safari on iOS", "site": "", "seen": "Added 1 Nov 2026"}
_LENGTHY: Final[PasskeyRow] = {
    "id": "lengthy",
    "name": "A browser with a name that goes on and on",
    "site": f"{'a-long-name-of-a-host.' * 3}example.org",
    "seen": "Last used 30 Sep 2026",
}
_HERE: Final[DeviceRow] = {**_LAPTOP, "seen": "In use now", "held": "", "releasable": False}
_THERE: Final[DeviceRow] = {**_PHONE, "seen": "Last used 1 Nov 2026", "held": "", "releasable": False}
_OVERLONG: Final[DeviceRow] = {**_LENGTHY, "held": "", "releasable": False}
_HELD: Final[DeviceRow] = {**_THERE, "held": "3 Nov 2026, 09:05 UTC", "releasable": True}
_WAIT: Final = "After a code, transfers from this browser wait for 24 hours. A passkey, or a device that has your wallet, ends the wait."
_DELETED: Final = "Your wallet is deleted on 8 Nov 2026, 09:05 UTC. Opening it, or the link in our mail, stops that."
_LIST: Final = ("Account", "AccountSettings", "Passkeys")
_DEVICES: Final = ("Account", "AccountSettings", "Devices")


def _person(login: str = "email", label: str = _EMAIL, email: str = _EMAIL) -> dict[str, str]:
    return {"login": login, "label": label, "email": email}


def _settings(**person: str) -> Filled:
    return {**entries_account.account(connector=AUTH_ID), EmbeddedState: {"person": _person(**person)}}


def _update(**changes: Any) -> Filled:
    return {**_settings(), EmailUpdateState: changes}


def _account_type(*, several: bool = False, **told: Any) -> Filled:
    return {**_settings(), **entries_account.account(connector=AUTH_ID, several=several), AccountTypeState: told}


def _recovery_settings(told: str, *ways: str, **changes: Any) -> Filled:
    known = {"ways": list(ways), "escrow": True, "password": True, "told": told}
    return {**_settings(), RecoveryState: {"known": known, **changes}}


_DATA: Final = ("Account", "AccountSettings", "AccountData")
_MAIL: Final = {"to": _EMAIL, "words": "amber fjord", "sent": "1", "wait": 0}
_RECOVERY_SETTINGS: Final = ("Account", "AccountSettings", "RecoverySettings")
_EDIT: Final = ("Account", "AccountSettings", "UpdateEmailWallet")

ENTRIES: Final[tuple[Entry, ...]] = (
    Entry("connect-email", ("Connect",), _connect("email", "or", "wallet")),
    Entry("connect-email-last", ("Connect",), _connect("wallet", "or", "email")),
    Entry("connect-email-alone", ("Connect",), _connect("email")),
    Entry("connect-email-collapsed", ("Connect",), _connect("email", "or", "wallet", collapsed=True)),
    Entry("connect-email-invalid", ("Connect",), _connect("email", "or", "wallet", error=EMAIL_INVALID)),
    Entry("connect-email-busy", ("Connect",), _connect("email", "or", "wallet", question=_asked("CONNECT_EMAIL"))),
    Entry("email-login", ("EmailLogin",), {EmbeddedState: {"offered": True}}),
    Entry("email-login-none", ("EmailLogin",)),
    Entry("email-code", _CODE, _mailed()),
    Entry("email-code-wrong", _CODE, _mailed(error="Invalid code. Try Again")),
    Entry("email-code-checked", _CODE, _mailed(phase="connecting")),
    Entry("email-code-unconnected", _CODE, _mailed(phase="failed")),
    Entry("email-code-none", _CODE, {EmbeddedState: {"offered": True}}, note="opened by name"),
    Entry("email-code-long", _CODE, _mailed(email=_LONG)),
    Entry("email-device", ("Connect", "EmailVerifyDevice"), _mailed(question=_asked("CONNECT_DEVICE"))),
    Entry("recover-wallet", _RECOVERY, _mailed(ways=["code"], hold=_WAIT)),
    Entry("recover-wallet-passkey", _RECOVERY, _mailed(ways=["passkey", "code"])),
    Entry("recover-wallet-passkey-alone", _RECOVERY, _mailed(ways=["passkey"])),
    Entry("recover-wallet-window", _RECOVERY, _mailed(ways=["window", "code"])),
    Entry("recover-wallet-password", _RECOVERY, _mailed(ways=["password", "code"])),
    Entry(
        "recover-wallet-unknown",
        _RECOVERY,
        _mailed(error="The wallet service cannot be reached. Please try again"),
        note="the ways are not known",
    ),
    Entry("recover-wallet-none", _RECOVERY, _mailed(phase="none"), note="neither escrow nor a passkey"),
    Entry("recover-wallet-deleted", _RECOVERY, _mailed(phase="none", deletion=_DELETED), note="a deletion waits"),
    Entry("recover-wallet-looking", _RECOVERY, _mailed(phase="looking")),
    Entry("recover-wallet-failed", _RECOVERY, _mailed(ways=["code"], error="Too many tries. Try again in an hour.")),
    Entry("recover-wallet-begun", _RECOVERY, _mailed(phase="recovering"), note="the frame is on its way"),
    Entry(
        "approve-framed", _APPROVE, {**entries_account.account(), EmbeddedState: {"confirming": True, "framed": True}}
    ),
    Entry(
        "approve-framed-hint",
        _APPROVE,
        {
            **entries_account.account(),
            EmbeddedState: {"confirming": True, "framed": True, "hints": ["A receiver that you have never paid"]},
            ApproveState: {"trial": {"state": "told", "leaves": ["40 USDC"], "arrives": [], "failure": ""}},
        },
    ),
    Entry(
        "approve-framed-trial",
        _APPROVE,
        {
            **entries_account.account(),
            EmbeddedState: {"confirming": True, "framed": True},
            ApproveState: {
                "trial": {"state": "told", "leaves": ["40 USDC", "0.05 ETH"], "arrives": ["0.0121 WETH"], "failure": ""}
            },
        },
    ),
    Entry("connect-social", ("Connect",), _social(_PROVIDERS, _PROVIDERS[1:])),
    Entry("connect-social-two", ("Connect",), _social(_PROVIDERS[:2], _PROVIDERS[:2])),
    Entry("connect-socials", ("Connect", "ConnectSocials"), _social(_PROVIDERS, _PROVIDERS[1:])),
    Entry("connecting-social", _SOCIAL, _social(_PROVIDERS, _PROVIDERS[1:], attempt="a" * 32)),
    Entry(
        "connecting-social-blocked",
        _SOCIAL,
        _social(_PROVIDERS, _PROVIDERS[1:], attempt="a" * 32, blocked=True, question=_asked("CONNECT_SOCIAL")),
    ),
    Entry(
        "connecting-social-left",
        _SOCIAL,
        _social(_PROVIDERS, _PROVIDERS[1:], attempt="a" * 32, back="https://app.example.com/", left=True),
        note="within Telegram",
    ),
    Entry(
        "connecting-social-failed",
        _SOCIAL,
        _social(_PROVIDERS, _PROVIDERS[1:], attempt="a" * 32, error="The login was cancelled"),
    ),
    Entry(
        "connecting-social-resumed",
        _SOCIAL,
        _social(_PROVIDERS, _PROVIDERS[1:], attempt="a" * 32, resumed=True, question=_asked("CONNECT_SOCIAL")),
    ),
    Entry("connect-social-seven", ("Connect",), _social(_SEVEN, _SEVEN[1:5])),
    Entry("connecting-farcaster", _FARCASTER, _farcaster(link=_FARCASTER_LINK, question=_asked("CONNECT_FARCASTER"))),
    Entry("connecting-farcaster-loading", _FARCASTER, _farcaster(question=_asked("GET_FARCASTER_URI"))),
    Entry(
        "connecting-farcaster-phone",
        _FARCASTER,
        _farcaster(link=_FARCASTER_LINK, phone=True, question=_asked("CONNECT_FARCASTER")),
    ),
    Entry("connecting-farcaster-expired", _FARCASTER, _farcaster(error=CODE_EXPIRED)),
    Entry(
        "connecting-farcaster-failed", _FARCASTER, _farcaster(error="Farcaster could not log you in. Please try again.")
    ),
    Entry(
        "upgrade-email-wallet",
        ("Account", "AccountSettings", "UpgradeEmailWallet"),
        entries_account.account(connector=AUTH_ID),
    ),
    Entry("account-data", _DATA, _settings()),
    Entry(
        "account-data-error",
        _DATA,
        {**_settings(), AccountDataState: {"error": "The wallet service cannot be reached. Please try again"}},
    ),
    Entry("devices", _DEVICES, _devices(_HERE, _THERE)),
    Entry("devices-offered", _DEVICES, _devices(_HERE, offered=True)),
    Entry("devices-held", _DEVICES, _devices(_HERE, _HELD)),
    Entry("devices-long", _DEVICES, _devices(_HERE, _OVERLONG)),
    Entry(
        "devices-error",
        _DEVICES,
        _devices(_HERE, _THERE, error="The wallet service cannot be reached. Please try again"),
    ),
    Entry("devices-failed", _DEVICES, _devices(phase="failed")),
    Entry("passkeys", _LIST, _passkeys(_LAPTOP, _PHONE)),
    Entry("passkeys-none", _LIST, _passkeys()),
    Entry("passkeys-long", _LIST, _passkeys(_LENGTHY, _PHONE)),
    Entry("passkeys-error", _LIST, _passkeys(_LAPTOP, error="The wallet service cannot be reached. Please try again")),
    Entry("passkeys-failed", _LIST, _passkeys(phase="failed")),
    Entry("connecting-passkey", _PASSKEY_LOGIN, {EmbeddedState: {"question": _asked("CONNECT_PASSKEY")}}),
    Entry(
        "connecting-passkey-failed",
        _PASSKEY_LOGIN,
        {EmbeddedState: {"error": "This passkey opens no wallet here. It may have been removed."}},
    ),
    Entry("connecting-passkey-none", _PASSKEY_LOGIN, note="opened by name"),
    Entry(
        "add-passkey-error",
        ("AddPasskey",),
        _passkeys(error="This device has a passkey of your wallet already. Use another device."),
    ),
    Entry("add-passkey", ("AddPasskey",), _passkeys()),
    Entry("account-settings-email", ("Account", "AccountSettings"), _settings()),
    Entry("account-settings-smart", ("Account", "AccountSettings"), _account_type(status="supported")),
    Entry("account-settings-type-unknown", ("Account", "AccountSettings"), _account_type(failed=True)),
    Entry(
        "account-settings-safe",
        ("Account", "AccountSettings"),
        _account_type(status="supported", several=True),
        note="with an address of its own, which does not end",
    ),
    Entry(
        "account-settings-foreign",
        ("Account", "AccountSettings"),
        _account_type(status="ready", kind="eoa", foreign="0x11...111111"),
    ),
    Entry("account-settings-social", ("Account", "AccountSettings"), _settings(login="google", label="Kim")),
    Entry(
        "account-settings-passkey",
        ("Account", "AccountSettings"),
        _settings(login="passkey", label="", email=""),
        note="an account without an address",
    ),
    Entry(
        "recovery-settings",
        _RECOVERY_SETTINGS,
        _recovery_settings("A code by email opens your wallet on a new device.", "code"),
    ),
    Entry(
        "recovery-settings-all",
        _RECOVERY_SETTINGS,
        _recovery_settings(
            "A passkey, your recovery password or a code by email opens your wallet on a new device.",
            *("passkey", "password", "code"),
            error="The wallet service cannot be reached. Please try again",
        ),
    ),
    Entry(
        "recovery-settings-own",
        _RECOVERY_SETTINGS,
        _recovery_settings("Your recovery password opens your wallet on a new device.", "password"),
    ),
    Entry(
        "recovery-settings-failed",
        _RECOVERY_SETTINGS,
        {**_settings(), RecoveryState: {"error": "The wallet service cannot be reached. Please try again"}},
    ),
    Entry("update-email", _EDIT, _update()),
    Entry("update-email-invalid", _EDIT, _update(error=EMAIL_INVALID)),
    Entry("update-email-begun", _EDIT, _update(question=_asked("UPDATE_EMAIL")), note="the frame is on its way"),
    Entry("update-email-by-name", ("UpdateEmailWallet",), _update(), note="opened by name: no way back"),
    Entry("update-email-none", _EDIT, _settings(login="google", label="Kim", email="")),
    Entry("update-email-primary", (*_EDIT, "UpdateEmailPrimaryOtp"), _update(mail=_MAIL)),
    Entry(
        "update-email-secondary",
        (*_EDIT, "UpdateEmailSecondaryOtp"),
        _update(mail={**_MAIL, "to": _LONG, "words": ""}, error="Invalid code. Try Again"),
    ),
    Entry("update-email-code-none", (*_EDIT, "UpdateEmailPrimaryOtp"), _update(), note="opened by name"),
)
