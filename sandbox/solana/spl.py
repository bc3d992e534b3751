"""SPL token accounts and mints: their bytes, and the instructions that the sandbox itself sends."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from solders.account import Account
from solders.instruction import Instruction
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, create_account
from spl.token.constants import ACCOUNT_LEN, MINT_LEN, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID
from spl.token.instructions import (
    create_idempotent_associated_token_account,
    get_associated_token_address,
    initialize_mint2,
    mint_to,
    set_authority,
)
from spl.token.models import AuthorityType, InitializeMint2Params, MintToParams, SetAuthorityParams

SYSTEM_PROGRAM = Pubkey.default()
TOKEN_PROGRAMS = {TOKEN_PROGRAM_ID: "spl-token", TOKEN_2022_PROGRAM_ID: "spl-token-2022"}

_STATES = ("uninitialized", "initialized", "frozen")
_IN_MINT, _IN_ACCOUNT = 1, 2

GetAccount = Callable[[Pubkey], Account | None]


@dataclass(frozen=True)
class Mint:
    """A token's mint; `supply` in base units."""

    supply: int
    decimals: int
    authority: str | None
    freeze_authority: str | None


@dataclass(frozen=True)
class TokenAccount:
    """An account that holds a token; amounts in base units."""

    mint: str
    owner: str
    amount: int
    state: str
    is_native: bool
    delegate: str | None
    delegated_amount: int


def mint_of(account: Account | None) -> Mint | None:
    """The mint that an account is, if it is one."""
    if account is None or account.owner not in TOKEN_PROGRAMS:
        return None
    data = bytes(account.data)
    if len(data) != MINT_LEN and _kind(data) != _IN_MINT:
        return None
    (supply,) = struct.unpack_from("<Q", data, 36)
    authority = str(Pubkey(data[4:36])) if data[0] else None
    return Mint(supply, data[44], authority, str(Pubkey(data[50:82])) if data[46] else None)


def token_account_of(account: Account | None) -> TokenAccount | None:
    """The token account that an account is, if it is one."""
    if account is None or account.owner not in TOKEN_PROGRAMS:
        return None
    data = bytes(account.data)
    if len(data) != ACCOUNT_LEN and _kind(data) != _IN_ACCOUNT:
        return None
    (amount,), (delegated,) = struct.unpack_from("<Q", data, 64), struct.unpack_from("<Q", data, 121)
    return TokenAccount(
        mint=str(Pubkey(data[:32])),
        owner=str(Pubkey(data[32:64])),
        amount=amount,
        state=_STATES[data[108]] if data[108] < len(_STATES) else _STATES[0],
        is_native=data[109] == 1,
        delegate=str(Pubkey(data[76:108])) if data[72] else None,
        delegated_amount=delegated,
    )


def ui_amount(amount: int, decimals: int) -> dict[str, object]:
    """An amount as the RPC writes it; its `uiAmount` is a JSON number because clients expect one."""
    exact = Decimal(amount).scaleb(-decimals)
    text = f"{exact:f}"
    shown = (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
    return {"amount": str(amount), "decimals": decimals, "uiAmount": float(exact), "uiAmountString": shown}


def packed_mint(decimals: int, authority: Pubkey | None) -> bytes:
    """The bytes of a mint without supply."""
    option = struct.pack("<I32s", int(authority is not None), bytes(authority or SYSTEM_PROGRAM))
    return option + struct.pack("<QBB", 0, decimals, 1) + bytes(36)


def mint_one(payer: Pubkey, mint: Pubkey, owner: Pubkey, lamports: int) -> list[Instruction]:
    """Make a mint of which an owner has the one token that there will ever be; the mint signs too.

    Args:
        payer: who pays for it.
        mint: its address.
        owner: who gets the token.
        lamports: what the mint's account must have.
    """
    return [
        create_account(
            CreateAccountParams(
                from_pubkey=payer, to_pubkey=mint, lamports=lamports, space=MINT_LEN, owner=TOKEN_PROGRAM_ID
            )
        ),
        initialize_mint2(
            InitializeMint2Params(decimals=0, program_id=TOKEN_PROGRAM_ID, mint=mint, mint_authority=payer)
        ),
        *mint_tokens(payer, mint, owner, 1),
        set_authority(
            SetAuthorityParams(
                program_id=TOKEN_PROGRAM_ID, account=mint, authority=AuthorityType.MINT_TOKENS, current_authority=payer
            )
        ),
    ]


def mint_tokens(authority: Pubkey, mint: Pubkey, owner: Pubkey, amount: int) -> list[Instruction]:
    """Make tokens for an owner, whose account is opened where there is none; `amount` in base units, the authority pays."""
    account = get_associated_token_address(owner, mint)
    return [
        create_idempotent_associated_token_account(authority, owner, mint),
        mint_to(
            MintToParams(program_id=TOKEN_PROGRAM_ID, mint=mint, dest=account, mint_authority=authority, amount=amount)
        ),
    ]


def _kind(data: bytes) -> int:
    """Of Token-2022 accounts with extensions, the byte that tells a mint from an account."""
    return data[ACCOUNT_LEN] if len(data) > ACCOUNT_LEN else 0
