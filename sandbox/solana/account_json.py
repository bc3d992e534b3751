"""Accounts as the RPC writes them."""

import base64
from collections.abc import Callable

import base58
from solders.account import Account
from solders.pubkey import Pubkey

from walletmodal.sandbox.solana.parameters import Config, invalid
from walletmodal.sandbox.solana.spl import TOKEN_PROGRAMS, GetAccount, mint_of, token_account_of, ui_amount

MAX_BASE58 = 128
"""Bytes above which an account is not written in base58."""

_NO_EPOCH = 2**64 - 1


def account_json(account: Account | None, encoding: str, config: Config, get: GetAccount) -> dict[str, object] | None:
    """An account with its data in an encoding.

    Args:
        account: None where there is none.
        encoding: one of `ENCODINGS` but base64+zstd.
        config: may have a `dataSlice`.
        get: finds the mint of a token account.

    Raises:
        SolanaRpcError: the encoding is not served, or the data too long for it.
    """
    if account is None:
        return None
    return {
        "data": _data(account, encoding, config, get),
        "executable": account.executable,
        "lamports": account.lamports,
        "owner": str(account.owner),
        "rentEpoch": _NO_EPOCH,
        "space": len(account.data),
    }


def holding_amount(account: Account | None, get: GetAccount) -> dict[str, object] | None:
    """What a token account holds; None when it is no token account."""
    held = token_account_of(account)
    mint = mint_of(get(Pubkey.from_string(held.mint))) if held is not None else None
    return None if held is None or mint is None else ui_amount(held.amount, mint.decimals)


def _data(account: Account, encoding: str, config: Config, get: GetAccount) -> object:
    if encoding == "jsonParsed":
        parsed = _parsed(account, get)
        if parsed is not None:
            return parsed
    if encoding == "base64+zstd":
        raise invalid("Invalid params: the encoding base64+zstd is not served")
    raw = bytes(account.data)
    if config.has("dataSlice"):
        part = config.inner("dataSlice")
        offset = part.whole("offset", 0, 2**32)
        raw = raw[offset : offset + part.whole("length", 0, 2**32)]
    if encoding == "base58":
        if len(raw) > MAX_BASE58:
            raise invalid(
                f"Encoded binary (base 58) data should be less than {MAX_BASE58} bytes, please use Base64 encoding."
            )
        text: str = base58.b58encode(raw).decode()
        return [text, "base58"]
    return [base64.b64encode(raw).decode(), "base64"]


def _parsed(account: Account, get: GetAccount) -> dict[str, object] | None:
    program = TOKEN_PROGRAMS.get(account.owner)
    if program is None:
        return None
    parse: Callable[[Account, GetAccount], dict[str, object] | None]
    for kind, parse in (("mint", _parsed_mint), ("account", _parsed_holding)):
        info = parse(account, get)
        if info is not None:
            return {"program": program, "parsed": {"type": kind, "info": info}, "space": len(account.data)}
    return None


def _parsed_mint(account: Account, _: GetAccount) -> dict[str, object] | None:
    mint = mint_of(account)
    if mint is None:
        return None
    return {
        "decimals": mint.decimals,
        "freezeAuthority": mint.freeze_authority,
        "isInitialized": True,
        "mintAuthority": mint.authority,
        "supply": str(mint.supply),
    }


def _parsed_holding(account: Account, get: GetAccount) -> dict[str, object] | None:
    held = token_account_of(account)
    mint = mint_of(get(Pubkey.from_string(held.mint))) if held is not None else None
    if held is None or mint is None:
        return None
    info = {
        "isNative": held.is_native,
        "mint": held.mint,
        "owner": held.owner,
        "state": held.state,
        "tokenAmount": ui_amount(held.amount, mint.decimals),
    }
    if held.delegate is not None:
        info |= {"delegate": held.delegate, "delegatedAmount": ui_amount(held.delegated_amount, mint.decimals)}
    return info
