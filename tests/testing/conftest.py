"""The fixtures of the plugin, which a host has by its entry point."""

from walletmodal.pytest_plugin import walletmodal_audience as walletmodal_audience
from walletmodal.pytest_plugin import walletmodal_modal as walletmodal_modal
from walletmodal.pytest_plugin import walletmodal_wallet as walletmodal_wallet
