"""Certificate authorities that other servers are checked with, whoever asks them."""

import ssl
from functools import cache
from pathlib import Path

import certifi


@cache
def usual_authorities() -> ssl.SSLContext:
    """The authorities of SSL_CERT_FILE and SSL_CERT_DIR, else the system's, else those that come as a Python package.

    Reading their list takes longer than most requests, so a process does it once.
    """
    context = ssl.create_default_context()
    # Those of a folder are read when they are needed, and are not counted before.
    folder = ssl.get_default_verify_paths().capath
    if not context.cert_store_stats()["x509_ca"] and not (folder and any(Path(folder).iterdir())):
        context.load_verify_locations(certifi.where())
    return context


def is_unknown_authority(error: BaseException | None) -> bool:
    """Whether a failure comes from a certificate that none of them vouches for."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            return True
        error = error.__cause__ or error.__context__
    return False
