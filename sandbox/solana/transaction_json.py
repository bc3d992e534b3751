"""Transactions that landed, as the RPC writes them."""

import base64

import base58
from solders.message import Message, MessageV0
from solders.transaction import VersionedTransaction

from walletmodal.sandbox.solana.instruction_json import instruction_json
from walletmodal.sandbox.solana.parameters import invalid
from walletmodal.sandbox.solana.record import Landed, TokenBalance
from walletmodal.sandbox.solana.spl import ui_amount

TRANSACTION_ENCODINGS = ("json", "jsonParsed", "base58", "base64")


def status_json(error: object) -> dict[str, object]:
    """A transaction's status in the old form that clients still read."""
    return {"Ok": None} if error is None else {"Err": error}


def transaction_json(record: Landed, encoding: str, newest_version: int | None) -> dict[str, object]:
    """The answer of getTransaction.

    Args:
        record: what landed.
        encoding: one of TRANSACTION_ENCODINGS.
        newest_version: the newest transaction version that the client understands; None: legacy alone.

    Raises:
        SolanaRpcError: the client does not understand this transaction's version.
    """
    raw = base64.b64decode(record.raw)
    message = VersionedTransaction.from_bytes(raw).message
    if isinstance(message, MessageV0) and newest_version is None:
        raise invalid(
            "Transaction version (0) is not supported by the requesting client. Please try the request again with the "
            'following configuration parameter: "maxSupportedTransactionVersion": 0'
        )
    version = {} if newest_version is None else {"version": 0 if isinstance(message, MessageV0) else "legacy"}
    return {
        "slot": record.slot,
        "blockTime": record.at,
        "transaction": _transaction(record, raw, encoding),
        "meta": _meta(record, encoding),
        **version,
    }


def _transaction(record: Landed, raw: bytes, encoding: str) -> object:
    if encoding == "base64":
        return [record.raw, "base64"]
    if encoding == "base58":
        text: str = base58.b58encode(raw).decode()
        return [text, "base58"]
    transaction = VersionedTransaction.from_bytes(raw)
    message = transaction.message
    keys = _parsed_keys(record, message) if encoding == "jsonParsed" else [str(key) for key in message.account_keys]
    written: dict[str, object] = {
        "accountKeys": keys,
        "recentBlockhash": str(message.recent_blockhash),
        "instructions": [
            instruction_json(
                one.program_id_index, list(one.accounts), bytes(one.data), record.keys, parsed=encoding == "jsonParsed"
            )
            for one in message.instructions
        ],
    }
    if encoding == "json":
        header = message.header
        written["header"] = {
            "numRequiredSignatures": header.num_required_signatures,
            "numReadonlySignedAccounts": header.num_readonly_signed_accounts,
            "numReadonlyUnsignedAccounts": header.num_readonly_unsigned_accounts,
        }
    if isinstance(message, MessageV0):
        written["addressTableLookups"] = [
            {
                "accountKey": str(one.account_key),
                "writableIndexes": list(one.writable_indexes),
                "readonlyIndexes": list(one.readonly_indexes),
            }
            for one in message.address_table_lookups
        ]
    return {"signatures": [str(one) for one in transaction.signatures], "message": written}


def _parsed_keys(record: Landed, message: Message | MessageV0) -> list[dict[str, object]]:
    own = len(message.account_keys)
    signers = message.header.num_required_signatures
    readonly_signers = signers - message.header.num_readonly_signed_accounts
    readonly = own - message.header.num_readonly_unsigned_accounts
    keys: list[dict[str, object]] = []
    for index, key in enumerate(record.keys):
        if index < own:
            writable = index < readonly_signers if index < signers else index < readonly
        else:
            writable = index < own + len(record.loaded_writable)
        source = "transaction" if index < own else "lookupTable"
        keys.append({"pubkey": key, "signer": index < signers, "source": source, "writable": writable})
    return keys


def _meta(record: Landed, encoding: str) -> dict[str, object]:
    inner = [
        {
            "index": index,
            "instructions": [
                instruction_json(
                    one.program, one.accounts, base58.b58decode(one.data), record.keys, parsed=encoding == "jsonParsed"
                )
                | {"stackHeight": one.depth}
                for one in instructions
            ],
        }
        for index, instructions in enumerate(record.inner)
        if instructions
    ]
    meta: dict[str, object] = {
        "computeUnitsConsumed": record.units,
        "err": record.error,
        "fee": record.fee,
        "innerInstructions": inner,
        "logMessages": record.logs,
        "postBalances": record.post_balances,
        "postTokenBalances": [_token_balance(one) for one in record.post_tokens],
        "preBalances": record.pre_balances,
        "preTokenBalances": [_token_balance(one) for one in record.pre_tokens],
        "rewards": [],
        "status": status_json(record.error),
    }
    if encoding != "jsonParsed":
        meta["loadedAddresses"] = {"readonly": record.loaded_readonly, "writable": record.loaded_writable}
    return meta


def _token_balance(balance: TokenBalance) -> dict[str, object]:
    return {
        "accountIndex": balance.index,
        "mint": balance.mint,
        "owner": balance.owner,
        "programId": balance.program,
        "uiTokenAmount": ui_amount(balance.amount, balance.decimals),
    }
