"""What the Solana RPC answers when it refuses: codes, words, and a transaction's error in JSON."""

import json
from collections.abc import Mapping

from solders.transaction_metadata import FailedTransactionMetadata, TransactionMetadata

INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
INVALID_REQUEST = -32600
SIMULATION_FAILED = -32002
SIGNATURE_FAILED = -32003
NODE_FAILED = -32603

_WORDS = {
    "AccountNotFound": "Attempt to debit an account but found no record of a prior credit.",
    "AccountInUse": "Account in use",
    "AlreadyProcessed": "This transaction has already been processed",
    "BlockhashNotFound": "Blockhash not found",
    "InsufficientFundsForFee": "Insufficient funds for fee",
    "InvalidAccountForFee": "This account may not be used to pay transaction fees",
    "InvalidAccountIndex": "Transaction contains an invalid account reference",
    "InvalidProgramForExecution": "This program may not be used for executing instructions",
    "MissingSignatureForFee": "Transaction requires a fee but has no signature present",
    "ProgramAccountNotFound": "Attempt to load a program that does not exist",
    "SanitizeFailure": "Transaction failed to sanitize accounts offsets correctly",
    "SignatureFailure": "Transaction did not pass signature verification",
    "AddressLookupTableNotFound": "Transaction loads an address table account that doesn't exist",
}
_INSTRUCTION_WORDS = {
    "InsufficientFunds": "insufficient funds for instruction",
    "InvalidAccountData": "invalid account data for instruction",
    "InvalidInstructionData": "invalid instruction data",
    "InvalidArgument": "invalid program argument",
    "MissingRequiredSignature": "missing required signature for instruction",
    "UninitializedAccount": "instruction requires an initialized account",
    "IncorrectProgramId": "incorrect program id for instruction",
    "AccountAlreadyInitialized": "instruction requires an uninitialized account",
}


class SolanaRpcError(Exception):
    """A request that is refused, in JSON-RPC's shape.

    Args:
        code: JSON-RPC error code.
        message: the words.
        data: more about it.
    """

    def __init__(self, code: int, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    @property
    def body(self) -> dict[str, object]:
        """The error object."""
        more = {} if self.data is None else {"data": dict(self.data)}
        return {"code": self.code, "message": self.message, **more}


def error_of(outcome: FailedTransactionMetadata | TransactionMetadata) -> object:
    """The TransactionError of an outcome in JSON; None for a success."""
    if isinstance(outcome, FailedTransactionMetadata):
        error: object = json.loads(outcome.to_json())["err"]
        return error
    return None


def words_of(error: object) -> str:
    """What a validator says of a TransactionError."""
    if isinstance(error, dict) and isinstance(error.get("InstructionError"), list):
        index, why = error["InstructionError"]
        if isinstance(why, dict) and "Custom" in why:
            said = f"custom program error: {why['Custom']:#x}"
        else:
            said = _INSTRUCTION_WORDS.get(str(why), str(why))
        return f"Error processing Instruction {index}: {said}"
    if isinstance(error, dict) and "InsufficientFundsForRent" in error:
        index = error["InsufficientFundsForRent"].get("account_index")
        return f"Transaction results in an account ({index}) with insufficient funds for rent"
    return _WORDS.get(str(error), str(error))


def landed(error: object) -> bool:
    """Whether a transaction with this error is in the ledger; one that fails before it runs is in none."""
    return error is None or (
        isinstance(error, dict) and ("InstructionError" in error or "InsufficientFundsForRent" in error)
    )
