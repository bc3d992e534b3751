"""Wallets as the directory lists them."""

import pytest

from tests.cases import every_case
from tests.core.json_values import replaced, without
from tests.core.samples import SAMPLES
from walletmodal.core.errors import ShapeError
from walletmodal.core.wallets.directory import parse_analytics_config, parse_wallet_listing, parse_wallet_page

WALLET = SAMPLES["wallet_listing"]
MAY_BE_MISSING = [
    "badge_type", "chains", "homepage", "image_id", "image_url", "order", "mobile_link", "desktop_link", "webapp_link", "app_store",
    "play_store", "chrome_store", "rdns", "injected",
]  # fmt: skip


def test_a_wallet_has_every_field_of_the_service() -> None:
    wallet = parse_wallet_listing(WALLET)
    assert wallet.model_dump() == {
        **WALLET,
        "chains": tuple(WALLET["chains"]),
        "image_url": "",
        "injected": ({"namespace": "eip155", "injected_id": "isLantern"},),
    }


def test_a_wallet_shows_itself_by_its_flags() -> None:
    assert parse_wallet_listing(WALLET).injected_ids == ("isLantern",)


@pytest.mark.parametrize("field", MAY_BE_MISSING)
def test_a_field_that_may_be_missing_may_be_null(field: str) -> None:
    assert parse_wallet_listing(without(WALLET, field)) == parse_wallet_listing(replaced(WALLET, None, field))


@pytest.mark.parametrize(
    ("value", "field"),
    [(None, "id"), ("", "id"), ("a b", "id"), (5, "name"), ("\u202e\u200b", "name"), ("", "name"), (["x"], "mobile_link"), ("30", "order"),
     ("eip155:1", "chains"), ([1], "chains"), ("../../x", "image_id"), ([{}], "injected"), (5, "badge_type")],
)  # fmt: skip
def test_a_wrong_field_is_refused(value: object, field: str) -> None:
    with pytest.raises(ShapeError):
        parse_wallet_listing(replaced(WALLET, value, field))


@every_case(
    "field", ["mobile_link", "desktop_link", "webapp_link", "homepage", "app_store", "play_store", "chrome_store"]
)
@every_case("link", ["javascript:alert(1)", "data:text/html,x", "https://user:pw@a.example/"])
def test_a_link_that_must_not_be_followed_is_dropped(field: str, link: str) -> None:
    assert getattr(parse_wallet_listing(replaced(WALLET, link, field)), field) is None


def test_a_web_page_is_no_scheme_of_an_app() -> None:
    assert parse_wallet_listing(replaced(WALLET, "lantern://", "webapp_link")).webapp_link is None


def test_an_rdns_that_is_none_is_emptied() -> None:
    assert parse_wallet_listing(replaced(WALLET, "not an rdns", "rdns")).rdns == ""


def test_a_name_is_cleaned() -> None:
    assert parse_wallet_listing(replaced(WALLET, "Lan\u202etern\n", "name")).name == "Lantern"


def test_a_page_counts_all_wallets() -> None:
    page = parse_wallet_page({"count": 512, "data": [WALLET]})
    assert (page.count, len(page.data)) == (512, 1)


@pytest.mark.parametrize("answer", [{"data": [WALLET]}, {"data": [WALLET], "count": None}])
def test_a_missing_count_is_that_of_the_list(answer: object) -> None:
    assert parse_wallet_page(answer).count == 1


def test_a_wallet_that_is_wrong_is_left_out() -> None:
    assert len(parse_wallet_page({"count": 2, "data": [without(WALLET, "name"), WALLET]}).data) == 1


@pytest.mark.parametrize(
    "answer", [None, [], {}, {"data": None}, {"data": [{}]}, {"data": [], "count": -1}, {"data": [], "count": "5"}]
)
def test_what_is_no_page_is_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        parse_wallet_page(answer)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_project_says_whether_it_wants_events(*, enabled: bool) -> None:
    assert parse_analytics_config({"isAnalyticsEnabled": enabled}).is_analytics_enabled is enabled


@pytest.mark.parametrize(
    "answer", [{}, {"isAnalyticsEnabled": "true"}, {"isAnalyticsEnabled": 1}, {"is_analytics_enabled": True}, []]
)
def test_anything_else_is_no_answer(answer: object) -> None:
    with pytest.raises(ShapeError):
        parse_analytics_config(answer)
