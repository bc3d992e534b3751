"""Every place that a view promises is there."""

from __future__ import annotations

from typing import Any

import reflex as rx

from scripts.project import ROOT
from tests.cases import every_case
from walletmodal import views
from walletmodal.core.protocol.views import VIEWS
from walletmodal.features.account_views.compact_view import compact_account_view
from walletmodal.features.modal.views import VIEWS as DRAWN
from walletmodal.ui.own_parts import Own

WITH_PLACES = sorted(name for name, view in VIEWS.items() if view.places)


def probe() -> rx.Component:
    shown: rx.Component = rx.el.span("probe")
    return shown


@every_case(("view", "draw"), [*((name, DRAWN[name].view) for name in WITH_PLACES), ("Account", compact_account_view)])
def test_every_place_of_a_view_holds_what_is_put_before_and_after_it(own: Own, view: str, draw: Any) -> None:
    for place in VIEWS[view].places:
        views.before(view, place)(probe)
        views.after(view, place)(probe)
    own.check()
    shown = draw.__wrapped__()
    scripts = {script for script in shown._get_all_imports() if "walletmodal/own" in script}
    assert {script.rsplit("/", 1)[1] for script in scripts} == {
        f"{view}_{place}_{side}_0" for place in VIEWS[view].places for side in ("before", "after")
    }


def test_the_page_for_teams_lists_every_place() -> None:
    page = (ROOT / "docs" / "own-views.md").read_text("utf-8")
    for name in WITH_PLACES:
        assert f"| `{name}` | {', '.join(f'`{place}`' for place in VIEWS[name].places)} |" in page
