"""The parameters of every method."""

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.methods import METHODS as TABLES
from walletmodal.core.requests.shapes import Params

HASH = "0x" + "ab" * 32
ADDRESS = "0x" + "12" * 20
WITHOUT = ["eth_accounts", "eth_blockNumber", "eth_chainId", "eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_newBlockFilter",
           "eth_newPendingTransactionFilter", "eth_supportedEntryPoints", "eth_syncing", "eth_requestAccounts", "net_version",
           "web3_clientVersion", "wallet_getPermissions", "wallet_getGrantedExecutionPermissions",
           "wallet_getSupportedExecutionPermissions"]  # fmt: skip
ANY_LIST = ["eth_call", "eth_estimateGas", "eth_feeHistory", "eth_getAccount", "eth_getBalance", "eth_getBlockByHash",
            "eth_getBlockByNumber", "eth_getBlockReceipts", "eth_getBlockTransactionCountByHash",
            "eth_getBlockTransactionCountByNumber", "eth_getCode", "eth_getFilterChanges", "eth_getFilterLogs", "eth_getLogs",
            "eth_getProof", "eth_getStorageAt", "eth_getTransactionByBlockHashAndIndex",
            "eth_getTransactionByBlockNumberAndIndex", "eth_getTransactionByHash", "eth_getTransactionCount",
            "eth_getTransactionReceipt", "eth_getUncleCountByBlockHash", "eth_getUncleCountByBlockNumber", "eth_newFilter",
            "eth_sendRawTransaction", "eth_uninstallFilter"]  # fmt: skip
OTHERS = {"personal_sign", "eth_signTypedData_v4", "eth_sendTransaction", "wallet_grantPermissions", "solana_signMessage", "solana_signTransaction", "solana_signAllTransactions", "solana_signAndSendTransaction",
          "wallet_sendCalls", "wallet_getCallsStatus", "wallet_getCapabilities", "wallet_revokePermissions", "wallet_getAssets",
          "eth_getUserOperationReceipt", "eth_estimateUserOperationGas", "eth_getUserOperationByHash", "eth_sendUserOperation",
          "wallet_switchEthereumChain", "wallet_addEthereumChain", "wallet_requestPermissions", "wallet_showCallsStatus",
          "wallet_requestExecutionPermissions", "wallet_revokeExecutionPermission",
          "solana_requestAccounts", "getAccountAddresses", "sendTransfer", "signMessage", "signPsbt", "polkadot_signMessage"}  # fmt: skip
SPECS = {spec.name: spec for methods in TABLES.values() for spec in methods.values()}
METHODS = sorted(SPECS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["to", "data", "calls", "chainId", "message", "pubkey", "x"]), inner, max_size=4
        )
    ),
    max_leaves=10,
)


def check_params(method: str, params: object = None) -> Params:
    return SPECS[method].check(params)


def refusal(method: str, params: object) -> tuple[str, str]:
    with pytest.raises(PayloadError) as raised:
        check_params(method, params)
    return raised.value.short_message, raised.value.details


def test_these_tests_know_every_method() -> None:
    listed = {*WITHOUT, *ANY_LIST, *OTHERS}
    assert listed == set(METHODS), "list it by its parameters: WITHOUT, ANY_LIST, or OTHERS with tests of its own"


@every_case("method", WITHOUT)
@every_case("params", [None, [], {}, ["ignored"]])
def test_a_method_without_parameters_gets_none(method: str, params: object) -> None:
    assert check_params(method, params) == []


@every_case("method", WITHOUT)
@every_case("params", [5, "x", True, {"a": 1}])
def test_what_can_be_no_parameters_is_refused_there_too(method: str, params: object) -> None:
    assert refusal(method, params)[0].startswith("Expected array received ")


@every_case("method", ANY_LIST)
def test_a_list_is_taken_as_it_is(method: str) -> None:
    params = [ADDRESS, {"x": [None]}, 5]
    assert check_params(method, params) == params


@every_case("method", ANY_LIST)
def test_a_list_must_be_there(method: str) -> None:
    assert refusal(method, None) == ("Required", "params")


@every_case("method", ANY_LIST)
def test_another_type_than_a_list_is_refused(method: str) -> None:
    assert refusal(method, {"0": ADDRESS}) == ("Expected array received object", "params")


USER_OPERATION = {"sender": ADDRESS, "nonce": "0x0", "callData": "0x"}


