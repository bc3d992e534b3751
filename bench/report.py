"""The table for people and the file for programs."""

import json
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from bench.figures import Figure
from bench.samples import Summary
from scripts.project import VENV_BIN
from walletmodal.commands.project import tool_environment

_PACKAGES = (
    "walletmodal",
    "reflex",
    "granian",
    "python-socketio",
    "starlette",
    "pydantic",
    "playwright",
    "websockets",
    "httpx",
    "web3",
)
_HEADINGS = ("figure", "floor", "min", "median", "p95", "max", "beside", "verdict")


def _number(value: float) -> str:
    if value >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _floor(row: Figure) -> str:
    if row.floor is None:
        return ""
    sign = "≥" if row.floor.at_least else "≤"
    where = "" if row.measured.count == 1 else f" {row.floor.on}"
    return f"{sign} {_number(row.floor.limit)}{where}"


def _reference(summary: Summary | None, row: Figure) -> str:
    if summary is None:
        return "–"
    shown = row.floor.on if row.floor else "median"
    value: float = getattr(summary, shown)
    return _number(value) + ("" if summary.count == 1 else f" {shown}")


def _cells(row: Figure) -> tuple[str, ...]:
    series = row.measured
    spread = [_number(value) for value in (series.min, series.median, series.p95, series.max)]
    if series.count == 1:
        spread = ["", spread[1], "", ""]
    verdict = "" if row.floor is None else "BROKEN" if row.broken else "pass"
    return (f"{row.title} [{row.unit}]", _floor(row), *spread, _reference(row.reference, row), verdict)


def table(figures: Sequence[Figure]) -> str:
    """The figures as aligned text, with their notes below."""
    rows = [_HEADINGS, *(_cells(row) for row in figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return "  ".join([first, *rest]).rstrip()

    lines = [line(rows[0]), "  ".join("─" * width for width in widths), *(line(row) for row in rows[1:])]
    notes = [f"{row.title}: {row.note}" for row in figures if row.note]
    return "\n".join([*lines, *([""] if notes else []), *notes])


def _processor() -> str:
    for text in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if text.startswith("model name"):
            return text.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _node_version() -> str:
    done = subprocess.run(
        [str(VENV_BIN / "node"), "--version"], check=False, env=tool_environment(), capture_output=True, text=True
    )
    return done.stdout.strip()


def machine(load_before: tuple[float, float, float]) -> dict[str, Any]:
    """What the figures were measured on. `load_before`: the load averages before the run began."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_bytes": psutil.virtual_memory().total,
        "system": platform.platform(),
        "load_average_before": list(load_before),
        "load_average_after": list(os.getloadavg()),
    }


def versions(chromium: str) -> dict[str, str]:
    """What was measured, and with what. `chromium`: the browser's version."""
    found = {"python": platform.python_version(), "node": _node_version(), "chromium": chromium}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except ModuleNotFoundError:
            # The project itself is run from its checkout, mostly without being installed.
            continue
    return found


def write(
    file: Path,
    figures: Sequence[Figure],
    *,
    started: datetime,
    chromium: str,
    load_before: tuple[float, float, float],
) -> None:
    """Write the results file."""
    results = {
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(load_before),
        "versions": versions(chromium),
        "figures": {row.key: row.as_json() for row in figures},
        "broken": [row.key for row in figures if row.broken],
    }
    file.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
