"""Why a picture is not served."""

from typing import Literal

from walletmodal.core.errors import WalletModalError

ImageRefusal = Literal["reference", "url", "address", "redirect", "type", "size", "status", "timeout", "unreachable"]
"""`reference`: not one of ours; `url` and `address`: a place that is not asked; the rest: what came of asking."""


class ImageError(WalletModalError):
    """A picture that cannot be had.

    Args:
        refusal: why.
        details: more of it, for the log; names no address inside the deployment's network.
    """

    name = "ImageError"

    def __init__(self, refusal: ImageRefusal, details: str = "") -> None:
        self.refusal: ImageRefusal = refusal
        super().__init__("The image is not available.", details=f"{refusal}: {details}" if details else refusal)
