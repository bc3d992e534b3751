"""The HTTP side of the modal server: `walletmodal/web`."""
