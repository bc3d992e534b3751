"""Options of a host: what is wrong is dropped with a warning, the rest is kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.protocol.options import LOADER_OPTIONS, OPTION_NAMES, WITHOUT_EFFECT, HostOptions, read_options
from walletmodal.core.protocol.theme_variables import THEME_VARIABLES, check_theme_variables

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=10,
)
URL = "https://a.example/x"


def test_without_options_the_defaults_of_the_reference_hold() -> None:
    options = read_options({}).options
    assert options == HostOptions()
    assert options.features.model_dump(by_alias=True) == {
        "swaps": True,
        "onramp": True,
        "receive": True,
        "send": True,
        "email": True,
        "emailShowWallets": True,
        "history": True,
        "analytics": True,
        "allWallets": True,
        "legalCheckbox": False,
        "smartSessions": False,
        "collapseWallets": False,
        "socials": ("google", "x", "discord", "farcaster", "github", "apple", "facebook"),
        "connectorTypeOrder": ("walletConnect", "recent", "injected", "featured", "custom", "external", "recommended"),
        "walletFeaturesOrder": ("onramp", "swaps", "receive", "send"),
        "connectMethodsOrder": None,
    }


def test_every_option_of_the_reference_is_known() -> None:
    named = {
        "projectId", "networks", "adapters", "defaultNetwork", "metadata", "themeMode", "themeVariables", "features",
        "featuredWalletIds", "includeWalletIds", "excludeWalletIds", "customWallets", "allWallets", "connectorImages",
        "chainImages", "customRpcUrls", "termsConditionsUrl", "privacyPolicyUrl", "enableWallets", "enableEIP6963",
        "enableInjected", "enableCoinbase", "coinbasePreference", "enableWalletConnect", "enableWalletGuide",
        "enableNetworkSwitch", "allowUnsupportedChain", "enableEmbedded", "disableAppend", "enableAuthLogger", "debug",
        "siwx", "defaultAccountTypes", "universalProvider", "universalProviderConfigOverride", "manualWCControl", "basic",
        "tokens", "showWallets", "src", "preload",
    }  # fmt: skip
    assert named <= {*OPTION_NAMES, *LOADER_OPTIONS, *WITHOUT_EFFECT}


@every_case(
    ("name", "value", "field", "read"),
    [
        ("projectId", "abc-1", "project_id", "abc-1"),
        ("networks", ["eip155:1", "eip155:137", "eip155:1"], "networks", ("eip155:1", "eip155:137")),
        ("adapters", ["eip155", "solana"], "adapters", ("eip155", "solana")),
        ("adapters", [], "adapters", ()),
        ("defaultNetwork", "eip155:137", "default_network", "eip155:137"),
        ("themeMode", "light", "theme_mode", "light"),
        ("themeVariables", {"--w3m-accent": "#ff0000"}, "theme_variables", {"--w3m-accent": "#ff0000"}),
        ("featuredWalletIds", ["a", "b"], "featured_wallet_ids", ("a", "b")),
        ("includeWalletIds", ["a"], "include_wallet_ids", ("a",)),
        ("excludeWalletIds", ["a"], "exclude_wallet_ids", ("a",)),
        ("allWallets", "ONLY_MOBILE", "all_wallets", "ONLY_MOBILE"),
        ("connectorImages", {"injected": URL}, "connector_images", {"injected": URL}),
        ("chainImages", {"1": URL}, "chain_images", {"1": URL}),
        ("termsConditionsUrl", URL, "terms_conditions_url", URL),
        ("privacyPolicyUrl", URL, "privacy_policy_url", URL),
        ("enableWallets", False, "enable_wallets", False),
        ("enableEIP6963", False, "enable_eip6963", False),
        ("enableInjected", False, "enable_injected", False),
        ("enableCoinbase", False, "enable_coinbase", False),
        ("coinbasePreference", "eoaOnly", "coinbase_preference", "eoaOnly"),
        ("enableWalletConnect", False, "enable_wallet_connect", False),
        ("enableWalletGuide", False, "enable_wallet_guide", False),
        ("enableNetworkSwitch", False, "enable_network_switch", False),
        ("allowUnsupportedChain", True, "allow_unsupported_chain", True),
        ("enableEmbedded", True, "enable_embedded", True),
        ("enableAuthLogger", False, "enable_auth_logger", False),
        ("debug", False, "debug", False),
        ("manualWCControl", True, "manual_wc_control", True),
        ("basic", True, "basic", True),
    ],
)
def test_an_option_is_taken_over(name: str, value: object, field: str, read: object) -> None:
    result = read_options({name: value})
    assert (getattr(result.options, field), result.given, result.warnings) == (read, frozenset({name}), ())


@every_case(
    ("name", "value"),
    [
        ("projectId", "a b"),
        ("networks", ["mainnet"]),
        ("networks", "eip155:1"),
        ("networks", [1]),
        ("networks", [f"eip155:{number}" for number in range(1, 203)]),
        ("adapters", ["near"]),
        ("defaultNetwork", 1),
        ("metadata", "x"),
        ("themeMode", "blue"),
        ("themeVariables", []),
        ("features", [True]),
        ("featuredWalletIds", ["a b"]),
        ("allWallets", "show"),
        ("connectorImages", {"a": "javascript:1"}),
        ("chainImages", {"a": "http://public.example/x"}),
        ("termsConditionsUrl", "javascript:alert(1)"),
        ("termsConditionsUrl", "/terms"),
        ("privacyPolicyUrl", "https://u:p@a.example"),
        ("enableWallets", "yes"),
        ("enableWallets", 1),
        ("siwx", True),
        ("customWallets", {}),
        ("debug", float("nan")),
        ("debug", object()),
    ],
)
def test_a_wrong_option_is_dropped_and_the_rest_is_kept(name: str, value: object) -> None:
    result = read_options({name: value, "basic": True})
    assert (result.options, result.given) == (HostOptions(basic=True), frozenset({"basic"}))
    assert [warning.split(":")[0] for warning in result.warnings] == [name]


def test_a_wrong_feature_does_not_take_the_others_with_it() -> None:
    result = read_options({"features": {"swaps": False, "email": "no", "later": 1, "socials": False}})
    assert (result.options.features.swaps, result.options.features.email, result.options.features.socials) == (
        False,
        True,
        (),
    )
    assert [warning.split(":")[0] for warning in result.warnings] == ["features.email", "features.later"]


def test_features_that_are_not_named_stay_as_they_were() -> None:
    before = read_options({"features": {"swaps": False}}).options
    after = read_options({"features": {"send": False}}, base=before).options
    assert (after.features.swaps, after.features.send) == (False, False)


def test_theme_variables_are_merged() -> None:
    before = read_options({"themeVariables": {"--w3m-accent": "red"}}).options
    after = read_options({"themeVariables": {"--w3m-z-index": 5}}, base=before).options
    assert after.theme_variables == {"--w3m-accent": "red", "--w3m-z-index": "5"}


def test_a_wrong_custom_wallet_does_not_take_the_others_with_it() -> None:
    good = {"id": "w1", "name": "One\u202e", "mobile_link": "one://", "homepage": URL}
    result = read_options({"customWallets": [good, {"id": "w2"}, {**good, "id": "w3", "mobile_link": "javascript:x"}]})
    assert [(wallet.id, wallet.name, wallet.mobile_link) for wallet in result.options.custom_wallets] == [
        ("w1", "One", "one://")
    ]
    assert [warning.split(":")[0] for warning in result.warnings] == ["customWallets[1]", "customWallets[2]"]


def test_siwe_config_is_another_name_of_siwx() -> None:
    siwx = read_options({"siweConfig": {"required": True, "statement": "Hi"}}).options.siwx
    assert siwx is not None
    assert (siwx.required, siwx.statement) == (True, "Hi")


@pytest.mark.parametrize(("given", "taken"), [("a1" * 16, True), ("", True), ("short", False), ("a" * 129, False), ("a1a1a1a1\n", False)])  # fmt: skip
def test_a_host_binds_a_nonce_of_its_own(given: str, *, taken: bool) -> None:
    siwx = read_options({"siwx": {"nonce": given}}).options.siwx
    assert (siwx is not None and siwx.nonce == given) is taken


def test_of_both_sign_in_options_siwx_wins_with_a_warning() -> None:
    result = read_options({"siweConfig": {"required": True}, "siwx": {"required": False}})
    assert result.options.siwx is not None
    assert (result.options.siwx.required, len(result.warnings)) == (False, 1)


def test_what_the_deployment_does_not_allow_is_ignored_with_one_warning() -> None:
    result = read_options({"projectId": "p", "debug": False, "basic": True}, allowed={"basic"})
    assert (result.options, result.given) == (HostOptions(basic=True), frozenset({"basic"}))
    assert result.warnings == ("This deployment does not let an embed change: projectId, debug",)


def test_options_of_the_loader_pass_without_a_word() -> None:
    result = read_options({"src": "x", "preload": "idle", "tokens": {}, "disableAppend": True, "networks": None})
    assert (result.options, result.warnings) == (HostOptions(), ())


def test_an_unknown_option_is_named() -> None:
    assert read_options({"enabelWallets": True}).warnings == ("enabelWallets: unknown option",)


def test_there_are_not_more_than_twenty_warnings() -> None:
    assert len(read_options({f"x{number}": 1 for number in range(100)}).warnings) == 20


@given(st.dictionaries(st.sampled_from(OPTION_NAMES) | st.text(max_size=10), JSON, max_size=5))
def test_any_options_are_read(raw: dict[str, Any]) -> None:
    result = read_options(raw)
    assert HostOptions.model_validate(result.options.model_dump()) == result.options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("--w3m-font-family", "'Inter', \"Segoe UI\", sans-serif"),
        ("--w3m-accent", "#fff"),
        ("--w3m-accent", "#11223344"),
        ("--w3m-accent", "hsl(230 100% 67% / .5)"),
        ("--w3m-accent", "rebeccapurple"),
        ("--w3m-color-mix", "rgb(0, 0, 0)"),
        ("--w3m-color-mix-strength", "12.5%"),
        ("--w3m-font-size-master", "9.5px"),
        ("--w3m-border-radius-master", "0px"),
        ("--w3m-z-index", "2147483647"),
        ("--w3m-qr-color", "oklch(0.5 0.1 200)"),
    ],
)
def test_a_theme_variable_is_kept(name: str, value: str) -> None:
    assert check_theme_variables({name: value}) == ({name: value}, ())


@pytest.mark.parametrize("value", [40, "40", "40%"])
def test_a_strength_is_a_percentage_with_or_without_its_sign(value: object) -> None:
    assert check_theme_variables({"--w3m-color-mix-strength": value}) == ({"--w3m-color-mix-strength": "40%"}, ())


@every_case(
    ("name", "value"),
    [
        ("--w3m-accent", "red;background:url(//evil)"),
        ("--w3m-accent", "url(https://evil.example)"),
        ("--w3m-accent", "#12"),
        ("--w3m-accent", "#12345"),
        ("--w3m-accent", "var(--x)"),
        ("--w3m-accent", "rgb(0,0,0"),
        ("--w3m-accent", ""),
        ("--w3m-accent", None),
        ("--w3m-accent", True),
        ("--w3m-font-family", "Inter}</style>"),
        ("--w3m-font-family", "'Inter"),
        ("--w3m-font-family", "x" * 201),
        ("--w3m-color-mix-strength", "101"),
        ("--w3m-font-size-master", "10"),
        ("--w3m-font-size-master", "-1px"),
        ("--w3m-font-size-master", "calc(1px)"),
        ("--w3m-z-index", "2147483648"),
        ("--w3m-z-index", "-1"),
        ("--w3m-z-index", 1.5),
        ("--other", "red"),
    ],
)
def test_any_other_theme_variable_is_dropped_with_a_warning(name: str, value: object) -> None:
    kept, warnings = check_theme_variables({name: value})
    assert (kept, len(warnings)) == ({}, 1)


@given(st.sampled_from(list(THEME_VARIABLES)), st.text(max_size=60))
def test_no_value_gets_out_of_its_declaration(name: str, value: str) -> None:
    kept, _ = check_theme_variables({name: value})
    assert not set("".join(kept.values())) & set(";{}<>\\@")
