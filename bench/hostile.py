"""What visitors notice of four sockets that say as much as they can."""

import json
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser

from bench.apps import App
from bench.figures import Figure, Floor, figure
from bench.load import Script
from bench.load_process import LoadProcess, visitors
from bench.recorder import BRIDGE, record_ours
from scripts.project import ROOT, VENV_PYTHON, CommandError, say, tool_environment
from walletmodal.core.protocol.limits import MAX_NODES

HOSTILE = 4
VISITORS = 20
EVERY_SECONDS = 0.5
ROUND_SECONDS = 8.0
ROUNDS = 3
_LARGEST = 250_000


def hostile_sockets(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures, each against the same visitors a moment before.

    Raises:
        CommandError: the sockets did not begin.
    """
    script = record_ours(browser, app, host).script
    call = app.names(BRIDGE)["BridgeState"]["events"]["on_call"]
    said: Final[Mapping[str, tuple[str, str]]] = {
        "largest": ("250 kB of empty lists", _packet(script, call, _LARGEST // 3)),
        "values": ("as many values as are let through", _packet(script, call, MAX_NODES // 2 - 20)),
        "events": ("one event after another", script.steps[0]),
    }
    times: dict[str, list[float]] = {key: [] for key in said}
    quiet: list[float] = []
    say(f"four hostile sockets, {VISITORS} visitors, {ROUNDS} rounds")
    with visitors() as load:
        load.connect(VISITORS, script)
        for _ in range(ROUNDS):
            before = _latency(load)
            quiet.append(before)
            for key, (_, packet) in said.items():
                with _attack(script, packet):
                    times[key].append(_latency(load) / before)
                say(f"  {key}: {times[key][-1]:.2f} times {before:.1f} ms")
        load.hang_up()
    note = f"without them {median(quiet):.1f} ms"
    return [
        figure(
            f"hostile_{key}",
            f"median latency beside four hostile sockets: {title}",
            "times",
            times[key],
            floor=Floor(2),
            note=note,
        )
        for key, (title, _) in said.items()
    ]


def _latency(load: LoadProcess) -> float:
    load.start_pace(every=EVERY_SECONDS)
    time.sleep(ROUND_SECONDS)
    return median(load.stop_pace().latencies_ms)


def _packet(script: Script, name: str, lists: int) -> str:
    event: dict[str, Any] = {
        "name": name,
        "payload": {"payload": {"id": "hostile", "method": "open", "params": {"x": [[]] * lists}}},
        "router_data": {"pathname": "/", "asPath": "/"},
    }
    return f"42{script.namespace},{json.dumps(['event', event], separators=(',', ':'))}"


@contextmanager
def _attack(script: Script, packet: str) -> Iterator[None]:
    process = subprocess.Popen(
        [str(VENV_PYTHON), "-m", "bench.hostile_sockets"],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise CommandError("the hostile sockets were started without their pipes")
        process.stdin.write(json.dumps({"script": asdict(script), "packet": packet, "count": HOSTILE}) + "\n")
        process.stdin.flush()
        if not process.stdout.readline():
            raise CommandError("the hostile sockets ended by themselves; their messages above say why")
        yield
    finally:
        process.kill()
        process.communicate()
