"""Faults: each kind, and what they match."""

import asyncio
import time

import httpx
import pytest
from eth_account import Account

from tests.patience import patience

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHAIN_ID = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}
ETHEREUM = "/rpc/v1/?chainId=eip155:1&projectId=test"


STRANGER = "0x7777777777777777777777777777777777777777"


def _signed_transfer() -> str:
    """One base unit of the last development account's for an address that has nothing."""
    key = "0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6"
    fees = {"gas": 21_000, "maxFeePerGas": 10**11, "maxPriorityFeePerGas": 10**9}
    transfer = {"to": STRANGER, "value": 1, "nonce": 0, "chainId": 1, "type": 2, **fees}
    return "0x" + bytes(Account.sign_transaction(transfer, key).raw_transaction).hex()


async def _switch_on(http: httpx.AsyncClient, **fault: object) -> None:
    (await http.post("/sandbox/faults", json={"service": "rpc", **fault})).raise_for_status()


async def test_status(http: httpx.AsyncClient) -> None:
    await _switch_on(http, status=503)
    answer = await http.post(ETHEREUM, json=CHAIN_ID)
    assert answer.status_code == 503
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_body_text_goes_out_as_it_is(http: httpx.AsyncClient) -> None:
    await _switch_on(http, body='{"jsonrpc"')
    answer = await http.post(ETHEREUM, json=CHAIN_ID)
    assert (answer.status_code, answer.text) == (200, '{"jsonrpc"')


async def test_a_body_value_goes_out_as_json(http: httpx.AsyncClient) -> None:
    await _switch_on(http, status=429, body={"result": None})
    answer = await http.post(ETHEREUM, json=CHAIN_ID)
    assert (answer.status_code, answer.json()) == (429, {"result": None})


async def test_a_delay_alone_only_delays(http: httpx.AsyncClient) -> None:
    await _switch_on(http, delay_ms=150)
    began = time.monotonic()
    answer = await http.post(ETHEREUM, json=CHAIN_ID)
    assert time.monotonic() - began >= 0.15
    assert answer.json()["result"] == "0x1"


async def test_drop_closes_the_connection_without_an_answer(http: httpx.AsyncClient) -> None:
    await _switch_on(http, drop=True)
    with pytest.raises(httpx.TransportError):
        await http.post(ETHEREUM, json=CHAIN_ID)


async def test_dropped_afterwards_the_deed_is_done_and_only_its_answer_is_lost(http: httpx.AsyncClient) -> None:
    event = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": [_signed_transfer()]}
    await _switch_on(http, drop=True, after=True, times=1)
    with pytest.raises(httpx.TransportError):
        await http.post(ETHEREUM, json=event)
    asked = {"jsonrpc": "2.0", "id": 2, "method": "eth_getBalance", "params": [STRANGER, "latest"]}
    # The block comes after the node's answer.
    async with patience():
        while (await http.post(ETHEREUM, json=asked)).json()["result"] != "0x1":
            await asyncio.sleep(0.01)


async def test_times_counts_down_and_faults_follow_each_other(http: httpx.AsyncClient) -> None:
    await _switch_on(http, status=500, times=2)
    await _switch_on(http, status=502, times=1)
    seen = [(await http.post(ETHEREUM, json=CHAIN_ID)).status_code for _ in range(4)]
    assert seen == [500, 500, 502, 200]


@pytest.mark.parametrize(
    ("prefix", "status"),
    [("/v1", 500), ("/rpc/v1", 500), ("/v2", 200), ("/", 500), ("", 500), ("v1", 500), ("rpc/v1", 500), ("1", 200)],
)
async def test_path_is_a_prefix(http: httpx.AsyncClient, prefix: str, status: int) -> None:
    await _switch_on(http, path=prefix, status=500)
    assert (await http.post(ETHEREUM, json=CHAIN_ID)).status_code == status


async def test_other_services_are_spared(http: httpx.AsyncClient) -> None:
    for service in ("directory", "blockchain", "analytics", "relay", "secure"):
        await _switch_on(http, service=service, status=500)
    assert (await http.post(ETHEREUM, json=CHAIN_ID)).status_code == 200


async def test_delete_switches_all_off(http: httpx.AsyncClient) -> None:
    await _switch_on(http, status=500)
    assert (await http.delete("/sandbox/faults")).json() == {"removed": 1}
    assert (await http.post(ETHEREUM, json=CHAIN_ID)).status_code == 200


@pytest.mark.parametrize(
    "fault",
    [
        {},
        {"service": "rpc"},
        {"service": "nope", "status": 500},
        {"service": "rpc", "status": 99},
        {"service": "rpc", "status": "500"},
        {"service": "rpc", "delay_ms": -1},
        {"service": "rpc", "drop": True, "status": 500},
        {"service": "rpc", "status": 500, "after": True},
        {"service": "rpc", "repeat": True},
        {"service": "relay", "repeat": True},
        {"service": "rpc", "status": 500, "times": 0},
        {"service": "rpc", "status": 500, "path": 7},
        {"service": "rpc", "status": 500, "path": "/" + "x" * 500},
        {"service": "rpc", "status": 500, "extra": 1},
        [],
        None,
    ],
)
async def test_a_wrong_fault_is_refused(http: httpx.AsyncClient, fault: object) -> None:
    answer = await http.post("/sandbox/faults", json=fault)
    assert answer.status_code == 400
    assert answer.json()["reasons"][0]["description"]
