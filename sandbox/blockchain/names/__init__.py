"""Names under the service's own zones: registering, looking up both ways, suggesting."""

from walletmodal.sandbox.blockchain.names.endpoint import NamesEndpoint
from walletmodal.sandbox.blockchain.names.store import NameStore

__all__ = ["NameStore", "NamesEndpoint"]
