"""What codes by mail are for."""

from typing import Final, Literal

ProofPurpose = Literal["password", "escrow", "delete", "export"]
Purpose = Literal["login", "primary", "secondary"] | ProofPurpose

ACTIONS: Final[dict[Purpose, str]] = {
    "login": "VERIFY_OTP",
    "primary": "VERIFY_PRIMARY_OTP",
    "secondary": "VERIFY_SECONDARY_OTP",
}
"""What the visitor does next with each; with the others, VERIFY_PROOF."""
PROOFS: Final[dict[Purpose, str]] = {
    "password": "changes the recovery password of your wallet",
    "escrow": "changes who can recover your wallet",
    "export": "shows the phrase and the keys of your wallet, with which anyone can take all that is in it",
    "delete": "deletes your wallet and your account for good",
}
"""What a code of each fresh proof allows, as its mail says."""