@every_case(
    ("method", "params"),
    [
        ("eth_getUserOperationReceipt", [HASH]),
        ("eth_getUserOperationByHash", [HASH]),
        ("eth_estimateUserOperationGas", [USER_OPERATION, ADDRESS]),
        ("eth_estimateUserOperationGas", [USER_OPERATION, ADDRESS, {ADDRESS: {"balance": "0x1"}}]),
        ("eth_sendUserOperation", [USER_OPERATION, ADDRESS]),
        ("eth_supportedEntryPoints", []),
        ("solana_signMessage", {"message": "37u9WtQpcm6ULa3Vmu7ySnANv", "pubkey": "AqP3MyNwDP4L1GJKYhzmaAUdrjzpqJUZjahM7kHpgavm"}),
        ("solana_signTransaction", {"transaction": "3Bxs"}),
        ("solana_signAllTransactions", {"transactions": ["3Bxs", "4Cyt"]}),
        ("solana_signAllTransactions", {"transactions": []}),
        ("solana_signAndSendTransaction", {"transaction": "3Bxs"}),
        ("solana_signAndSendTransaction", {"transaction": "3Bxs", "options": {"skipPreflight": True, "preflightCommitment": "confirmed",
                                                                             "maxRetries": 3, "minContextSlot": 5}}),
        ("wallet_sendCalls", [{"calls": []}]),
        ("wallet_sendCalls", [{"calls": [{"to": ADDRESS}]}]),
        ("wallet_sendCalls", [{"chainId": "0x1", "from": ADDRESS, "version": "2.0.0", "id": "a", "atomicRequired": True,
                               "capabilities": {"paymasterService": {"url": "https://p.example"}},
                               "calls": [{"to": ADDRESS, "data": "0xabcd", "value": "0x1", "capabilities": {}}]}]),
        ("wallet_sendCalls", [{"chainId": 1, "calls": [{"to": ADDRESS}]}]),
        ("wallet_getCallsStatus", ["0x1"]),
        ("wallet_getCapabilities", [ADDRESS, ["0x1"]]),
        ("wallet_grantPermissions", [{"chainId": "0x1", "permissions": []}]),
        ("wallet_revokePermissions", [{"pci": "p", "expiry": 5}]),
        ("wallet_revokePermissions", {"pci": "p"}),
        ("wallet_revokePermissions", [{"eth_accounts": {}}]),
        ("wallet_getAssets", [{"account": ADDRESS, "chainFilter": ["0x1"]}]),
        ("wallet_switchEthereumChain", [{"chainId": "0x89"}]),
        ("wallet_addEthereumChain", [{"chainId": "0x89", "chainName": "Polygon", "iconUrls": None}]),
        ("wallet_requestPermissions", [{"eth_accounts": {}}]),
    ],
)  # fmt: skip
def test_parameters_that_fit_are_given_back_whole(method: str, params: object) -> None:
    assert check_params(method, params) == params


def test_capabilities_may_be_asked_for_without_an_account() -> None:
    assert check_params("wallet_getCapabilities") == []


