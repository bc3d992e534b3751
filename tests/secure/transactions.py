"""Transactions as the page would have them signed, made by the libraries that others make them with."""

import base64
from typing import Any

from eth_account import Account
from eth_account.signers.local import LocalAccount
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageV0, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.secure.encoding import encode
from walletmodal.secure.spending import payload_of

ETHEREUM = "eip155:1"
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
TOKEN_PROGRAM = Pubkey.from_string("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
RECEIVER = "0x00000000000000000000000000000000000000AA"
GAS, GAS_PRICE = 21_000, 10**9
FEE = GAS * GAS_PRICE

account: LocalAccount = Account.create()
keypair = Keypair()


def sent(value: int = 0, data: str = "", to: str = RECEIVER, **changed: Any) -> str:
    """A transaction of Ethereum, signed, as it goes to a node."""
    fields: dict[str, Any] = {
        "type": 2, "chainId": 1, "nonce": 0, "gas": GAS, "maxFeePerGas": GAS_PRICE, "maxPriorityFeePerGas": 1,
        "to": to, "value": value, "data": f"0x{data}",
    } | changed  # fmt: skip
    known = {name: one for name, one in fields.items() if one is not None}
    return "0x" + account.sign_transaction(known).raw_transaction.hex()


def legacy(value: int, **changed: Any) -> str:
    """The same in the old form."""
    return sent(value, type=None, maxFeePerGas=None, maxPriorityFeePerGas=None, gasPrice=GAS_PRICE, **changed)


def call(selector: str, *words: int | str) -> str:
    """Call data."""
    numbers = (int(word, 16) if isinstance(word, str) else word for word in words)
    return selector + "".join(f"{number:064x}" for number in numbers)


def token_transfer(amount: int, **changed: Any) -> str:
    """A transfer of a token, signed."""
    return sent(data=call("a9059cbb", RECEIVER, amount), to=TOKEN, **changed)


def solana_sent(*instructions: Instruction, version: int | None = 0) -> str:
    """A transaction of Solana, signed, in base64. `version`: None for the old form."""
    payer, blockhash = keypair.pubkey(), Hash.default()
    message: Message | MessageV0 = (
        Message.new_with_blockhash(instructions, payer, blockhash)
        if version is None
        else MessageV0.try_compile(payer, instructions, [], blockhash)
    )
    signature = keypair.sign_message(to_bytes_versioned(message))
    return base64.b64encode(bytes(VersionedTransaction.populate(message, [signature]))).decode()


def lamports(amount: int) -> Instruction:
    """A transfer of coins."""
    return transfer(TransferParams(from_pubkey=keypair.pubkey(), to_pubkey=Pubkey.new_unique(), lamports=amount))


def tokens(mint: Pubkey, amount: int) -> Instruction:
    """A transfer of a token that names its mint."""
    places = (Pubkey.new_unique(), mint, Pubkey.new_unique(), keypair.pubkey())
    return Instruction(
        TOKEN_PROGRAM,
        b"\x0c" + amount.to_bytes(8, "little") + b"\x06",
        [AccountMeta(one, False, True) for one in places],
    )


def payload(transaction: str, chain: str = ETHEREUM) -> bytes:
    """The bytes of it that are signed."""
    found = payload_of(parse_chain_id(chain), [transaction])
    assert found is not None
    return found


def body(*transactions: str, chain: str = ETHEREUM) -> dict[str, Any]:
    """The body with which the server's half is asked for."""
    return {"use": "transfer", "chain": chain, "transactions": [encode(payload(one, chain)) for one in transactions]}
