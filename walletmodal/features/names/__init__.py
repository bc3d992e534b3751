"""Names of accounts: chosen, checked and registered."""
