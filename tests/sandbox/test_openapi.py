"""The OpenAPI document, and every operation of it held against the running sandbox with all of schemathesis's checks."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import httpx
import pytest
import pytest_asyncio
import requests
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok
from schemathesis.openapi import from_dict

from tests.patience import PATIENCE
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.app import OPENAPI_PARTS
from walletmodal.sandbox.openapi import document

pytestmark = pytest.mark.asyncio(loop_scope="session")

EXAMPLES: Final = 10
"""Per operation and mode: so many that are valid by the document, and as many that are not. They are the same in every run; drawing
them takes longer than answering them."""

TOKENS: Final = {"positive_data_acceptance": "the tokens must be on the chain, have a pool and differ"}
PERMISSION: Final = {"positive_data_acceptance": "only a permission that was granted before is found"}
IN_A_BATCH: Final = {
    "negative_data_rejection": "JSON-RPC refuses inside an answer of status 200, and a batch one by one"
}

LEFT_OUT: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(("POST /bundler/{chain}", "POST /paymaster/{chain}", "POST /blockchain/v1/bundler"), IN_A_BATCH),
    "POST /rpc/v1/": {
        "positive_data_acceptance": "the sandbox runs six chains; any other well-formed chain id is refused",
        **IN_A_BATCH,
    },
    "GET /verify/v3/attestation": {"positive_data_acceptance": "the origin must be one that a page can have"},
    "GET /verify/attestation/{id}": {"positive_data_acceptance": "only what was attested before is found"},
    "POST /sandbox/faucet": {"positive_data_acceptance": "the token must be on the chain, and the balance fit"},
    "POST /sandbox/faults": {
        "positive_data_acceptance": "a fault that does nothing, or drops and answers, is well-formed and refused",
    },
    "GET /blockchain/v1/account/{account}/history": {
        "positive_data_acceptance": "a cursor is one that a page before gave",
    },
    "GET /blockchain/v1/convert/quotes": TOKENS,
    "GET /blockchain/v1/convert/allowance": TOKENS,
    "GET /blockchain/v1/convert/build-approve": TOKENS,
    "POST /blockchain/v1/convert/build-transaction": TOKENS,
    "POST /blockchain/v1/fungible/price": {"positive_data_acceptance": "the first token must be on the chain"},
    "POST /blockchain/v1/profile/account": {
        "positive_data_acceptance": "the message must be fresh JSON, and signed by the address"
    },
    "POST /blockchain/v1/onramp/quote": {
        "positive_data_acceptance": "the currencies are those of the options, and the amount covers the fees of the moment",
    },
    "POST /blockchain/v1/sessions/{address}": {"positive_data_acceptance": "a permission must end in the future"},
    "POST /blockchain/v1/sessions/{address}/activate": PERMISSION,
    "GET /blockchain/v1/sessions/{address}/getcontext": PERMISSION,
    "POST /blockchain/v1/sessions/{address}/revoke": PERMISSION,
}
"""Operation → check → why it is not held against it."""

Operation = APIOperation[Any, Any, Any, Any]


def _operations(described: dict[str, Any]) -> Iterator[Operation]:
    for found in from_dict(described).get_all_operations():
        if not isinstance(found, Ok):
            raise TypeError(f"not understood: {found.err()}")
        yield found.ok()


DOCUMENT: Final = document(OPENAPI_PARTS, "http://sandbox.example")
OPERATIONS: Final = {one.label: one for one in _operations(DOCUMENT)}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def begun(sandbox: Sandbox) -> AsyncIterator[str]:
    """The URL of a sandbox at its beginning; it is taken back afterwards."""
    async with httpx.AsyncClient(base_url=sandbox.url, trust_env=False, timeout=PATIENCE) as client:
        (await client.post("/sandbox/reset")).raise_for_status()
        yield sandbox.url
        (await client.post("/sandbox/reset")).raise_for_status()


async def test_the_sandbox_tells_what_it_serves(http: httpx.AsyncClient) -> None:
    answer = await http.get("/openapi.json", headers={"origin": "https://host.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    described = answer.json()
    assert described["openapi"].startswith("3.1")
    assert described["servers"] == [{"url": str(http.base_url).rstrip("/")}]
    assert described["paths"].keys() == DOCUMENT["paths"].keys()


@pytest.mark.parametrize("path", ["/nowhere", "/blockchain/v1/identity/%0A", "/directory/getWallets/more", "/pay/none"])
async def test_a_path_that_nothing_serves_is_refused_like_everything_else(http: httpx.AsyncClient, path: str) -> None:
    answer = await http.get(path)
    assert answer.status_code == 404
    assert answer.json()["status"] == "FAILED"


async def test_every_path_of_the_public_services_is_described() -> None:
    promised = """
    /directory/getWallets /directory/getWalletImage/{} /directory/public/getAssetImage/{}
    /directory/public/getCurrencyImage/{} /directory/public/getTokenImage/{} /directory/getAnalyticsConfig
    /analytics/e /rpc/v1/
    /blockchain/v1/supported-chains /blockchain/v1/identity/{} /blockchain/v1/account/{}/history
    /blockchain/v1/account/{}/balance /blockchain/v1/convert/tokens /blockchain/v1/convert/quotes
    /blockchain/v1/convert/allowance /blockchain/v1/convert/gas-price /blockchain/v1/convert/build-transaction
    /blockchain/v1/convert/build-approve /blockchain/v1/fungible/price /blockchain/v1/profile/account/{}
    /blockchain/v1/profile/reverse/{} /blockchain/v1/profile/suggestions/{} /blockchain/v1/profile/account
    /blockchain/v1/generators/onrampurl /blockchain/v1/onramp/options /blockchain/v1/onramp/quote
    /blockchain/v1/sessions/{} /blockchain/v1/sessions/{}/revoke /blockchain/v1/bundler /bundler/{} /paymaster/{}
    /sandbox/faults /sandbox/requests /sandbox/faucet /sandbox/reset
    """
    described = {re.sub(r"\{\w+\}", "{}", path) for path in DOCUMENT["paths"]}
    assert set(promised.split()) - described == set()


async def test_every_reference_leads_somewhere() -> None:
    waiting: list[object] = [DOCUMENT]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += node.values()
            if isinstance(reference := node.get("$ref"), str):
                found: Any = DOCUMENT
                for part in reference.removeprefix("#/").split("/"):
                    found = found[part]
        elif isinstance(node, list):
            waiting += node


async def test_what_is_left_out_is_there() -> None:
    assert LEFT_OUT.keys() <= OPERATIONS.keys()
    assert {name for checks in LEFT_OUT.values() for name in checks} <= set(CHECKS.get_all_names())


@pytest.mark.parametrize("label", OPERATIONS)
async def test_an_operation_keeps_to_the_document(begun: str, label: str) -> None:
    try:
        for mode in GenerationMode if _takes_input(OPERATIONS[label]) else (GenerationMode.POSITIVE,):
            await asyncio.to_thread(_hold, label, mode, begun)
    finally:
        async with httpx.AsyncClient(base_url=begun, trust_env=False, timeout=PATIENCE) as client:
            await client.delete("/sandbox/faults")


def _takes_input(operation: Operation) -> bool:
    described = operation.definition.raw
    return bool(described.get("parameters") or described.get("requestBody"))


def _hold(label: str, mode: GenerationMode, url: str) -> None:
    left_out: list[Any] = CHECKS.get_by_names(list(LEFT_OUT.get(label, {})))
    with requests.Session() as session:
        session.trust_env = False

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
        def held(case: Case[Any]) -> None:
            case.call_and_validate(base_url=url, session=session, excluded_checks=left_out)

        held()
