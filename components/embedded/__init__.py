"""The modal's side of the embedded wallet: the secure site's frame, its place, and the fields of an email login."""

from walletmodal.components.embedded.embedded import (
    email_input,
    lost_login,
    otp_input,
    passkey_button,
    resend,
    secure_ask,
    secure_place,
    social_button,
    social_watch,
)

__all__ = [
    "email_input",
    "lost_login",
    "otp_input",
    "passkey_button",
    "resend",
    "secure_ask",
    "secure_place",
    "social_button",
    "social_watch",
]
