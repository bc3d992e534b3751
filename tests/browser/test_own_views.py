"""The example project with views of its own, as its visitors meet it, and a probe in every place of every view."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from scripts.project import ROOT
from tests.browser.servers import ModalServer
from tests.browser.stack import Stack
from tests.browser.test_motion import MOVING, RECORDER, forget, lasting
from tests.browser.visits import Visit, Visiting
from tests.docs.pages import blocks
from tests.gallery.looks import IN_EVERY_LOOK
from tests.gallery.stage import LOOKS, stage
from tests.patience import START_SECONDS
from tests.ports import free_ports
from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.gallery.entries import ENTRIES

_PROBES: Final = '''
"""Something in every place of every view, a view that raises in the browser, and an event that raises."""

import reflex as rx
from walletmodal import views
from walletmodal.core.protocol.views import VIEWS


class Trouble(rx.State):
    @rx.event
    def make(self):
        raise ValueError("raised on purpose")


@views.add("Raising", title="Raising", needs_account=False)
def raising():
    return rx.el.p(rx.Var("raisedOnPurpose()"))


@views.add("Troubled", title="Troubled", needs_account=False)
def troubled():
    return rx.el.div(rx.el.input(data_testid="own-field"), rx.el.button("Make trouble", on_click=Trouble.make))


@views.add("Tall", title="Tall")
def tall():
    return rx.el.div(rx.el.button("To the points", on_click=views.opens("Loyalty")), style={"padding_top": "1500px"})


def probe(view, place):
    def drawn():
        return rx.el.span(place, data_testid=f"probe-{view}-{place}")

    drawn.__qualname__ = f"probe {view} {place}"
    return drawn


for view in [name for name in VIEWS if VIEWS[name].places or name == "Networks"]:
    for place in ("content", *VIEWS[view].places):
        views.before(view, place)(probe(view, place))
'''

_SHOWN: Final = {
    entry.view: entry
    for entry in reversed(ENTRIES)
    if entry.id in IN_EVERY_LOOK and VIEWS[entry.view].places and not entry.id.endswith(("-loading", "-unsupported"))
}
"""An entry of each view that has places, in which nothing is missing."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with probes and the component of the documentation, built."""
    folder = tmp_path_factory.mktemp("team") / "own_views"
    shutil.copytree(ROOT / "examples" / "own_views", folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (folder / "probes.py").write_text(_PROBES)
    module = folder / "own_views.py"
    (script,), (*_, component) = (blocks(language, "docs/own-views.md") for language in ("jsx", "python"))
    (folder / "hold.jsx").write_text(script.code)
    (folder / "vault.py").write_text(component.code)
    module.write_text(f"{module.read_text()}\nimport probes, vault\n")
    subprocess.run(
        [sys.executable, "-m", "walletmodal", "build"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        timeout=START_SECONDS,
    )
    return folder


@pytest.fixture(scope="module")
def shop(stack: Stack, project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModalServer]:
    """A server of it."""
    settings = {
        "PYTHONPATH": str(ROOT),
        "ALLOWED_ORIGINS": stack.hosts.allowed,
        "NETWORKS": "eip155:1,eip155:137",
        "RPC_URLS": ",".join(f"eip155:{chain}={stack.node_urls[chain]}" for chain in (1, 137)),
        "BLOCKCHAIN_URL": f"{stack.demo}/blockchain",
        "SECRET_KEY": "the-secret-of-a-teams-modal",
        "WALLETMODAL_GALLERY": "1",
    }
    server = ModalServer(
        "shop", free_ports(1), settings, tmp_path_factory.mktemp("shop"), stack.client, project=project
    )
    server.start()
    try:
        yield server
    finally:
        server.stop()


def enter(visitor: Visit) -> None:
    """Connects by the shop's own Connect."""
    visitor.modal.open()
    expect(visitor.modal.part("own-connect")).to_be_visible()
    visitor.modal.frame.get_by_role("button", name="Choose a wallet").click()
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_connected()


@pytest.fixture
def customer(visit: Visiting, shop: ModalServer) -> Visit:
    """A visitor of a page with the modal of the shop, who has connected."""
    visitor = visit(server=shop)
    enter(visitor)
    visitor.modal.expect_closed()
    return visitor


def test_an_own_view_is_opened_by_an_own_action_and_left_by_the_headers_buttons(customer: Visit) -> None:
    modal = customer.modal
    modal.api("open", {"view": "Account"})
    modal.part("wallet-features-points-button").click()
    modal.expect_view("Your points")
    expect(modal.frame.locator(".wm-view:focus")).to_have_attribute("data-view", "Loyalty")
    expect(modal.card).to_contain_text("No points yet")
    modal.part("header-back").click()
    expect(modal.part("w3m-account-wallet-features-widget")).to_be_visible()
    modal.part("tab-Points").click()
    expect(modal.card).to_contain_text("collects on Ethereum")
    modal.part("w3m-header-close").click()
    modal.expect_closed()


def body_height(visitor: Visit) -> int:
    """px, once the card has the height of its view."""
    read = """() => {
      const [body, view] = [".wm-body", ".wm-view:last-child"].map((part) => document.querySelector(part).offsetHeight);
      return body === view ? body : 0;
    }"""
    height = visitor.modal.wait(lambda: visitor.modal.card.evaluate(read), what="the height of the view")
    assert isinstance(height, int)
    return height


def test_an_own_view_moves_as_ours_and_the_card_takes_its_height(visit: Visiting, shop: ModalServer) -> None:
    visitor = visit(server=shop, before=[RECORDER])
    enter(visitor)
    modal = visitor.modal
    modal.api("open", {"view": "Account"})
    modal.wait(lambda: modal.card.evaluate(MOVING), what="the script of all movement")
    moved = []
    for step, view in (("wallet-features-points-button", "Loyalty"), ("header-back", "Account")):
        forget(visitor)
        modal.part(step).click()
        expect(modal.card.locator(".wm-view:last-child")).to_have_attribute("data-view", view)
        moved.append(lasting(visitor, "wm-view"))
    assert moved == [{150}] * 2
    modal.api("open", {"view": "Tall"})
    modal.expect_view("Tall")
    assert body_height(visitor) > 1500
    modal.frame.get_by_role("button", name="To the points").click()
    modal.expect_view("Your points")
    assert body_height(visitor) < 500


def test_the_component_of_the_documentation_is_held_and_leads_on(customer: Visit) -> None:
    customer.modal.api("open", {"view": "Vault"})
    customer.modal.frame.get_by_role("button", name="Hold to open").click(delay=1100)
    customer.modal.expect_view("Your points")


def test_the_points_of_who_has_signed_are_in_the_teams_table(visit: Visiting, shop: ModalServer, project: Path) -> None:
    visitor = visit(server=shop, options={"siwx": {"required": True}})
    enter(visitor)
    modal = visitor.modal
    modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.approve("personal_sign")
    modal.expect_closed()
    modal.api("open", {"view": "Loyalty"})
    expect(modal.card).to_contain_text("100 points")
    assert (project / "data" / "points.db").is_file()


def test_a_view_that_raises_leaves_the_modal_and_its_way_back(customer: Visit) -> None:
    modal = customer.modal
    modal.api("open", {"view": "Account"})
    modal.api("open", {"view": "Raising"})
    expect(modal.part("own-part-raised")).to_contain_text("This part could not be shown")
    expect(modal.part("own-part-raised")).not_to_contain_text("raisedOnPurpose")
    modal.part("w3m-header-close").click()
    modal.expect_closed()
    modal.api("open", {"view": "Account"})
    expect(modal.part("w3m-account-wallet-features-widget")).to_be_visible()
    assert customer.problems.said("raisedOnPurpose")


def test_an_event_that_raises_is_told_and_the_view_stays(customer: Visit) -> None:
    modal = customer.modal
    modal.api("open", {"view": "Troubled"})
    modal.note_toasts()
    modal.frame.get_by_role("button", name="Make trouble").click()
    modal.expect_toast("That did not work. Try again in a moment.")
    modal.expect_view("Troubled")


def test_a_notice_stands_in_front_of_send(customer: Visit) -> None:
    customer.modal.api("open", {"view": "WalletSend"})
    expect(customer.modal.card).to_contain_text("No fees of ours on Ethereum this month.")


def test_every_place_of_every_view_shows_what_is_put_there(shop: ModalServer, chromium: Browser) -> None:
    page = stage(chromium, LOOKS[0], shop.url)
    lost = set[tuple[str, str]]()
    for view, entry in _SHOWN.items():
        page.turn_to(entry)
        there = set(re.findall(r'data-testid="probe-\w+?-(\w+)"', page.page.content()))
        # The list of Connect is not shown: the project replaces the view.
        promised = {"content"} if view == "Connect" else {"content", *VIEWS[view].places}
        lost |= {(view, place) for place in promised - there}
    page.page.context.close()
    assert lost == set()