@every_case(
    ("method", "params", "message", "where"),
    [
        ("eth_getUserOperationReceipt", None, "Required", "params"),
        ("eth_getUserOperationReceipt", [], "Required", "params[0]"),
        ("eth_getUserOperationByHash", [5], "Expected string received number", "params[0]"),
        ("eth_getUserOperationByHash", ["ab"], 'Invalid input: must start with "0x"', "params[0]"),
        ("eth_getUserOperationByHash", ["0xab"], "Invalid", "params[0]"),
        ("eth_sendUserOperation", [USER_OPERATION], "Required", "params[1]"),
        ("eth_sendUserOperation", ["0x", ADDRESS], "Expected object received string", "params[0]"),
        ("eth_estimateUserOperationGas", [USER_OPERATION, "0x12"], "Invalid", "params[1]"),
        ("solana_signMessage", None, "Required", "params"),
        ("solana_signMessage", [], "Expected object received array", "params"),
        ("solana_signMessage", {"message": "3Bxs"}, "Required", "params.pubkey"),
        ("solana_signMessage", {"message": 5, "pubkey": "a"}, "Expected string received number", "params.message"),
        ("solana_signTransaction", {}, "Required", "params.transaction"),
        ("solana_signAllTransactions", {"transactions": "a"}, "Expected array received string", "params.transactions"),
        ("solana_signAllTransactions", {"transactions": [None]}, "Expected string received null", "params.transactions[0]"),
        ("solana_signAndSendTransaction", {"transaction": "a", "options": []}, "Expected object received array", "params.options"),
        ("solana_signAndSendTransaction", {"transaction": "a", "options": {"skipPreflight": "yes"}},
         "Expected boolean received string", "params.options.skipPreflight"),
        ("solana_signAndSendTransaction", {"transaction": "a", "options": {"maxRetries": "3"}},
         "Expected number received string", "params.options.maxRetries"),
        ("solana_signAndSendTransaction", {"transaction": "a", "options": {"preflightCommitment": "soon"}},
         ("Invalid enum value. Expected 'processed' | 'confirmed' | 'finalized' | 'recent' | 'single' | 'singleGossip' | 'root' | "
         "'max', received 'soon'"), "params.options.preflightCommitment"),
        ("wallet_sendCalls", None, "Required", "params"),
        ("wallet_sendCalls", [], "Required", "params[0]"),
        ("wallet_sendCalls", {"calls": []}, "Expected array received object", "params"),
        ("wallet_sendCalls", ["x"], "Expected object received string", "params[0]"),
        ("wallet_sendCalls", [{}], "Required", "params[0].calls"),
        ("wallet_sendCalls", [{"calls": {}}], "Expected array received object", "params[0].calls"),
        ("wallet_sendCalls", [{"calls": [{}]}], "Required", "params[0].calls[0].to"),
        ("wallet_sendCalls", [{"calls": [{"to": None}]}], "Expected string received null", "params[0].calls[0].to"),
        ("wallet_sendCalls", [{"calls": [{"to": "12"}]}], 'Invalid input: must start with "0x"', "params[0].calls[0].to"),
        ("wallet_sendCalls", [{"calls": [{"to": " 0x12"}]}], 'Invalid input: must start with "0x"', "params[0].calls[0].to"),
        ("wallet_sendCalls", [{"calls": [{"to": ADDRESS, "data": "ab"}]}], 'Invalid input: must start with "0x"',
         "params[0].calls[0].data"),
        ("wallet_sendCalls", [{"calls": [{"to": ADDRESS, "data": 5}]}], "Expected string received number", "params[0].calls[0].data"),
        ("wallet_sendCalls", [{"calls": [{"to": ADDRESS, "value": 5}]}], "Expected string received number",
         "params[0].calls[0].value"),
        ("wallet_sendCalls", [{"calls": [], "chainId": True}], "Invalid input", "params[0].chainId"),
        ("wallet_sendCalls", [{"calls": [], "from": 5}], "Expected string received number", "params[0].from"),
        ("wallet_sendCalls", [{"calls": [], "version": 1}], "Expected string received number", "params[0].version"),
        ("wallet_sendCalls", [{"calls": [], "atomicRequired": "true"}], "Expected boolean received string",
         "params[0].atomicRequired"),
        ("wallet_getCallsStatus", None, "Required", "params"),
        ("wallet_getCallsStatus", [5], "Expected string received number", "params[0]"),
        ("wallet_getCapabilities", "x", "Expected array received string", "params"),
        ("wallet_getCapabilities", [5], "Expected string received number", "params[0]"),
        ("wallet_getCallsStatus", [], "Required", "params[0]"),
        ("wallet_getAssets", 5, "Expected array received number", "params"),
        ("wallet_getAssets", [], "Required", "params[0]"),
        ("wallet_getAssets", [{}], "Required", "params[0].account"),
        ("wallet_grantPermissions", [], "Required", "params[0]"),
        ("wallet_revokePermissions", None, "Required", "params"),
        ("wallet_revokePermissions", [], "Invalid input", "params"),
        ("wallet_revokePermissions", {}, "Required", "params"),
        ("wallet_revokePermissions", "x", "Invalid input", "params"),
        ("wallet_switchEthereumChain", None, "Required", "params"),
        ("wallet_switchEthereumChain", [], "Required", "params[0]"),
        ("wallet_switchEthereumChain", [{}], "Required", "params[0].chainId"),
        ("wallet_switchEthereumChain", [{"chainId": 137}], "Expected string received number", "params[0].chainId"),
        ("wallet_switchEthereumChain", [{"chainId": "137"}], 'Invalid input: must start with "0x"', "params[0].chainId"),
        ("wallet_switchEthereumChain", [{"chainId": "0xxyz"}], "Invalid", "params[0].chainId"),
        ("wallet_addEthereumChain", [{"chainId": "0x" + "f" * 50_000}], "Invalid", "params[0].chainId"),
        ("wallet_requestPermissions", [], "Required", "params[0]"),
        ("wallet_requestPermissions", ["eth_accounts"], "Expected object received string", "params[0]"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_with_its_place(method: str, params: object, message: str, where: str) -> None:
    assert refusal(method, params) == (message, where)


SEND_CALLS = {"calls": [{"to": ADDRESS}]}


@pytest.mark.parametrize(
    ("method", "read"),
    [
        ("eth_sendTransaction", [{}]),
        ("eth_sendUserOperation", [{}, ADDRESS]),
        ("eth_signTypedData_v4", [ADDRESS, {}]),
        ("personal_sign", ["0x", ADDRESS, ""]),
        ("wallet_addEthereumChain", [{"chainId": "0x1"}]),
        ("wallet_getAssets", [{"account": ADDRESS}]),
        ("wallet_getCallsStatus", ["0x"]),
        ("wallet_getCapabilities", [ADDRESS, []]),
        ("wallet_requestPermissions", [{"eth_accounts": {}}]),
        ("wallet_sendCalls", [SEND_CALLS]),
        ("wallet_showCallsStatus", ["0x"]),
        ("wallet_switchEthereumChain", [{"chainId": "0x1"}]),
    ],
)
def test_an_entry_that_nobody_reads_is_refused(method: str, read: list[Any]) -> None:
    """The wallet would get it unseen."""
    assert check_params(method, read) == read
    assert refusal(method, [*read, read[0]]) == ("Invalid", f"params[{len(read)}]")


@given(st.sampled_from(METHODS), JSON)
def test_any_parameters_are_given_back_or_refused_with_a_payload_error(method: str, params: Any) -> None:
    with contextlib.suppress(PayloadError):
        checked = check_params(method, params)
        assert checked in (params, [])
        assert check_params(method, checked) == checked
