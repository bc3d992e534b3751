"""What others hear of signing in: the host its events, the visitor what is under way, the operator why it failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from prometheus_client import REGISTRY

from tests.driver import Driver
from tests.features import test_pairing_signing as pairing
from tests.features.pairing_stage import told
from tests.features.test_pairing_signing import relay as relay
from tests.features.test_sign_in import OPTIONAL, OTHERS_KEY, arrive, question, sign
from tests.services.sign_in_terms import EVE
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.deployment import Deployment
from walletmodal.features.signin.state import SignInState
from walletmodal.features.toasts.state import ToastState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)

ONCE_ON_MAINNET = [{"network": "eip155:1", "isSmartAccount": False}]


async def signed(driver: Driver, *key: str) -> None:
    """A connected wallet has signed."""
    await arrive(driver)
    await sign(driver, *key)


async def paired(driver: Driver, **changes: Any) -> None:
    """A wallet has signed while it paired."""
    command = await pairing.wanted(driver)
    await pairing.identify(driver)
    await pairing.approve(driver, command, [pairing.signed(command, **changes)])


async def test_the_host_hears_that_the_visitor_wants_to_sign(driver: Driver) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    assert await told(driver, "CLICK_SIGN_SIWX_MESSAGE") == ONCE_ON_MAINNET


async def test_the_host_hears_that_the_visitor_cancels(driver: Driver) -> None:
    await arrive(driver, OPTIONAL)
    await driver.fire(SignInState.cancel)
    assert await told(driver, "CLICK_CANCEL_SIWX") == ONCE_ON_MAINNET


async def test_the_host_hears_of_a_sign_in(driver: Driver) -> None:
    await signed(driver)
    assert (await told(driver, "SIWX_AUTH_SUCCESS"), await told(driver, "SIWX_AUTH_ERROR")) == (ONCE_ON_MAINNET, [])


async def test_the_host_hears_of_a_sign_in_with_the_pairing(driver: Driver) -> None:
    await paired(driver)
    assert (await told(driver, "SIWX_AUTH_SUCCESS"), await told(driver, "SIWX_AUTH_ERROR")) == (ONCE_ON_MAINNET, [])


async def declined(driver: Driver) -> None:
    await arrive(driver)
    await driver.fire(SignInState.sign)
    await driver.reply(await question(driver), code=4001, message="User rejected")


async def signed_by_another(driver: Driver) -> None:
    await signed(driver, OTHERS_KEY)


async def paired_with_anothers_signature(driver: Driver) -> None:
    await paired(driver, signs=EVE.sign)


@pytest.mark.parametrize("attempt", [declined, signed_by_another, paired_with_anothers_signature])
async def test_the_host_hears_of_a_sign_in_that_came_to_nothing(
    driver: Driver, attempt: Callable[[Driver], Awaitable[None]]
) -> None:
    await attempt(driver)
    assert (await told(driver, "SIWX_AUTH_ERROR"), await told(driver, "SIWX_AUTH_SUCCESS")) == (ONCE_ON_MAINNET, [])


async def test_the_host_hears_that_nobody_can_say_who_is_signed_in(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(deployed.sign_ins, "of_account", away)
    await arrive(driver)
    assert await told(driver, "SIWX_AUTH_ERROR") == ONCE_ON_MAINNET


async def test_the_visitor_reads_that_what_was_signed_while_pairing_is_being_verified(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str, bool]] = []
    prove = deployed.proofs.prove_pairing

    async def watched(*given: Any, **named: Any) -> Any:
        toast = await driver.state(ToastState)
        seen.append((toast.message, toast.variant, toast.auto_close))
        return await prove(*given, **named)

    monkeypatch.setattr(deployed.proofs, "prove_pairing", watched)
    await paired(driver)
    assert (seen, (await driver.state(ToastState)).message) == ([("Authenticating...", "loading", False)], "")


async def test_the_visitor_sees_that_a_signature_is_being_verified(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    prove = deployed.proofs.prove

    async def watched(*given: Any, **named: Any) -> Any:
        seen.append((await driver.state(SignInState)).phase)
        return await prove(*given, **named)

    monkeypatch.setattr(deployed.proofs, "prove", watched)
    await signed(driver)
    assert (seen, (await driver.state(SignInState)).phase) == (["signing"], "idle")


def counted(outcome: str) -> float:
    """What /metrics says."""
    return REGISTRY.get_sample_value("walletmodal_sign_ins_total", {"outcome": outcome}) or 0.0


@pytest.mark.parametrize("way", [signed, paired])
async def test_the_operator_sees_why_what_a_wallet_signed_does_not_count(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch, way: Callable[[Driver], Awaitable[None]]
) -> None:
    async def nobody(*_: object) -> bool:
        return False

    monkeypatch.setattr(deployed.proofs, "is_signed", nobody)
    before = counted("not_signed")
    await way(driver)
    assert counted("not_signed") == before + 1


async def test_the_operator_sees_that_a_sign_in_could_not_be_put_on_record(
    driver: Driver, deployed: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise SignInUnavailableError

    monkeypatch.setattr(deployed.sign_ins, "add", away)
    before = counted("unavailable")
    await signed(driver)
    assert counted("unavailable") == before + 1
