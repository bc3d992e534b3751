"""Settings: read, or refused with the name of each wrong one."""

import os
import re
from base64 import b64encode
from decimal import Decimal
from pathlib import Path

import pytest

from walletmodal import config
from walletmodal.config import PUBLIC_SERVICES, SETTING_NAMES, Settings, load_settings
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.errors import SettingsError
from walletmodal.core.protocol.options import OPTION_NAMES
from walletmodal.secure import settings as secure_settings
from walletmodal.secure.recovery.settings import RecoverySettings

SECRET = f"whsec_{b64encode(b'k' * 24).decode()}"
EXAMPLE = Path(__file__).parents[1] / ".env.example"


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.upper() in SETTING_NAMES:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def loaded(monkeypatch: pytest.MonkeyPatch, **values: str) -> Settings:
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return load_settings()


def test_the_example_lists_every_setting_and_no_other() -> None:
    listed = re.findall(r"^([A-Z_]+)=", EXAMPLE.read_text("utf-8"), re.MULTILINE)
    secure = {name.upper() for kind in (secure_settings.Settings, RecoverySettings) for name in kind.model_fields}
    assert sorted(listed) == sorted({*SETTING_NAMES, *secure}), "describe it in .env.example"


def test_the_example_holds_the_defaults() -> None:
    assert load_settings(EXAMPLE) == load_settings(None)


def test_the_defaults_are_those_of_the_contract() -> None:
    settings = load_settings()
    assert (settings.walletmodal_port, settings.sandbox_port, settings.secure_port, settings.evm_port) == (
        3000,
        8700,
        8701,
        8545,
    )
    assert (settings.solana_port, settings.workers, settings.wallet_timeout_seconds) == (8899, 1, 120)


def test_services_are_not_configured_by_default() -> None:
    settings = load_settings()
    assert {settings.service_url(name) for name in PUBLIC_SERVICES} == {None}


@pytest.mark.parametrize("name", PUBLIC_SERVICES)
def test_the_word_public_selects_the_public_service(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, **{name: "public"}).service_url(name) == PUBLIC_SERVICES[name]


def test_a_service_may_be_on_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, RPC_URL="http://localhost:8700/rpc/", RELAY_URL="ws://localhost:8700/relay")
    assert (settings.service_url("RPC_URL"), settings.service_url("RELAY_URL")) == (
        "http://localhost:8700/rpc",
        "ws://localhost:8700/relay",
    )


@pytest.mark.parametrize("zone", ["names.example", "a.b-c.d9.example"])
def test_a_zone_of_names_is_two_labels_or_more(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (load_settings().name_zone, loaded(monkeypatch, NAME_ZONE=zone).name_zone) == ("reown.id", zone)


def test_lists_are_read_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(
        monkeypatch,
        ALLOWED_ORIGINS="https://A.example:443/, http://localhost:8700,,https://a.example",
        NETWORKS="eip155:137,eip155:1",
        RPC_URLS="eip155:1=http://127.0.0.1:8545?a=b",
    )
    assert settings.networks == ("eip155:137", "eip155:1")
    assert settings.rpc_urls == {"eip155:1": ("http://127.0.0.1:8545?a=b",)}
    assert settings.frame_ancestors == ("http://localhost:3000", "https://a.example", "http://localhost:8700")


def test_a_network_may_have_several_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(
        monkeypatch, RPC_URLS="eip155:1=https://a.example | https://b.example,eip155:137=https://c.example"
    )
    assert settings.rpc_urls == {
        "eip155:1": ("https://a.example", "https://b.example"),
        "eip155:137": ("https://c.example",),
    }


def test_what_is_paid_for_visitors_is_bounded_by_network(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, SPONSOR_LIMITS="eip155:1=0.002|0.2, eip155:137=1|100")
    assert settings.sponsor_limits == {
        "eip155:1": (Decimal("0.002"), Decimal("0.2")),
        "eip155:137": (Decimal(1), Decimal(100)),
    }


def test_a_paymaster_is_told_a_json_object(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, PAYMASTER_CONTEXT='{"id": "a,b"}').paymaster_context == {"id": "a,b"}


def test_only_named_origins_may_embed(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, ALLOWED_ORIGINS="https://a.example", PUBLIC_URL="https://modal.example")
    origins = ("https://a.example", "https://modal.example", "https://b.a.example", "http://a.example", "null", "")
    assert [settings.may_embed(origin) for origin in origins] == [True, True, False, False, False, False]


def test_the_own_origin_follows_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, WALLETMODAL_PORT="3100").own_origin == "http://localhost:3100"


