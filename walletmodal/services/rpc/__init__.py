"""JSON-RPC to the nodes: the transports, and which URLs a network has. Nothing is cached here: that is `services/balances`.

`web3_provider`, which puts web3 on top of a transport, is imported by its own name: it takes most of a second.
"""

from walletmodal.services.rpc.batching import BatchingTransport
from walletmodal.services.rpc.endpoints import RpcEndpoints
from walletmodal.services.rpc.fallback import FallbackTransport
from walletmodal.services.rpc.http import HttpRpcTransport, rpc_http_client
from walletmodal.services.rpc.joining import JoiningTransport
from walletmodal.services.rpc.retrying import RetryingTransport
from walletmodal.services.rpc.transport import RpcTransport

__all__ = [
    "BatchingTransport",
    "FallbackTransport",
    "HttpRpcTransport",
    "JoiningTransport",
    "RetryingTransport",
    "RpcEndpoints",
    "RpcTransport",
    "rpc_http_client",
]
