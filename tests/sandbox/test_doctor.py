"""The operator's doctor at services that work, and at each fault of theirs."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from walletmodal.commands.run import NETWORKS
from walletmodal.config import Settings
from walletmodal.operator.look_at_nodes import nodes
from walletmodal.operator.look_at_services import services
from walletmodal.sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")


def settings(sandbox: Sandbox, **chosen: Any) -> Settings:
    """Those of a modal that uses the sandbox."""
    return Settings(
        _env_file=None,
        networks=NETWORKS,
        allowed_origins=(sandbox.url,),
        directory_url=f"{sandbox.url}/directory",
        blockchain_url=f"{sandbox.url}/blockchain",
        analytics_url=f"{sandbox.url}/analytics",
        verify_url=f"{sandbox.url}/verify",
        relay_url=f"{sandbox.url.replace('http', 'ws', 1)}/relay",
        rpc_url=f"{sandbox.url}/rpc",
        **chosen,
    )


async def test_all_is_well_at_the_sandbox(unchanging_http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    chosen = settings(sandbox)
    found = [*await services(chosen), *await nodes(chosen)]
    assert {one.state for one in found} == {"ok"}, found
    assert len(found) == 5 + len(NETWORKS)


async def test_services_on_this_machine_are_not_asked_over_a_proxy(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "ws_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert {one.state for one in await services(settings(sandbox))} == {"ok"}


@pytest.mark.parametrize(
    ("part", "fault", "reason"),
    [
        ("DIRECTORY_URL", {"service": "directory", "status": 403}, "PROJECT_ID"),
        ("DIRECTORY_URL", {"service": "directory", "body": "<html>"}, "something else"),
        ("BLOCKCHAIN_URL", {"service": "blockchain", "status": 502}, "502"),
        ("BLOCKCHAIN_URL", {"service": "blockchain", "path": "/v1/account", "status": 503}, "503"),
        ("BLOCKCHAIN_URL", {"service": "blockchain", "path": "/v1/account", "body": {"balances": 1}}, "something else"),
        ("VERIFY_URL", {"service": "verify", "drop": True}, "does not answer"),
        ("RELAY_URL", {"service": "relay", "path": "/connect", "status": 401, "body": "invalid key"}, "invalid key"),
        ("RELAY_URL", {"service": "relay", "path": "/connect", "status": 503}, "503"),
        ("RELAY_URL", {"service": "relay", "path": "/irn_subscribe", "status": 500}, "subscription"),
        ("RELAY_URL", {"service": "relay", "path": "/irn_subscribe", "drop": True}, "refuses"),
        ("ANALYTICS_URL", {"service": "analytics", "status": 500}, "500"),
    ],
)
async def test_a_fault_of_a_service_is_told(
    http: httpx.AsyncClient, sandbox: Sandbox, part: str, fault: dict[str, Any], reason: str
) -> None:
    (await http.post("/sandbox/faults", json=fault)).raise_for_status()
    found = await services(settings(sandbox))
    (told,) = [one for one in found if one.state != "ok"]
    assert (told.part, told.state, reason in told.text) == (part, "failed", True), told


async def test_networks_that_no_service_knows_are_warned_of(
    unchanging_http: httpx.AsyncClient, sandbox: Sandbox
) -> None:
    chosen = settings(sandbox).model_copy(update={"networks": ("eip155:424242",)})
    states = {one.part: one.state for one in await services(chosen)}
    assert states["BLOCKCHAIN_URL"] == "warning"


async def test_nodes_that_answer_wrongly_are_told(http: httpx.AsyncClient, sandbox: Sandbox) -> None:
    chosen = settings(sandbox).model_copy(update={"rpc_urls": {"eip155:1": (sandbox.rpc_url("eip155:137"),)}})
    (wrong,) = [one for one in await nodes(chosen) if one.state == "failed"]
    assert "another network" in wrong.text
