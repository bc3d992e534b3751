"""The analytics service hears of the product's events in the host page's name, and a developer of its refusal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import pytest_asyncio

from tests.driver import ADDRESS, Driver
from tests.patience import PATIENCE, patience
from tests.services.node import Behaviour
from tests.services.outside import Outside, gives, refuses
from walletmodal.config import Settings
from walletmodal.core.text.texts import AlertKey, alert
from walletmodal.deployment import Deployment, service_settings
from walletmodal.features.analytics.state import AnalyticsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients
from walletmodal.services.http import Caller

HOST = Caller("http://localhost:8700", "")


@pytest_asyncio.fixture
async def service(deployed: Deployment, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Outside]:
    """The analytics service of the visitor's deployment."""
    async with (
        Outside({"/e": gives({})}).running() as outside,
        httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as client,
    ):
        settings = service_settings(Settings(analytics_url=outside.url))
        monkeypatch.setattr(deployed, "services", ServiceClients(settings, client, MemoryCache()))
        yield outside
        await deployed.services.close()


def heard(service: Outside) -> list[str]:
    """The names of the events that came."""
    return [request.body["props"]["event"] for request in service.asked]


async def test_an_event_names_the_page_and_the_account(service: Outside, driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await service.arrived(2)
    (opened,) = (request for request in service.asked if request.body["props"]["event"] == "MODAL_OPEN")
    body = opened.body
    assert opened.headers["origin"] == "http://localhost:8700"
    assert (body["url"], body["domain"]) == ("http://localhost:8700/", "localhost")
    assert body["props"]["address"].lower() == ADDRESS.lower()


async def test_a_host_may_switch_analytics_off(service: Outside, driver: Driver, deployed: Deployment) -> None:
    await driver.load(options={"features": {"analytics": False}})
    await driver.call("open")
    await deployed.services.close()
    assert heard(service) == []


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (refuses(403), "INVALID_APP_CONFIGURATION"),
        (refuses(401, ("authentication", "unknown project")), "INVALID_PROJECT_ID"),
    ],
)
async def test_a_refusal_is_an_alert_once(
    service: Outside, driver: Driver, deployed: Deployment, answer: Behaviour, key: AlertKey
) -> None:
    service.answers["/e"] = answer
    await driver.load(options={"debug": True})
    async with patience():
        while deployed.services.analytics.refusal(HOST) is None:
            await asyncio.sleep(0.001)
    for view in ("WhatIsAWallet", "WhatIsANetwork"):
        await driver.fire(ShellState.push(view))
    assert (await driver.state(AnalyticsState))._refusal == key
    assert (await driver.state(AlertState)).message == alert(key).short
    told = [c["params"]["message"] for c in await driver.commands("host.warn") if c["params"]["level"] == "error"]
    assert told == [alert(key, origin=HOST.origin).long]


@pytest.mark.parametrize(("url", "project", "told"), [("public", "", 1), ("public", "project", 0), ("own", "", 0)])
async def test_a_public_service_needs_a_project_id(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch, url: str, project: str, told: int
) -> None:
    base = "http://localhost:1/directory" if url == "own" else url
    settings = service_settings(Settings(directory_url=base, project_id=project))
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as client:
        services = ServiceClients(settings, client, MemoryCache())
        monkeypatch.setattr(deployed, "services", services)
        await driver.load()
        await driver.tell(wallets=[])
        warned = [c for c in await driver.commands("host.warn") if c["params"]["level"] == "error"]
        await services.close()
    assert len(warned) == told
