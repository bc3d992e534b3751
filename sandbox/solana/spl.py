"""SPL token accounts and mints: their bytes, and the instructions that the sandbox itself sends."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import CreateAccountParams, create_account
from solders.token.associated import get_associated_token_address

TOKEN_PROGRAM = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
TOKEN_2022_PROGRAM = Pubkey.from_string("TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb")
ASSOCIATED_PROGRAM = Pubkey.from_string("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
SYSTEM_PROGRAM = Pubkey.default()
TOKEN_PROGRAMS = {TOKEN_PROGRAM: "spl-token", TOKEN_2022_PROGRAM: "spl-token-2022"}

MINT_SIZE, ACCOUNT_SIZE = 82, 165
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
    if len(data) != MINT_SIZE and _kind(data) != _IN_MINT:
        return None
    (supply,) = struct.unpack_from("<Q", data, 36)
    authority = str(Pubkey(data[4:36])) if data[0] else None
    return Mint(supply, data[44], authority, str(Pubkey(data[50:82])) if data[46] else None)


def token_account_of(account: Account | None) -> TokenAccount | None:
    """The token account that an account is, if it is one."""
    if account is None or account.owner not in TOKEN_PROGRAMS:
        return None
    data = bytes(account.data)
    if len(data) != ACCOUNT_SIZE and _kind(data) != _IN_ACCOUNT:
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


def create_holding(payer: Pubkey, owner: Pubkey, mint: Pubkey) -> Instruction:
    """Make the associated account of an owner and a mint, unless it is there already."""
    holding = get_associated_token_address(owner, mint)
    metas = [
        AccountMeta(payer, is_signer=True, is_writable=True),
        AccountMeta(holding, is_signer=False, is_writable=True),
        *(
            AccountMeta(each, is_signer=False, is_writable=False)
            for each in (owner, mint, SYSTEM_PROGRAM, TOKEN_PROGRAM)
        ),
    ]
    return Instruction(ASSOCIATED_PROGRAM, b"\x01", metas)


def mint_to(mint: Pubkey, holding: Pubkey, authority: Pubkey, amount: int) -> Instruction:
    """Make tokens; `amount` in base units."""
    metas = [
        AccountMeta(mint, is_signer=False, is_writable=True),
        AccountMeta(holding, is_signer=False, is_writable=True),
        AccountMeta(authority, is_signer=True, is_writable=False),
    ]
    return Instruction(TOKEN_PROGRAM, struct.pack("<BQ", 7, amount), metas)


def create_mint(payer: Pubkey, mint: Pubkey, lamports: int, decimals: int) -> tuple[Instruction, Instruction]:
    """Make a mint whose tokens the payer makes; the mint signs too.

    Args:
        payer: who pays for it.
        mint: its address.
        lamports: what the account must have.
        decimals: of its token.
    """
    made = create_account(
        CreateAccountParams(from_pubkey=payer, to_pubkey=mint, lamports=lamports, space=MINT_SIZE, owner=TOKEN_PROGRAM)
    )
    data = struct.pack("<BB32sB", 20, decimals, bytes(payer), 0)
    return made, Instruction(TOKEN_PROGRAM, data, [AccountMeta(mint, is_signer=False, is_writable=True)])


def end_minting(mint: Pubkey, authority: Pubkey) -> Instruction:
    """Nobody makes more of this token, ever."""
    metas = [
        AccountMeta(mint, is_signer=False, is_writable=True),
        AccountMeta(authority, is_signer=True, is_writable=False),
    ]
    return Instruction(TOKEN_PROGRAM, struct.pack("<BBB", 6, 0, 0), metas)


def _kind(data: bytes) -> int:
    """Of Token-2022 accounts with extensions, the byte that tells a mint from an account."""
    return data[ACCOUNT_SIZE] if len(data) > ACCOUNT_SIZE else 0
