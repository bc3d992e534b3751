"""Who is connected: the wallet, accounts and network of every namespace, as one value, and what a snapshot changes in it."""
