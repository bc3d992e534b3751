"""What certificates of other servers are checked with."""

import ssl
from functools import cache

import httpx


@cache
def usual_authorities() -> ssl.SSLContext:
    """The usual certificate authorities; reading their list takes longer than most requests, so a process does it once."""
    return httpx.create_ssl_context()
