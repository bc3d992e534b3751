"""`walletmodal doctor`, `sessions` and more: what operators ask a deployment, on the machine that has its settings.

Nothing here serves visitors, and nothing of the server imports it.
"""

from walletmodal.operator.commands import add_commands, operate

__all__ = ["add_commands", "operate"]
