"""The rules of ENSIP-15, of web3. Their tables take long to read, so this module is imported on first use."""

from walletmodal.services.rpc.web3_library import InvalidName, normalize_name


def ensip15(name: str) -> str | None:
    """The normal form of a name, or None where it has none."""
    try:
        return normalize_name(name) or None
    except (InvalidName, ValueError):
        return None


# The tables are read by the first name, which would hold up everybody if it were done later than here.
ensip15("a.eth")