def test_an_embed_may_change_all_options_by_default() -> None:
    assert load_settings().changeable_options == set(OPTION_NAMES)


def test_an_embed_does_not_replace_the_project_of_the_deployment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "projectId" not in loaded(monkeypatch, PROJECT_ID="p").changeable_options


def test_the_deployment_names_what_an_embed_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, EMBED_MAY_CHANGE="themeMode,debug").changeable_options == {"themeMode", "debug"}


def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = loaded(monkeypatch, TRUSTED_PROXIES="10.0.0.5, 172.16.0.0/12,fd00::/8")
    assert [str(network) for network in settings.trusted_proxies] == ["10.0.0.5/32", "172.16.0.0/12", "fd00::/8"]


def test_an_empty_value_means_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, WORKERS="", DIRECTORY_URL="", NETWORKS="") == load_settings(None)


def test_the_environment_wins_over_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("EVM_PORT=1111\nSOLANA_PORT=2222\nUNRELATED=x\n")
    settings = loaded(monkeypatch, EVM_PORT="3333")
    assert (settings.evm_port, settings.solana_port) == (3333, 2222)


def test_the_api_key_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "k" * 24 not in repr(loaded(monkeypatch, API_KEY="k" * 24))
    with pytest.raises(SettingsError) as wrong:
        loaded(monkeypatch, API_KEY=f"{'k' * 24},{'s' * 23}")
    assert "k" * 24 not in str(wrong.value)
    assert "s" * 23 not in str(wrong.value)


