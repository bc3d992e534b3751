"""What the host page asks of a wallet, shown to the visitor before the wallet is asked."""
