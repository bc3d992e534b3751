"""HTTP to the outside services: who asks, how a call is made and read, and how it fails. What the calls mean stands in their clients.

The pooled client of the process is `services.rpc.rpc_http_client`; JSON-RPC has a way of its own.
"""

from walletmodal.services.http.caller import Caller, sdk_version
from walletmodal.services.http.errors import alert_for_failure, error_body
from walletmodal.services.http.service import HttpService, Query, Received, path_segment, understood

__all__ = [
    "Caller",
    "HttpService",
    "Query",
    "Received",
    "alert_for_failure",
    "error_body",
    "path_segment",
    "sdk_version",
    "understood",
]
