"""Token of a transfer. What services and wallets say of a token is compared with its network before anything is paid."""

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.text.texts import FAILED_TO_SEND_TRANSACTION
from walletmodal.core.transfers.send import Transfer


def sent_token(transfer: Transfer) -> str | None:
    """The address of the token that is sent, in its normal spelling, or None for the native coin.

    Raises:
        AddressError: it is none, or the token is of another network.
        SendError: the native coin has other decimals than those that the amount was read with.
    """
    token = transfer.token
    if token.chain_id not in (None, str(transfer.chain)):
        raise AddressError("Invalid address", details="the token is of another network")
    address = transfer.contract
    if address is None:
        network = bundled_networks().get(str(transfer.chain))
        if network is not None:
            check_decimals(transfer, network.native_currency.decimals)
    return address


def check_decimals(transfer: Transfer, decimals: int) -> None:
    """Checks that the amount was read with the decimals that the token has: else another amount would go out than the visitor typed.

    Args:
        transfer: its base units came of the decimals that its token was listed with.
        decimals: as the network itself says them.

    Raises:
        SendError: they differ.
    """
    listed = transfer.token.quantity.decimals
    if listed != decimals:
        raise SendError(FAILED_TO_SEND_TRANSACTION, details=f"the token has {decimals} decimals, not {listed}")
