"""What a host's server is given to spend with, and what a node says of it: networks, payees, amounts, receipts."""

from collections.abc import Mapping
from typing import Any, Final

from eth_utils.address import is_address, to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import CaipError, SettingProblem, SettingsError
from walletmodal.core.errors.permissions import PermissionUnreadableError

_TRANSFER: Final = "0x" + keccak(text="Transfer(address,address,uint256)").hex()


def block_of(receipt: object, sent: str) -> int | None:
    """In which block a transaction is; None where this is no receipt of it."""
    if not isinstance(receipt, Mapping) or receipt.get("transactionHash") != sent:
        return None
    try:
        return int(receipt["blockNumber"], 16) if receipt["status"] in ("0x0", "0x1") else None
    except (KeyError, TypeError, ValueError):
        return None


def moved(receipt: Mapping[str, Any], token: str, account: str, to: str) -> int | None:
    """Returns how many base units of a token an account has moved to somebody, as the token itself says; None where the receipt cannot be read."""
    wanted = [_TRANSFER, *("0x" + one[2:].lower().rjust(64, "0") for one in (account, to))]
    try:
        return sum(
            int(log["data"], 16)
            for log in receipt["logs"]
            if log["address"].lower() == token.lower() and [one.lower() for one in log["topics"]] == wanted
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def chain_id(chain: str) -> int:
    """Returns the number of an EVM network by its CAIP-2. Raises `SettingsError` for any other name."""
    try:
        return parse_chain_id(chain).number
    except CaipError as error:
        raise SettingsError([SettingProblem("rpc_urls", "must name EVM networks by CAIP-2", "eip155:8453")]) from error


def payee(to: str) -> str:
    """Returns an address in its normal spelling. Raises `ValueError` for what is none."""
    if not isinstance(to, str) or not to.startswith("0x") or not is_address(to):
        raise ValueError("the payee is no address")
    return str(to_checksum_address(to))


def base_units(amount: int) -> int:
    """Returns an amount that can be paid. Raises `ValueError` for what is none."""
    if isinstance(amount, bool) or not isinstance(amount, int) or not 0 < amount < 2**256:
        raise ValueError("an amount is a whole number of base units")
    return amount


def bytes_of(value: object, field: str) -> bytes:
    """Returns the bytes of hex text, none of anything else. Raises `PermissionUnreadableError`, which names the field, for half a byte."""
    try:
        return bytes.fromhex(value.removeprefix("0x")) if isinstance(value, str) else b""
    except ValueError as error:
        raise PermissionUnreadableError(field) from error
