"""Figures are those of the documentation, and dashboard and alerts draw on nothing else."""

from __future__ import annotations

import importlib
import json
import re
from datetime import UTC, datetime

from prometheus_client import REGISTRY, generate_latest
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families

from scripts.project import ROOT
from walletmodal.core.clock import MovableClock
from walletmodal.db.deliveries import DeliveryCounts
from walletmodal.db.signing_keys import KeyOnRecord
from walletmodal.db.sponsorships import Totals
from walletmodal.web.record_figures import RecordFigures

PAGE = (ROOT / "docs" / "operations.md").read_text("utf-8")
ALERTS = (ROOT / "docs" / "monitoring" / "alerts.yml").read_text("utf-8")
DASHBOARD = json.loads((ROOT / "docs" / "monitoring" / "grafana.json").read_text("utf-8"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def section(heading: str) -> str:
    found = re.search(rf"^## {heading}$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


class _Tables:
    """Of which each figure can be told."""

    async def count(self) -> int:
        return 1

    async def on_record(self) -> list[KeyOnRecord]:
        return [KeyOnRecord("kid", NOW, NOW, signs=True, published=True, readable=True, withdrawn=False)]

    async def totals(self) -> dict[str, Totals]:
        return {"eip155:1": Totals(1, 1)}


class _Deliveries:
    async def count(self) -> DeliveryCounts:
        return DeliveryCounts(1, 1, NOW)


async def exposed() -> dict[str, str]:
    """The kind of each figure, by its name as the documentation has it."""
    for file in (ROOT / "walletmodal").rglob("*.py"):
        if "prometheus_client" in file.read_text("utf-8") and "dev_modules" not in file.name:
            importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    tables = _Tables()
    record = RecordFigures(*([lambda: tables] * 3), deliveries=_Deliveries, clock=MovableClock(NOW))
    text = generate_latest(REGISTRY) + await record()
    families = [one for one in text_string_to_metric_families(text.decode()) if one.name.startswith("walletmodal_")]
    return {
        f"{one.name}_total" if one.type == "counter" else one.name: one.type
        for one in families
        if not one.name.startswith("walletmodal_secure") and not one.name.endswith("_created")
    }


def explained() -> dict[str, set[str]]:
    """Labels of each figure of the documentation."""
    rows = re.findall(r"^\| .*?\|", section("Figures"), re.MULTILINE)
    figures = re.findall(r"`(walletmodal_\w+)(?:\{([^}]*)\})?`", "\n".join(rows))
    return {name: set(re.findall(r"\w+", labels)) for name, labels in figures}


async def test_every_figure_is_explained_and_no_other() -> None:
    assert set(explained()) == set(await exposed())


async def test_every_label_is_explained_and_no_other() -> None:
    await exposed()
    labels = {
        name: set(collector._labelnames)
        for collector, names in REGISTRY._collector_to_names.items()
        if isinstance(collector, MetricWrapperBase)
        for name in names
    }
    counted = {name: labels[name] for name in explained() if name in labels}
    assert len(counted) > 20
    assert {name: explained()[name] for name in counted} == counted


def expressions() -> list[str]:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return [*panels, *re.findall(r"^ +expr: (.+)$", ALERTS, re.MULTILINE)]


async def test_dashboard_and_alerts_draw_on_figures_that_there_are() -> None:
    kinds = await exposed()
    parts = {"counter": [""], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}
    there = {name + part for name, kind in kinds.items() for part in parts[kind]}
    named = {name for expression in expressions() for name in re.findall(r"\bwalletmodal_\w+", expression)}
    assert named - there == set()
    assert len(named) > 20


def test_every_alert_has_its_line_in_the_documentation() -> None:
    alerts = re.findall(r"^ +- alert: (\w+)$", ALERTS, re.MULTILINE)
    assert re.findall(r"^\| `(\w+)` \|", section("Alerts"), re.MULTILINE) == alerts


def test_dashboard_and_alerts_select_and_group_by_labels_that_there_are() -> None:
    known = {
        name + part: labels | {"instance", "le"}
        for name, labels in explained().items()
        for part in ("", "_bucket", "_count", "_sum")
    }
    for expression in expressions():
        for name, selected in re.findall(r"(walletmodal_\w+)\{([^}]*)\}", expression):
            assert set(re.findall(r"(\w+)\s*[=!]", selected)) <= known[name], expression
        grouped = {label for labels in re.findall(r"by \(([^)]*)\)", expression) for label in labels.split(", ")}
        for name in re.findall(r"\bwalletmodal_\w+", expression):
            assert grouped <= known[name], expression
