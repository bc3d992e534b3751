"""Permissions that the chain enforces (ERC-7710, ERC-7715): delegations with caveats, what they cost, and what speaks against one."""
