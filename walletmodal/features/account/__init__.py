"""What is known of the account of each namespace: address, network, balances."""
