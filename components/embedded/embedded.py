"""Reflex wrappers of the embedded wallet's parts."""

from __future__ import annotations

from typing import Annotated, Any

import reflex as rx

for _sibling in (
    "../popup.ts",
    "appkit.ts",
    "appkit_shapes.ts",
    "config.ts",
    "embedded.css",
    "exchange.ts",
    "frame.ts",
    "place_store.ts",
    "social_window.ts",
    "types.ts",
):
    rx.asset(_sibling, shared=True)
_ASK = rx.asset("secure_ask.tsx", shared=True)
_LOST = rx.asset("lost_login.tsx", shared=True)
_PLACE = rx.asset("secure_place.tsx", shared=True)
_EMAIL = rx.asset("email_input.tsx", shared=True)
_OTP = rx.asset("otp_input.tsx", shared=True)
_PASSKEY = rx.asset("passkey_button.tsx", shared=True)
_SOCIAL = rx.asset("social_button.tsx", shared=True)
_WATCH = rx.asset("social_watch.tsx", shared=True)
_RESEND = rx.asset("resend.tsx", shared=True)

_Done = Annotated[rx.EventHandler, rx.event.no_args_event_spec]
_Payload = Annotated[rx.EventHandler, rx.event.passthrough_event_spec(dict[str, Any])]


class SecureAsk(rx.Component):
    """Asks the secure site's frame what the server wants of it, each question once; invisible but for `slow`.

    `question`: `id`, `type` and `payload`, without an id none. `sync` changes with every connection of the socket: what the server may
    have missed is told again. `slow`: a sentence that stands there, with another try, while an answer is long in coming, which
    counts all the same. `on_answer` hears `{id, ok, value, error}`.
    """

    library = _ASK.importable_path
    tag = "SecureAsk"

    question: rx.Var[dict[str, Any]]
    sync: rx.Var[str]
    slow: rx.Var[str]
    on_answer: _Payload


class LostLogin(rx.Component):
    """Its children stand where the page was loaded anew and the browser has kept nothing of the login, until the view is left."""

    library = _LOST.importable_path
    tag = "LostLogin"


class SecurePlace(rx.Component):
    """Where the frame stands while it has something to show; it says itself how high. `label`: for who cannot see it."""

    library = _PLACE.importable_path
    tag = "SecurePlace"

    label: rx.Var[str]


class EmailInput(rx.Component):
    """The field for an email address. `value`: what it begins with. `on_submit` gets the address.

    `edits`: it has a button "Save" below for another address than `value`, beside its children.
    """

    library = _EMAIL.importable_path
    tag = "EmailInput"

    value: rx.Var[str]
    label: rx.Var[str]
    error: rx.Var[str]
    busy: rx.Var[bool]
    edits: rx.Var[bool]
    on_focused: _Done
    on_submit: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(str)]


class OtpInput(rx.Component):
    """Six boxes for a code, which goes to the frame alone. `type`: what the frame is asked with it. `on_outcome` hears `{ok, message, reason}`."""

    library = _OTP.importable_path
    tag = "OtpInput"

    type: rx.Var[str]
    error: rx.Var[str]
    busy: rx.Var[bool]
    on_outcome: _Payload


class Resend(rx.Component):
    """The link that asks for another mail. `sent`: which mail is waited for; `seconds`: until another may be asked for; `waiting`: what it says meanwhile, with `{seconds}`."""

    library = _RESEND.importable_path
    tag = "Resend"

    sent: rx.Var[str]
    seconds: rx.Var[int]
    busy: rx.Var[bool]
    label: rx.Var[str]
    waiting: rx.Var[str]
    on_resend: _Done


class PasskeyButton(rx.Component):
    """Begins a login by passkey; nothing in a browser that has none."""

    library = _PASSKEY.importable_path
    tag = "PasskeyButton"


class SocialButton(rx.Component):
    """Begins a login at `provider`; `site`: origin of the secure site, "" of one of AppKit's; `back`: the host page, where that has to make room for it.

    `on_begun` hears `{provider, attempt, opened, left?, error?}`.
    """

    library = _SOCIAL.importable_path
    tag = "SocialButton"

    site: rx.Var[str]
    provider: rx.Var[str]
    back: rx.Var[str]
    on_begun: _Payload


class SocialWatch(rx.Component):
    """Its children stand where the window of an `attempt` seems closed. The login ends with it."""

    library = _WATCH.importable_path
    tag = "SocialWatch"

    attempt: rx.Var[str]


lost_login = LostLogin.create
passkey_button = PasskeyButton.create
social_button = SocialButton.create
social_watch = SocialWatch.create
secure_ask = SecureAsk.create
secure_place = SecurePlace.create
email_input = EmailInput.create
otp_input = OtpInput.create
resend = Resend.create
