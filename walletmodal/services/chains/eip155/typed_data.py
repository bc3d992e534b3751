"""The digest of typed data (EIP-712)."""

from collections.abc import Mapping

from eth_utils.crypto import keccak

from walletmodal.core.errors import ShapeError
from walletmodal.services.rpc.web3_library import encode_typed_data


def typed_data_digest(typed_data: Mapping[str, object]) -> bytes:
    """What a wallet signs for `eth_signTypedData_v4`, 32 bytes.

    Raises:
        ShapeError: it is no typed data.
    """
    try:
        encoded = encode_typed_data(full_message=dict(typed_data))
    except Exception as error:
        # The library raises whatever its many parts happen to raise.
        raise ShapeError(f"typed data: {type(error).__name__}") from error
    return bytes(keccak(b"\x19" + encoded.version + encoded.header + encoded.body))
