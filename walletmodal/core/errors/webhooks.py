"""The error of a webhook that a host must not believe."""

from typing import Literal

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import UNAUTHORIZED

WebhookFault = Literal["form", "signature", "time"]
"""What is wrong with it: a header is missing or it is no event; none of the secrets has signed it; it was sent too long ago, or will be."""


class WebhookError(WalletModalError):
    """A webhook that a host must not believe.

    Attributes:
        fault: what is wrong with it.
    """

    name, default_code = "WebhookError", UNAUTHORIZED

    def __init__(self, fault: WebhookFault, details: str = "") -> None:
        self.fault = fault
        super().__init__("The webhook is not valid", details=f"{fault}: {details}" if details else fault)
