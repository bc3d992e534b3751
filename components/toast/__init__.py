"""The snackbar: one short message at a time, with its own timing."""

from walletmodal.components.toast.toast import toast

__all__ = ["toast"]
