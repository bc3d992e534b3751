"""`python -m walletmodal`: what operators ask a deployment, on the machine that has its settings.

Nothing here serves visitors, and nothing of the server imports it.
"""

from walletmodal.operator.commands import main

__all__ = ["main"]
