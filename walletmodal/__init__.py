"""WalletModal: the application. `walletmodal.py` assembles it; each folder says in its own first line what lives there."""
