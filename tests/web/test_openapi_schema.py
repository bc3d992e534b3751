"""Every route that `/openapi.json` describes, held against the served routes with all of schemathesis's checks."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
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
from tests.ports import sandbox_settings
from tests.services import node as nodes
from tests.services.outside import CALLER, Outside, way
from tests.services.pictures import PNG
from tests.web import served
from walletmodal.config import Settings
from walletmodal.core.requests.methods import METHODS
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.services.images import Image, Images, RemoteImages
from walletmodal.services.rate_limit import Rate
from walletmodal.web import pictures
from walletmodal.web.openapi import document

pytestmark = pytest.mark.asyncio(loop_scope="module")

EXAMPLES: Final = 20
"""Per operation and mode: so many that are valid by the document, and as many that are not. They are the same in every run; drawing
them takes longer than answering them."""

NETWORK: Final = "eip155:1"
"""The one that the served deployment offers."""

LEFT_OUT: Final[dict[str, dict[str, str]]] = {
    "GET /images/{kind}/{id}": {
        "positive_data_acceptance": "each kind has ids of its own form, and a reference is one that the deployment signed",
    },
}
"""Operation → check → why it is not held against it."""

BUNDLER_PARAMS: Final[dict[str, list[object]]] = {
    "eth_estimateUserOperationGas": [{}, "0x" + "00" * 20],
    "eth_getUserOperationByHash": ["0x" + "00" * 32],
    "eth_getUserOperationReceipt": ["0x" + "00" * 32],
}

Operation = APIOperation[Any, Any, Any, Any]


def _operations() -> Iterator[Operation]:
    for found in from_dict(document([NETWORK])).get_all_operations():
        if not isinstance(found, Ok):
            raise TypeError(f"not understood: {found.err()}")
        yield found.ok()


OPERATIONS: Final = {one.label: one for one in _operations()}


class _EveryPicture(dict[str, nodes.Behaviour]):
    def get(self, _path: str, _default: object = None, /) -> Any:
        return nodes.send(nodes.http(PNG, headers="Content-Type: image/png\r\n"))


class _Pictures(Images):
    """Those of NFTs lie on other servers too."""

    async def from_nft(self, reference: str) -> Image:
        """The picture of an NFT."""
        return await self.from_reference(reference)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The URL of the routes, served as they are in production, with a directory that has every picture."""
    port = sandbox_settings().walletmodal_port
    async with (
        httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as client,
        Outside(_EveryPicture()).running() as outside,
    ):
        images = _Pictures(way(client, outside), CALLER, RemoteImages())
        plenty = Rate(per_second=1e6, burst=1_000_000)
        app = pictures(
            served.app(served.build(tmp_path_factory.mktemp("built")), rate=plenty),
            Settings(_env_file=None),
            source=lambda: images,
        )
        http = HttpServer(app, listen(port, "WALLETMODAL_PORT"))
        await http.start()
        yield f"http://localhost:{port}"
        await http.stop()
        await images.close()


async def test_what_is_left_out_is_there() -> None:
    assert LEFT_OUT.keys() <= OPERATIONS.keys()
    assert {name for checks in LEFT_OUT.values() for name in checks} <= set(CHECKS.get_all_names())


async def test_the_calls_that_are_described_are_those_that_nodes_are_asked(tmp_path: Path) -> None:
    described = {
        method: kind["properties"]["params"]
        for kind in document()["components"]["schemas"]["RpcCall"]["anyOf"]
        for method in kind["properties"]["method"]["enum"]
    }
    node = served.Node()
    plenty = Rate(per_second=1e6, burst=1_000_000)
    async with served.client(served.app(tmp_path, node=node, rate=plenty)) as client:
        for method in (method for methods in METHODS.values() for method in methods):
            # The parameters of the other methods are lists of anything.
            params = BUNDLER_PARAMS.get(method, [])
            call = {"chain": NETWORK, "method": method, "params": params}
            await client.post("/v1/rpc", json=call, headers={"Origin": served.ORIGIN})
    assert {method for _, method, _ in node.asked} == described.keys()


@pytest.mark.parametrize("label", OPERATIONS)
async def test_a_route_keeps_to_the_document(server: str, label: str) -> None:
    for mode in GenerationMode if _takes_input(OPERATIONS[label]) else (GenerationMode.POSITIVE,):
        await asyncio.to_thread(_hold, label, mode, server)


def _takes_input(operation: Operation) -> bool:
    described = operation.definition.raw
    return bool(described.get("parameters") or described.get("requestBody"))


def _can_come_from_a_browser(case: Case[Any]) -> bool:
    """Whether its integers are those of RFC 8259, section 6; a schema that says so would refuse the same number with an exponent."""
    waiting = [case.body]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        elif isinstance(value, int) and abs(value) >= 2**53:
            return False
    return True


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
        @given(case=OPERATIONS[label].as_strategy(generation_mode=mode).filter(_can_come_from_a_browser))
        def held(case: Case[Any]) -> None:
            # What a browser would set.
            case.headers["Origin"] = url
            case.call_and_validate(base_url=url, session=session, excluded_checks=left_out)

        held()
