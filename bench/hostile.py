"""What visitors notice of four sockets that say as much as they can, and what one address can have kept."""

import json
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser

from bench.apps import App, served
from bench.figures import Figure, Floor, figure
from bench.load import Script
from bench.load_process import LoadProcess, visitors
from bench.recorder import BRIDGE, record_ours
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, say, tool_environment
from walletmodal.core.protocol.limits import MAX_NODES

HOSTILE = 4
VISITORS = 20
EVERY_SECONDS = 0.5
ROUND_SECONDS = 8.0
ROUNDS = 3
_LARGEST = 250_000
# Together below what one address may have kept, beyond which the largest are dropped.
SESSIONS = 150
FILL_SECONDS = 120.0
SETTLE_SECONDS = 10.0
_PICTURE = 60_000
_ACCOUNT = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"


def hostile(browser: Browser, app: App, host: str) -> list[Figure]:
    """All figures of hostile clients.

    Raises:
        CommandError: a process that plays them failed.
    """
    with served(app):
        figures = hostile_sockets(browser, app, host)
    return figures + hostile_sessions(browser, app, host)


def hostile_sessions(browser: Browser, app: App, host: str) -> list[Figure]:
    """What a fresh worker grows by, by the session.

    Raises:
        CommandError: not all of them were filled in time.
    """
    say(f"one address opens {SESSIONS} sessions and has them keep what it can")
    with served(app) as running:
        script = record_ours(browser, app, host).script
        packets = _largest_packets(script, app.names(BRIDGE)["BridgeState"]["events"])
        before = running.memory()
        asked = {"script": asdict(script), "packets": packets, "count": SESSIONS, "seconds": FILL_SECONDS}
        with _hostile_process("bench.hostile_sessions", asked) as said:
            sessions = int(said["sessions"])
            if sessions < SESSIONS:
                raise CommandError(
                    f"only {sessions} of {SESSIONS} hostile sessions were filled in {FILL_SECONDS:.0f} s"
                )
            # What was on its way to the pages and to the database is gone then.
            time.sleep(SETTLE_SECONDS)
            open_ = running.memory() - before
        time.sleep(SETTLE_SECONDS)
        left = running.memory() - before
    note = f"{SESSIONS} sessions of one address,"
    title = "memory of one worker per session that keeps as much as it may"
    return [
        figure(
            "hostile_memory",
            f"{title}, sockets open",
            "kB",
            [open_ / 1_000 / SESSIONS],
            floor=Floor(1_260),
            note=f"{note} {open_ / 1_000_000:.0f} MB",
        ),
        figure(
            "hostile_memory_left",
            f"{title}, sockets closed",
            "kB",
            [left / 1_000 / SESSIONS],
            floor=Floor(1_280),
            note=f"{note} {left / 1_000_000:.0f} MB",
        ),
    ]


def _largest_packets(script: Script, events: Mapping[str, str]) -> list[str]:
    """What a page says while it loads, with pictures and a request as large as messages may be."""

    def pictures(key: str) -> dict[str, str]:
        return {f"{key}{number}": f"data:image/svg+xml,{key}".ljust(_PICTURE, "a") for number in range(4)}

    packets: list[str] = []
    for packet in script.setup:
        event = json.loads(packet.partition(",")[2])[1]
        if event["name"] == events["on_init"]:
            init = event["payload"]["payload"]
            wallet = {"namespaces": ["eip155"], "type": "ANNOUNCED", "name": "Wallet", "rdns": ""}
            wallets = [{**wallet, "id": f"large{number}", "icon": ""} for number in range(4)]
            session = {"connector": "large0", "accounts": [_ACCOUNT], "chain": "1"}
            snapshot = {**init["snapshot"], "wallets": wallets, "sessions": {"eip155": session}}
            full = [{**one, "icon": icon} for one, icon in zip(wallets, pictures("w").values(), strict=True)]
            packets += [
                _event_packet(
                    script, event["name"], {**init, "options": {"chainImages": pictures("c")}, "snapshot": snapshot}
                ),
                _event_packet(script, events["on_snapshot"], {**snapshot, "rev": 1_000, "wallets": full}),
            ]
        else:
            packets.append(packet)
    options = {"id": "options", "method": "options", "params": {"options": {"connectorImages": pictures("x")}}}
    signing = {
        "id": "sign",
        "namespace": "eip155",
        "method": "personal_sign",
        "params": ["0x" + "61" * 120_000, _ACCOUNT],
    }
    return [
        *packets,
        _event_packet(script, events["on_call"], options),
        _event_packet(script, events["on_request"], signing),
    ]


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
    return _event_packet(script, name, {"id": "hostile", "method": "open", "params": {"x": [[]] * lists}})


def _event_packet(script: Script, name: str, payload: dict[str, Any]) -> str:
    event = {"name": name, "payload": {"payload": payload}, "router_data": {"pathname": "/", "asPath": "/"}}
    return f"42{script.namespace},{json.dumps(['event', event], separators=(',', ':'))}"


@contextmanager
def _attack(script: Script, packet: str) -> Iterator[None]:
    with _hostile_process("bench.hostile_sockets", {"script": asdict(script), "packet": packet, "count": HOSTILE}):
        yield


@contextmanager
def _hostile_process(module: str, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Runs a module for the length of the block; what it says when it has begun."""
    process = subprocess.Popen(
        [str(VENV_PYTHON), "-m", module],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        if process.stdin is None or process.stdout is None:
            raise CommandError("the hostile sockets were started without their pipes")
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise CommandError("the hostile sockets ended by themselves; their messages above say why")
        said: dict[str, Any] = json.loads(line)
        yield said
    finally:
        process.kill()
        process.communicate()
