"""Who embeds the modal and with which options, as far as the deployment lets an embed decide."""

from __future__ import annotations

from typing import Any

import pytest
from reflex.istate.manager import StateManager
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import State

from tests.driver import METAMASK, ORIGIN, Driver, session
from tests.features.conftest import Configure
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.protocol.options_size import MAX_OPTIONS_BYTES
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.walletmodal import app, forget_session


@pytest.fixture
def strict(configure: Configure) -> None:
    """A deployment that lets an embed change its theme and nothing else."""
    configure(EMBED_MAY_CHANGE="themeMode")


@pytest.mark.parametrize(
    ("origin", "ready"),
    [
        (ORIGIN, True),
        ("http://127.0.0.1:8700", True),
        ("http://localhost:8701", False),
        ("https://localhost:8700", False),
        ("http://localhost:8700.evil.example", False),
        ("http://sub.localhost:8700", False),
        ("null", False),
        ("", False),
        ("http://localhost:8700/", False),
        ("HTTP://LOCALHOST:8700", False),
    ],
)
async def test_only_allowed_origins_embed(driver: Driver, origin: str, ready: bool) -> None:
    await driver.fire(BridgeState.on_init(driver.init(origin=origin)))
    assert (await driver.state(EmbedState))._ready is ready


@pytest.mark.parametrize("manager", ["memory", "redis"], indirect=True)
@pytest.mark.parametrize("unless_known", [True, False])
async def test_a_session_whose_page_has_said_who_its_host_is_goes_only_to_make_room(
    driver: Driver, manager: StateManager, unless_known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it may have at another worker, before a socket here that ended at once."""
    monkeypatch.setattr(app, "_state_manager", manager)
    other = Driver(manager, token="other")
    async with other.processor:
        await other.fire(BridgeState.on_init(driver.init(origin="https://evil.example")))
    await driver.fire(BridgeState.on_init(driver.init()))
    for one in (driver, other):
        async with one.changing(ShellState) as state:
            state.title = "Ada Lovelace"
    stay = [await forget_session(token, unless_known=unless_known) for token in (driver.token, other.token)]
    assert stay == [unless_known, False]
    kept = [(await one.state(ShellState)).title == "Ada Lovelace" for one in (driver, other)]
    assert kept == stay


@pytest.mark.parametrize("manager", ["redis"], indirect=True)
async def test_a_session_of_another_release_is_not_this_ones_to_forget(
    driver: Driver, manager: StateManagerRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_state_manager", manager)
    key = f"{driver.token}_{State.get_full_name()}"
    await manager.redis.set(key, b"of another shape")
    stays = await forget_session(driver.token, unless_known=True)
    assert (stays, await manager.redis.get(key)) == (True, b"of another shape")


async def test_the_hosts_own_name_is_shown(driver: Driver) -> None:
    await driver.load(options={"metadata": {"name": "Shop", "icons": ["https://example.com/i.png"]}})
    embed = await driver.state(EmbedState)
    assert (embed._host_name, embed._host_icon) == ("Shop", "https://example.com/i.png")


async def test_without_a_name_the_pages_title_is_shown(driver: Driver) -> None:
    await driver.load()
    assert (await driver.state(EmbedState))._host_name == "Demo"


@pytest.mark.parametrize("metadata", ["x", [], {"name": 5}, {"icons": ["javascript:alert(1)"]}])
async def test_a_description_that_makes_no_sense_is_left_out(driver: Driver, metadata: Any) -> None:
    await driver.load(options={"metadata": metadata})
    embed = await driver.state(EmbedState)
    assert (embed._host_name, embed._host_icon) == ("Demo", "")


async def test_a_name_changed_live_is_shown(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"metadata": {"name": "Shop"}})
    assert (await driver.state(EmbedState))._host_name == "Shop"


async def test_embedding_changed_live_takes_effect(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"enableEmbedded": True})
    assert (await driver.state(EmbedState)).embedded is True


async def test_options_that_are_not_changed_stay(driver: Driver) -> None:
    await driver.load(options={"enableNetworkSwitch": False})
    await driver.call("options", options={"debug": False})
    assert (await driver.state(EmbedState)).network_switch is False


async def test_a_new_page_starts_from_its_own_options(driver: Driver) -> None:
    await driver.load(options={"enableNetworkSwitch": False})
    await driver.reload()
    assert (await driver.state(EmbedState)).network_switch is True


@pytest.mark.usefixtures("strict")
async def test_what_the_deployment_has_fixed_stays(driver: Driver) -> None:
    await driver.load(options={"enableNetworkSwitch": False})
    assert (await driver.state(EmbedState)).network_switch is True


@pytest.mark.usefixtures("strict")
async def test_what_the_deployment_has_fixed_is_named_on_the_hosts_console(driver: Driver) -> None:
    await driver.load(options={"enableNetworkSwitch": False})
    assert "enableNetworkSwitch" in (await driver.commands("host.warn"))[0]["params"]["message"]


@pytest.mark.usefixtures("strict")
async def test_what_the_deployment_has_fixed_stays_live(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"enableWallets": False})
    assert len((await driver.state(WalletsState)).injected) == 1


async def test_wallets_hidden_live_disappear(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"enableWallets": False})
    assert (await driver.state(WalletsState)).injected == []


async def test_an_excluded_wallet_is_not_listed(driver: Driver) -> None:
    await driver.load(options={"excludeWalletIds": ["io.metamask.test"]})
    assert (await driver.state(WalletsState)).injected == []


async def test_the_hosts_picture_of_a_wallet_is_shown(driver: Driver) -> None:
    await driver.load(options={"connectorImages": {"io.metamask.test": "https://example.com/w.png"}})
    assert (await driver.state(WalletsState)).injected[0]["icon"] == "https://example.com/w.png"


@pytest.mark.parametrize(
    "icon", ["javascript:alert(1)", "data:text/html,<script>", "http://evil.example/x.png", 5, None]
)
async def test_a_wallets_hostile_picture_is_not_shown(driver: Driver, icon: Any) -> None:
    await driver.load(wallets=[{**METAMASK, "icon": icon}])
    assert (await driver.state(WalletsState)).injected[0]["icon"] == ""


@pytest.mark.parametrize("name", ["\u202eksaMateM", "Meta\x00Mask", "x" * 1000])
async def test_a_wallets_hostile_name_is_cleaned(driver: Driver, name: str) -> None:
    await driver.load(wallets=[{**METAMASK, "name": name}])
    shown = (await driver.state(WalletsState)).injected[0]["name"]
    assert (shown.isprintable(), len(shown) <= 40) == (True, True)


async def test_the_host_learns_that_state_can_be_trusted(driver: Driver) -> None:
    await driver.load()
    assert (await driver.state(ShellState)).initialized is True


async def test_closing_an_embedded_modal_is_told_once(driver: Driver) -> None:
    await driver.load(options={"enableEmbedded": True}, sessions={"eip155": session()})
    await driver.call("open")
    for number in range(2):
        await driver.call("close", call_id=f"close-{number}")
    told = [item["event"] for item in driver.told()]
    assert told == ["INITIALIZE", "MODAL_OPEN", "MODAL_CLOSE"]


def themed(driver: Driver, **theme: Any) -> dict[str, Any]:
    """The first message of a page with a theme."""
    return {**driver.init(), "theme": {"mode": None, "variables": {}, **theme}}


async def warnings(driver: Driver) -> list[str]:
    """What the host's console is to say."""
    return [c["params"]["message"] for c in await driver.commands("host.warn")]


@pytest.mark.parametrize(
    ("setting", "changes"),
    [
        ("themeMode,themeVariables,debug", ["themeMode", "themeVariables"]),
        ("themeMode", ["themeMode"]),
        ("themeVariables", ["themeVariables"]),
        ("debug", []),
    ],
)
async def test_the_frame_knows_which_theme_an_embed_may_set(
    driver: Driver, configure: Configure, setting: str, changes: list[str]
) -> None:
    configure(EMBED_MAY_CHANGE=setting)
    await driver.load()
    assert (await driver.state(EmbedState)).theme_changes == changes


async def test_without_a_setting_an_embed_may_set_its_theme(driver: Driver) -> None:
    await driver.load()
    assert (await driver.state(EmbedState)).theme_changes == ["themeMode", "themeVariables"]


@pytest.mark.usefixtures("strict")
async def test_a_theme_that_the_deployment_has_fixed_is_named_once(driver: Driver) -> None:
    await driver.fire(BridgeState.on_init(themed(driver, mode="dark", variables={"--w3m-accent": "#f00"})))
    assert await warnings(driver) == ["This deployment does not let an embed change: themeVariables"]


@pytest.mark.usefixtures("strict")
async def test_without_a_theme_there_is_nothing_to_warn_of(driver: Driver) -> None:
    await driver.load()
    assert await warnings(driver) == []


async def test_a_theme_variable_that_cannot_be_used_is_named(driver: Driver) -> None:
    variables = {"--w3m-accent": "url(//evil)", "--w3m-qr-color": "#fff"}
    await driver.fire(BridgeState.on_init(themed(driver, variables=variables)))
    assert await warnings(driver) == ["themeVariables: the value of --w3m-accent cannot be used"]


async def test_warnings_reach_a_page_that_was_loaded_anew(driver: Driver) -> None:
    await driver.load()
    await driver.reload(options={"nonsense": 1})
    assert await warnings(driver) == ["nonsense: unknown option"]


@pytest.mark.parametrize("epoch", ["page-of-another-host", ""])
async def test_what_one_host_has_asked_for_is_not_carried_out_on_another(driver: Driver, epoch: str) -> None:
    await driver.connect()
    await driver.call("disconnect")
    assert [c["method"] for c in await driver.commands()] == ["wallet.disconnect"]
    # The second host may call the life of its page what the first has called it.
    driver.epoch = epoch or driver.epoch
    await driver.arrive(driver.init(origin="http://127.0.0.1:8700", sessions={"eip155": session()}))
    assert await driver.commands("wallet.disconnect") == []
    assert (await driver.account()).disconnecting is False


async def test_what_a_host_has_asked_for_is_carried_out_on_its_next_page(driver: Driver) -> None:
    await driver.connect()
    await driver.call("disconnect")
    await driver.reload(sessions={"eip155": session()})
    assert [c["method"] for c in await driver.commands()] == ["wallet.disconnect"]


async def test_a_feature_that_is_not_there_is_named_once_for_each_page(driver: Driver) -> None:
    await driver.load(options={"features": {"email": True}})
    await driver.call("options", options={"features": {"email": True, "smartSessions": True}})
    told = await warnings(driver)
    assert [
        sum(option in sentence for sentence in told) for option in ("features.email", "features.smartSessions")
    ] == [1, 1]
    await driver.reload(options={"features": {"email": True}})
    assert sum("features.email" in sentence for sentence in await warnings(driver)) == 1


async def test_a_view_whose_service_is_not_set_is_named_once(driver: Driver) -> None:
    await driver.load()
    for number in range(3):
        await driver.call("open", call_id=str(number), view="SmartSessionList")
    assert [sentence for sentence in await warnings(driver) if "SmartSessionList" in sentence] == [
        'open({view: "SmartSessionList"}): SECURE_SITE_URL is not set on the modal\'s server.'
    ]


async def test_why_there_is_no_walletconnect_is_told_once_to_who_opens_the_modal(driver: Driver) -> None:
    await driver.load()
    assert await warnings(driver) == []
    for number in range(3):
        await driver.call("open", call_id=str(number))
    assert sum("RELAY_URL" in sentence for sentence in await warnings(driver)) == 1


def pictures(count: int) -> dict[str, str]:
    """Pictures of 60 kB each."""
    return {f"eip155:{number}": "data:image/svg+xml,".ljust(60_000, "a") for number in range(1, count + 1)}


async def test_options_of_several_messages_are_kept_up_to_the_limit_of_all(driver: Driver) -> None:
    await driver.load(options={"chainImages": pictures(4)})
    await driver.call("options", call_id="images", options={"connectorImages": pictures(4)})
    await driver.call("options", call_id="icons", options={"metadata": {"icons": list(pictures(4).values())}})
    assert text_bytes((await driver.state(EmbedState)).get_value("_options")) <= MAX_OPTIONS_BYTES


async def test_what_is_left_out_of_large_options_is_named_once(driver: Driver) -> None:
    await driver.load(options={"chainImages": pictures(2)})
    await driver.call("options", options={"debug": False})
    assert [told for told in await warnings(driver) if "64 kB" in told] == [
        "The options are larger than 64 kB together: chainImages.eip155:1 left out. Give pictures as https URLs."
    ]


@pytest.mark.parametrize(("size", "kept"), [(16_000, True), (17_000, False)])
async def test_a_page_has_a_small_icon_or_none(driver: Driver, size: int, kept: bool) -> None:
    init = driver.init()
    init["host"]["icon"] = "data:image/svg+xml,".ljust(size, "a")
    await driver.arrive(init)
    assert bool((await driver.state(EmbedState))._host_icon) is kept
