"""The contracts on the sandbox's EVM chains: which there are, and how they come onto a new chain.

Here is no node and no process; those are `sandbox.anvil`'s.
"""
