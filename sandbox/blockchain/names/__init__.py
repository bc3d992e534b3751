"""Names under the service's own zones: registering, looking up both ways, suggesting."""

from sandbox.blockchain.names.endpoint import NamesEndpoint
from sandbox.blockchain.names.store import NameStore

__all__ = ["NameStore", "NamesEndpoint"]
