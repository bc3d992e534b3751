"""JSON-RPC to the nodes: the transport, and which URL a network has. Caching stands in `services/balances.py`."""

from walletmodal.services.rpc.endpoints import RpcEndpoints
from walletmodal.services.rpc.http import HttpRpcTransport, rpc_http_client
from walletmodal.services.rpc.transport import RpcTransport

__all__ = ["HttpRpcTransport", "RpcEndpoints", "RpcTransport", "rpc_http_client"]
