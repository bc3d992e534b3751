"""The modal of own-views: the app of walletmodal, and what is our own in it."""

import fee_notice  # noqa: F401 - it puts its views into the modal
import loyalty  # noqa: F401 - as above
import welcome  # noqa: F401 - as above

from walletmodal.walletmodal import app

__all__ = ["app"]
