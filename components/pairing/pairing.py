"""Reflex wrappers of what shows and opens a pairing."""

from __future__ import annotations

from typing import Annotated, Any, Final

import reflex as rx

from walletmodal.components import copy_button as _copy_button  # noqa: F401 -- its script is imported by ours, so it must be in the build
from walletmodal.components.qr_code import UQR

WALLETCONNECT: Final = ["@walletconnect/core@2.25.0", "@walletconnect/universal-provider@2.25.0"]
"""The SDK. The core is its own dependency, at its own version, and is named because we set it up ourselves."""

for _sibling in (
    "attestation.ts",
    "client.ts",
    "codes.ts",
    "exchange.ts",
    "host.ts",
    "links.ts",
    "opening.ts",
    "page_storage.ts",
    "pairing.css",
    "relay_link.ts",
    "returning.ts",
    "sdk.ts",
    "sessions.ts",
    "signing.ts",
    "slow.ts",
    "store.ts",
    "tabs.ts",
    "types.ts",
):
    rx.asset(_sibling, shared=True)
_QR = rx.asset("pairing_qr.tsx", shared=True)
_LINK = rx.asset("pairing_link.tsx", shared=True)
_COPY = rx.asset("pairing_copy.tsx", shared=True)
_AHEAD = rx.asset("pairing_ahead.tsx", shared=True)

_Copied = Annotated[rx.EventHandler, rx.event.passthrough_event_spec(bool)]
_Done = Annotated[rx.EventHandler, rx.event.no_args_event_spec]


class PairingQr(rx.Component):
    """The code that a phone scans: its place until it is there, the time it lasts, its link to copy, or why there is none.

    `logo`: the wallet's picture for the middle. `name`: the wallet's name. `on_copied` hears whether the browser allowed it.
    """

    library = _QR.importable_path
    tag = "PairingQr"
    lib_dependencies: list[str] = UQR

    logo: rx.Var[str]
    name: rx.Var[str]
    on_copied: _Copied
    on_retry: _Done


class PairingLink(rx.Component):
    """The button that opens a wallet with the code; by itself while the click that led to it still counts.

    `kind`: "mobile", "desktop" or "web". `link`: the wallet's app link as the directory has it. `namespace`: the active one.
    `on_failed` hears `{message, uri, mobile_link, name}` of a link that cannot be opened.
    """

    library = _LINK.importable_path
    tag = "PairingLink"

    kind: rx.Var[str]
    link: rx.Var[str]
    name: rx.Var[str]
    namespace: rx.Var[str]
    on_opened: _Done
    on_failed: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(dict[str, Any])]
    on_retry: _Done


class PairingCopy(rx.Component):
    """Copies the code's link."""

    library = _COPY.importable_path
    tag = "PairingCopy"

    on_copied: _Copied


class PairingAhead(rx.Component):
    """Around a list of wallets: makes ready what choosing one will need.

    `mode`: "" nothing, "load" the SDK, "code" a code too, for which what has `data-pairs` waits.
    """

    library = _AHEAD.importable_path
    tag = "PairingAhead"

    mode: rx.Var[str]


pairing_ahead = PairingAhead.create
pairing_qr = PairingQr.create
pairing_link = PairingLink.create
pairing_copy = PairingCopy.create
