"""Accounts that are contracts: user operations (ERC-4337), delegations (EIP-7702), Safe and the stateless delegator; no I/O, no words for visitors."""
