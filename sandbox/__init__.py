"""The sandbox: real chains and real services on loopback, for `make run` and for tests.

Here live the services that the modal calls when no public one is configured, the demo host page and
its wallet. Nothing of the modal's own lives here, and nothing here imports Reflex.
"""

from walletmodal.sandbox.runtime import Sandbox
from walletmodal.sandbox.settings import SandboxSettings

__all__ = ["Sandbox", "SandboxSettings"]