WRONG = [
    ("WALLETMODAL_PORT", "x"),
    ("WALLETMODAL_PORT", "70000"),
    ("SANDBOX_PORT", "0"),
    ("WALLETMODAL_HOST", "localhost"),
    ("SECURE_PORT", "-1"),
    ("EVM_PORT", "8545.5"),
    ("SOLANA_PORT", "x"),
    ("LOCALES", "en,deutsch!"),
    ("PUBLIC_URL", "https://a.example/path"),
    ("PUBLIC_URL", "http://modal.example"),
    ("NAME_ZONE", "eth"),
    ("NAME_ZONE", "Names.example"),
    ("NAME_ZONE", ".names.example"),
    ("NAME_ZONE", "names..example"),
    ("NAME_ZONE", "-names.example"),
    ("NAME_ZONE", "xn--80ak6aa92e.example"),
    ("NAME_ZONE", "n\u00e4mes.example"),
    ("NAME_ZONE", f"{'a' * 60}.{'b' * 60}.example"),
    ("NAME_ZONE", "names example"),
    ("EXPLORER_URLS", "eip155:1=http://explorer.example"),
    ("EXPLORER_URLS", "eip155:1=explorer.example"),
    ("ALLOWED_ORIGINS", "https://*.example"),
    ("ALLOWED_ORIGINS", "*"),
    ("ALLOWED_ORIGINS", "https://a.example,app.example"),
    ("TRUSTED_PROXIES", "proxy.example"),
    ("TRUSTED_PROXIES", "10.0.0.1/8"),
    ("TRUSTED_PROXIES", "10.0.0.1,0.0.0.0/0"),
    ("TRUSTED_PROXIES", "::/0"),
    ("NETWORKS", "mainnet"),
    ("NETWORKS", "eip155:31337"),
    ("NETWORKS", ","),
    ("PROJECT_ID", "a b"),
    ("DIRECTORY_URL", "http://directory.example"),
    ("BLOCKCHAIN_URL", "directory"),
    ("ANALYTICS_URL", "ftp://a.example"),
    ("RPC_URL", "https://u:p@a.example"),
    ("TOKENS", "eip155:1:0x00"),
    ("MELD_URL", "http://meld.example"),
    ("MELD_PUBLIC_KEY", "a b"),
    ("SECRET_KEY", "short"),
    ("LOOPBACK_IMAGES", "perhaps"),
    ("RPC_URLS", "eip155:1"),
    ("RPC_URLS", "mainnet=https://a.example"),
    ("RELAY_URL", "https://relay.example"),
    ("BUNDLER_URL", "eip155:1"),
    ("BUNDLER_URL", "eip155:1=http://bundler.example"),
    ("BUNDLER_URL", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp=https://bundler.example"),
    ("PAYMASTER_URL", "eip155:1=paymaster"),
    ("PAYMASTER_CONTEXT", "policy"),
    ("PAYMASTER_CONTEXT", "[]"),
    ("SPONSOR_LIMITS", "eip155:1=0.1"),
    ("SPONSOR_LIMITS", "eip155:1=0|1"),
    ("SPONSOR_LIMITS", "eip155:1=2|1"),
    ("SPONSOR_LIMITS", "eip155:1=1|Infinity"),
    ("GAS_TOKENS", "USDC"),
    ("GAS_TOKENS", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"),
    ("LOOPBACK_PAYMASTERS", "perhaps"),
    ("ALLOW_DELEGATE_CALLS", "perhaps"),
    ("VERIFY_URL", "x"),
    ("IPFS_GATEWAY", "x"),
    ("SECURE_SITE_URL", "x"),
    ("SECURE_SITE_PROTOCOL", "telnet"),
    ("SECURE_SOCIALS", "google,myspace"),
    ("PASSKEY_OFFER", "sometimes"),
    ("DATABASE_URL", "mysql://a/b"),
    ("DATABASE_URL", "postgresql://host"),
    ("DATABASE_URL", "postgresql://host/name?sslmod=require"),
    ("REDIS_URL", "redis+sentinel://localhost"),
    ("WORKERS", "0"),
    ("WORKERS", "many"),
    ("DRAIN_DELAY_SECONDS", "601"),
    ("DRAIN_SOCKETS_PER_SECOND", "0"),
    ("DRAIN_SECONDS", "-1"),
    ("WALLET_TIMEOUT_SECONDS", "0"),
    ("EMBED_MAY_CHANGE", "themMode"),
    ("API_KEY", "short"),
    ("API_KEY", "at-least-24-characters-long,short"),
    ("API_KEY", ","),
    ("WALLETMODAL_GALLERY", "perhaps"),
    ("LOG_FORMAT", "xml"),
    ("LOG_LEVEL", "LOUD"),
    ("POLICY_FILE", "policy"),
    ("POLICY_RELOAD", "perhaps"),
    ("CONFIRM_REQUESTS", "some"),
    ("ALLOW_OPEN_PERMISSIONS", "perhaps"),
    ("AUDIT_DAYS", "-1"),
    ("REQUEST_DAYS", "3651"),
    ("SIGN_IN_DAYS", "month"),
    ("PERMISSION_DAYS", "-1"),
    ("RESUME_DAYS", "0.5"),
    ("AUDIT_ROWS", "-1"),
    ("RESUME_ROWS", "many"),
    ("SPONSORED_DAYS", "-1"),
    ("ERASURE_DAYS", "0"),
    ("OTLP_URL", "http://collector.example"),
    ("WEBHOOK_URL", "http://app.example/webhooks"),
    ("WEBHOOK_SECRET", "at-least-24-characters-long"),
    ("WEBHOOK_SECRET", "whsec_c2hvcnQ="),
]


@pytest.mark.parametrize(
    ("given", "protocol"),
    [
        ({}, "walletmodal"),
        ({"SECURE_SITE_URL": "https://secure.example/sdk"}, "walletmodal"),
        ({"SECURE_SITE_URL": "public"}, "appkit"),
        ({"SECURE_SITE_URL": "https://secure.example/sdk", "SECURE_SITE_PROTOCOL": "appkit"}, "appkit"),
        ({"SECURE_SITE_URL": "public", "SECURE_SITE_PROTOCOL": "walletmodal"}, "walletmodal"),
    ],
)
def test_the_public_secure_site_is_spoken_to_by_its_own_messages(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], protocol: str
) -> None:
    assert loaded(monkeypatch, **given).secure_protocol == protocol


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_wrong_setting_is_named_with_an_example(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as raised:
        loaded(monkeypatch, **{name: value})
    (problem,) = raised.value.problems
    assert problem.setting == name
    assert f"example: {name}=" in str(raised.value)
    assert problem.example != "…"


@pytest.mark.parametrize("name", sorted({row[0] for row in WRONG}))
def test_the_example_of_an_error_is_itself_right(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value = next(wrong for setting, wrong in WRONG if setting == name)
    with pytest.raises(SettingsError) as raised:
        loaded(monkeypatch, **{name: value})
    monkeypatch.setenv("REDIS_URL", "redis://localhost:6379/0")
    monkeypatch.setenv("WEBHOOK_SECRET", SECRET)
    assert loaded(monkeypatch, **{name: raised.value.problems[0].example})


def test_webhooks_are_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://app.example/webhooks"
    with pytest.raises(SettingsError, match="WEBHOOK_URL needs WEBHOOK_SECRET") as raised:
        loaded(monkeypatch, WEBHOOK_URL=url)
    assert raised.value.problems[0].setting == "WEBHOOK_SECRET"
    assert loaded(monkeypatch, WEBHOOK_URL=url, WEBHOOK_SECRET=SECRET).webhook_secrets == (b"k" * 24,)


def test_a_secret_of_webhooks_changes_over_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    other = f"whsec_{b64encode(b'n' * 32).decode()}"
    settings = loaded(monkeypatch, WEBHOOK_SECRET=f"{SECRET},{other}")
    assert settings.webhook_secrets == (b"k" * 24, b"n" * 32)
    assert SECRET not in repr(settings)


def test_every_setting_can_be_wrong() -> None:
    assert {row[0] for row in WRONG} == set(SETTING_NAMES), "add a wrong value of it to WRONG"


def test_all_wrong_settings_are_listed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError) as raised:
        loaded(monkeypatch, EVM_PORT="x", WORKERS="0", LOG_LEVEL="LOUD")
    assert [problem.setting for problem in raised.value.problems] == ["EVM_PORT", "WORKERS", "LOG_LEVEL"]


def test_several_workers_need_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match="WORKERS above 1 needs REDIS_URL"):
        loaded(monkeypatch, WORKERS="2")


def test_several_workers_with_redis_are_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert loaded(monkeypatch, WORKERS="2", REDIS_URL="redis://localhost:6379/0").workers == 2


def test_the_explorer_of_a_network_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = loaded(monkeypatch, EXPLORER_URLS="eip155:1=http://localhost:8700/explorer/eip155:1/")
    monkeypatch.setattr(config, "settings", lambda: chosen)
    table = config.network_table()
    assert table["eip155:1"].explorer_transaction_url("0x1") == "http://localhost:8700/explorer/eip155:1/tx/0x1"
    assert table["eip155:1"].add_chain_parameters()["blockExplorerUrls"] == [chosen.explorer_urls["eip155:1"]]
    assert table["eip155:137"] == bundled_networks()["eip155:137"]
    assert list(table) == list(bundled_networks())
