"""The doctor on bundlers: each that cannot serve our accounts is named, without its key."""

from typing import Any

import pytest

from tests.services.node import Node, each, node
from walletmodal.config import Settings
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.operator.look_at_bundlers import bundlers

__all__ = ["node"]


def serves(chain: str, *entry_points: str) -> Any:
    """A bundler of this network with these entry points."""

    def say(call: dict[str, Any]) -> dict[str, Any]:
        return {"result": chain if call["method"] == "eth_chainId" else list(entry_points)}

    return each(say)


async def found(**given: Any) -> list[tuple[str, str, str]]:
    settings = Settings(_env_file=None, **given)
    return [(one.state, one.part, one.text) for one in await bundlers(settings)]


@pytest.mark.parametrize(
    ("chain", "entry_points", "state", "text"),
    [
        ("0x1", [ENTRY_POINT_0_8, ENTRY_POINT_0_7.lower()], "ok", "answers"),
        ("0x89", [ENTRY_POINT_0_7], "failed", "is a bundler of another network"),
        ("0x1", [ENTRY_POINT_0_8], "failed", "does not serve entry point 0.7"),
    ],
)
async def test_a_bundler_must_be_of_its_network_and_serve_our_entry_point(
    node: Node, chain: str, entry_points: list[str], state: str, text: str
) -> None:
    node.behaviour = serves(chain, *entry_points)
    ((found_state, part, told),) = await found(bundler_url={"eip155:1": f"{node.url}/my-key"})
    assert (found_state, part, told.endswith(text), "my-key" in told) == (state, "BUNDLER_URL", True, False)


async def test_a_bundler_that_is_away_is_named() -> None:
    ((state, _, text),) = await found(bundler_url={"eip155:1": "http://127.0.0.1:1/my-key"})
    assert (state, "does not answer" in text, "my-key" in text) == ("failed", True, False)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"paymaster_url": {"eip155:1": "https://pay.example"}}, "PAYMASTER_URL"),
        ({"sponsor_limits": {"eip155:1": ("0.1", "1")}}, "SPONSOR_LIMITS"),
    ],
)
async def test_a_setting_that_does_nothing_without_another_one_is_warned_of(given: dict[str, Any], part: str) -> None:
    ((state, named, text),) = await found(**given)
    assert (state, named, text.startswith("does nothing on eip155:1")) == ("warning", part, True)


async def test_without_smart_accounts_there_is_nothing_to_say() -> None:
    assert await found() == []
