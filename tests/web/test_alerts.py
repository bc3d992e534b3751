"""Prometheus reads the alerts and panels of docs/monitoring, and each alert comes when its figure says so, and then alone."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Final

import pytest
import yaml

from scripts.project import ROOT
from tests.patience import START_SECONDS

MONITORING: Final = ROOT / "docs" / "monitoring"
RULES: Final = MONITORING / "alerts.yml"
DASHBOARD: Final = json.loads((MONITORING / "grafana.json").read_text("utf-8"))
MINUTES: Final = 120
"""Longer than any alert waits."""

# Values a minute, as promtool has them: `start+step x times`.
QUIET: Final = f"0x{MINUTES}"
SLOWLY: Final = f"0+60x{MINUTES}"
FAST: Final = f"0+600x{MINUTES}"

ORDINARY: Final = {
    'up{job="walletmodal",instance="a"}': f"1x{MINUTES}",
    'walletmodal_event_seconds_bucket{instance="a",part="send",kind="foreground",le="0.1"}': FAST,
    'walletmodal_event_seconds_bucket{instance="a",part="send",kind="foreground",le="1.0"}': FAST,
    'walletmodal_event_seconds_bucket{instance="a",part="send",kind="foreground",le="+Inf"}': FAST,
    'walletmodal_event_seconds_bucket{instance="a",part="sign_in",kind="background",le="1.0"}': QUIET,
    'walletmodal_event_seconds_bucket{instance="a",part="sign_in",kind="background",le="+Inf"}': FAST,
    'walletmodal_loop_delay_seconds_bucket{instance="a",le="0.05"}': SLOWLY,
    'walletmodal_loop_delay_seconds_bucket{instance="a",le="1.0"}': SLOWLY,
    'walletmodal_loop_delay_seconds_bucket{instance="a",le="+Inf"}': SLOWLY,
    'walletmodal_refreshes_left_out_total{instance="a"}': QUIET,
    'walletmodal_failures_total{instance="a",kind="event"}': QUIET,
    'walletmodal_http_seconds_count{instance="a",status="2xx"}': FAST,
    'walletmodal_http_seconds_count{instance="a",status="5xx"}': QUIET,
    'walletmodal_sign_ins_total{instance="a",outcome="signed_in"}': FAST,
    'walletmodal_sign_ins_total{instance="a",outcome="another_account"}': FAST,
    'walletmodal_sign_ins_total{instance="a",outcome="unavailable"}': QUIET,
    'walletmodal_node_seconds_count{instance="a",network="eip155:1"}': FAST,
    'walletmodal_node_failures_total{instance="a",network="eip155:1"}': QUIET,
    'walletmodal_database_failures_total{instance="a",kind="timeout"}': QUIET,
    'walletmodal_record_up{instance="a"}': f"1x{MINUTES}",
    'walletmodal_audit_lost_total{instance="a"}': QUIET,
    'walletmodal_cache_failures_total{instance="a"}': QUIET,
    'walletmodal_webhook_oldest_seconds{instance="a"}': f"30x{MINUTES}",
    'walletmodal_webhook_events{instance="a",state="waiting"}': f"5x{MINUTES}",
    'walletmodal_webhook_events{instance="a",state="failed"}': QUIET,
    'walletmodal_signing_key_age_seconds{instance="a"}': f"86400x{MINUTES}",
}
"""Of a deployment that does what it should."""

FIRES: Final = {
    "WalletModalDown": {'up{job="walletmodal",instance="a"}': QUIET},
    "WalletModalSlowEvents": {
        'walletmodal_event_seconds_bucket{instance="a",part="send",kind="foreground",le="0.1"}': QUIET
    },
    "WalletModalWorkersFull": {'walletmodal_loop_delay_seconds_bucket{instance="a",le="0.05"}': QUIET},
    "WalletModalRefreshesLeftOut": {'walletmodal_refreshes_left_out_total{instance="a"}': SLOWLY},
    "WalletModalErrors": {'walletmodal_failures_total{instance="a",kind="event"}': f"0+2x{MINUTES}"},
    "WalletModalHttpErrors": {'walletmodal_http_seconds_count{instance="a",status="5xx"}': f"0+12x{MINUTES}"},
    "WalletModalSignInsFail": {'walletmodal_sign_ins_total{instance="a",outcome="unavailable"}': f"0+120x{MINUTES}"},
    "WalletModalNodeFails": {'walletmodal_node_failures_total{instance="a",network="eip155:1"}': f"0+150x{MINUTES}"},
    "WalletModalDatabaseFails": {'walletmodal_record_up{instance="a"}': QUIET},
    "WalletModalAuditLost": {'walletmodal_audit_lost_total{instance="a"}': f"0+1x{MINUTES}"},
    "WalletModalRedisFails": {'walletmodal_cache_failures_total{instance="a"}': f"0+2x{MINUTES}"},
    "WalletModalWebhooksLate": {'walletmodal_webhook_oldest_seconds{instance="a"}': f"1000x{MINUTES}"},
    "WalletModalWebhooksGivenUp": {'walletmodal_webhook_events{instance="a",state="failed"}': f"1x{MINUTES}"},
    "WalletModalSigningKeyOld": {'walletmodal_signing_key_age_seconds{instance="a"}': f"2764800x{MINUTES}"},
}
"""What is otherwise where an alert comes."""


def promtool(*arguments: str | Path) -> None:
    done = subprocess.run(
        ["promtool", *map(str, arguments)], capture_output=True, text=True, timeout=START_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_prometheus_reads_alerts_and_panels(tmp_path: Path) -> None:
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    rules = [
        {"record": f"panel:{number}", "expr": expression.replace("$__rate_interval", "5m")}
        for number, expression in enumerate(panels)
    ]
    file = tmp_path / "panels.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}))
    promtool("check", "rules", file, RULES)


@pytest.mark.parametrize(
    ("alerts", "otherwise"),
    [([], {}), *(([alert], series) for alert, series in FIRES.items())],
    ids=["ordinary", *FIRES],
)
def test_an_alert_comes_when_its_figure_says_so_and_alone(
    tmp_path: Path, alerts: list[str], otherwise: dict[str, str]
) -> None:
    assert otherwise.keys() <= ORDINARY.keys()
    assert_fires(alerts, ORDINARY | otherwise, tmp_path)


def test_who_has_no_server_any_more_is_told_so(tmp_path: Path) -> None:
    """As where all of them are gone from a cluster, and nothing is left to be scraped."""
    assert_fires(
        ["WalletModalDown"], {name: values for name, values in ORDINARY.items() if "up{" not in name}, tmp_path
    )


def assert_fires(alerts: list[str], figures: dict[str, str], tmp_path: Path) -> None:
    case = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in figures.items()],
        "promql_expr_test": [
            {
                "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
                "eval_time": f"{MINUTES}m",
                "exp_samples": [{"labels": f'{{alertname="{alert}"}}', "value": 1} for alert in alerts],
            }
        ],
    }
    file = tmp_path / "case.yml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": [case]}))
    promtool("test", "rules", file)


def test_every_alert_is_tried() -> None:
    assert re.findall(r"^ +- alert: (\w+)$", RULES.read_text("utf-8"), re.MULTILINE) == list(FIRES)
