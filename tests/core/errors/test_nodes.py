"""Why a node refused, read from its words: the table of the error reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.errors import RequestTimeoutError, RpcRequestError
from walletmodal.core.errors.nodes import NodeError, TransactionFigures, classify_node_error, explain_node_error
from walletmodal.core.errors.rpc import from_rpc

GIVEN = TransactionFigures(nonce=7, gas=21_000, max_fee_per_gas=1_500_000_000, max_priority_fee_per_gas=2_000_000_000)
CAP, TIP = " (`maxFeePerGas` = 1.5 gwei)", " (`maxPriorityFeePerGas` = 2 gwei)"
NONCE_LOW = "is lower than the current nonce of the account.\nTry increasing the nonce or find the latest nonce with `getTransactionCount`."
TABLE = [
    ("execution reverted: too early", "ExecutionRevertedError", "Execution reverted with reason: too early."),
    ("execution reverted", "ExecutionRevertedError", "Execution reverted for an unknown reason."),
    ("max fee per gas higher than 2^256-1", "FeeCapTooHighError", f"The fee cap{CAP} cannot be higher than the maximum allowed value (2^256-1)."),
    ("fee cap higher than 2^256-1", "FeeCapTooHighError", f"The fee cap{CAP} cannot be higher than the maximum allowed value (2^256-1)."),
    ("max fee per gas less than block base fee", "FeeCapTooLowError", f"The fee cap{CAP} cannot be lower than the block base fee."),
    ("fee cap less than block base fee", "FeeCapTooLowError", f"The fee cap{CAP} cannot be lower than the block base fee."),
    ("transaction is outdated", "FeeCapTooLowError", f"The fee cap{CAP} cannot be lower than the block base fee."),
    ("nonce too high", "NonceTooHighError", "Nonce provided for the transaction (7) is higher than the next one expected."),
    ("nonce too low", "NonceTooLowError", f"Nonce provided for the transaction (7) {NONCE_LOW}"),
    ("transaction already imported", "NonceTooLowError", f"Nonce provided for the transaction (7) {NONCE_LOW}"),
    ("already known", "NonceTooLowError", f"Nonce provided for the transaction (7) {NONCE_LOW}"),
    ("nonce has max value", "NonceMaxValueError", "Nonce provided for the transaction (7) exceeds the maximum allowed nonce."),
    ("insufficient funds", "InsufficientFundsError", "The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account."),
    ("exceeds transaction sender account balance", "InsufficientFundsError", "The total cost (gas * gas fee + value) of executing this transaction exceeds the balance of the account."),
    ("intrinsic gas too high", "IntrinsicGasTooHighError", "The amount of gas (21000) provided for the transaction exceeds the limit allowed for the block."),
    ("gas limit reached", "IntrinsicGasTooHighError", "The amount of gas (21000) provided for the transaction exceeds the limit allowed for the block."),
    ("intrinsic gas too low", "IntrinsicGasTooLowError", "The amount of gas (21000) provided for the transaction is too low."),
    ("transaction type not valid", "TransactionTypeNotSupportedError", "The transaction type is not supported for this chain."),
    ("max priority fee per gas higher than max fee per gas", "TipAboveFeeCapError", f"The provided tip{TIP} cannot be higher than the fee cap{CAP}."),
    ("tip higher than fee cap", "TipAboveFeeCapError", f"The provided tip{TIP} cannot be higher than the fee cap{CAP}."),
    ("the moon is full", "UnknownNodeError", "An error occurred while executing: RPC Request failed."),
]  # fmt: skip


@every_case(("words", "name", "text"), TABLE, ids=[row[0] for row in TABLE])
def test_a_nodes_words_have_their_error(words: str, name: str, text: str) -> None:
    error = classify_node_error(words, short_message="RPC Request failed.", figures=GIVEN)
    assert (type(error).__name__, error.name, error.short_message, str(error)) == (name, name, text, text)


@every_case(("words", "name", "text"), TABLE[2:-1], ids=[row[0] for row in TABLE[2:-1]])
def test_words_are_found_in_a_longer_message_of_any_case(words: str, name: str, text: str) -> None:
    error = classify_node_error(f"Err: {words.upper()} (supplied 3)", figures=GIVEN)
    assert (error.name, error.short_message) == (name, text)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("nonce too high", "Nonce provided for the transaction is higher than the next one expected."),
        ("intrinsic gas too low", "The amount of gas provided for the transaction is too low."),
        ("tip higher than fee cap", "The provided tip cannot be higher than the fee cap."),
        ("fee cap less than block base fee", "The fee cap cannot be lower than the block base fee."),
    ],
)
def test_figures_that_were_not_given_are_left_out(words: str, text: str) -> None:
    assert classify_node_error(words).short_message == text


def test_a_nonce_of_zero_is_named() -> None:
    assert "(0)" in classify_node_error("nonce too low", figures=TransactionFigures(nonce=0)).short_message


def test_code_3_is_a_revert_whatever_the_words() -> None:
    error = classify_node_error("insufficient funds for the vault", code=3)
    assert (error.code, error.short_message) == (
        3,
        "Execution reverted with reason: insufficient funds for the vault.",
    )


def test_the_first_hit_of_the_order_counts() -> None:
    assert classify_node_error("nonce too low: insufficient funds").name == "NonceTooLowError"


def test_missing_funds_come_with_an_explanation() -> None:
    assert len(classify_node_error("insufficient funds").meta) == 7


@pytest.mark.parametrize("code", [3, -32000, -32003])
def test_an_error_about_a_transaction_is_explained_and_keeps_its_cause(code: int) -> None:
    cause = RpcRequestError(code=code, details="execution reverted: no", url="https://node.example")
    explained = explain_node_error(cause)
    assert isinstance(explained, NodeError)
    assert (explained.name, explained.__cause__, explained.details) == (
        "ExecutionRevertedError",
        cause,
        "execution reverted: no",
    )


def test_a_wallets_error_is_explained_too() -> None:
    assert explain_node_error(from_rpc(-32003, "intrinsic gas too low")).name == "IntrinsicGasTooLowError"


@pytest.mark.parametrize(
    "error",
    [
        from_rpc(4001, "insufficient funds"),
        from_rpc(-32603, "nonce too low"),
        RequestTimeoutError(url="https://node.example"),
    ],
)
def test_any_other_error_stays_as_it_is(error: RequestTimeoutError) -> None:
    assert explain_node_error(error) is error


@given(st.text(max_size=200), st.integers(-40_000, 5_000))
def test_any_words_are_classified(words: str, code: int) -> None:
    assert classify_node_error(words, code=code).details == words
