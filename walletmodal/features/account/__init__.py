"""Account and connection per namespace."""
