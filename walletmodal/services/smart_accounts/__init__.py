"""Services of smart accounts: bundlers (ERC-4337, ERC-7769), paymasters (ERC-7677), and what networks say of accounts and operations."""
