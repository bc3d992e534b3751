"""docs/deployment/kubernetes, by the schemas of Kubernetes, and by what the services are."""

from __future__ import annotations

import re
import subprocess
from copy import deepcopy
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from scripts.project import ROOT
from tests.deployment.settings_of_services import seconds_to_end, unknown
from tests.services_fixtures import program
from walletmodal.web.metrics import OPEN_SOCKETS

VERSION = "1.34"
"""Of Kubernetes: the oldest that is still maintained; `preStop.sleep` is in all since 1.30."""
FOLDER = ROOT / "docs" / "deployment" / "kubernetes"
OTLP_PORT = 4318
"""That of OTLP over HTTP."""


def _documents(file: Path) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(file.read_text("utf-8")))


MANIFESTS = {
    f"{file.stem} {number}": document
    for file in sorted(FOLDER.rglob("*.yaml"))
    if file.name not in ("kustomization.yaml", "prometheus-scrape.yaml")
    for number, document in enumerate(_documents(file))
}


def of_kind(kind: str) -> dict[str, Any]:
    return {one["metadata"]["name"]: one for one in MANIFESTS.values() if one["kind"] == kind}


PODS = {name: one["spec"]["template"] for kind in ("Deployment", "Job") for name, one in of_kind(kind).items()}


@pytest.mark.parametrize("name", MANIFESTS)
def test_it_fits_the_schema_and_has_nothing_besides(name: str) -> None:
    kubernetes_validate.validate(MANIFESTS[name], VERSION, strict=True)


def test_every_file_is_among_the_resources() -> None:
    for kustomization in (FOLDER / "kustomization.yaml", FOLDER / "migrations" / "kustomization.yaml"):
        there = {file.name for file in kustomization.parent.glob("*.yaml")} - {"kustomization.yaml"}
        assert set(_documents(kustomization)[0]["resources"]) == there


def test_both_are_of_the_same_image() -> None:
    images = [_documents(FOLDER / folder / "kustomization.yaml")[0]["images"] for folder in (".", "migrations")]
    assert images[0] == images[1]


@pytest.mark.parametrize("name", PODS)
def test_a_pod_may_do_nothing_but_serve(name: str) -> None:
    """By the standard `restricted`, with nothing to write on, nothing of the cluster's, and no variables that look like settings."""
    pod = PODS[name]["spec"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert (pod["automountServiceAccountToken"], pod["enableServiceLinks"]) == (False, False)
    for container in pod["containers"]:
        context = container["securityContext"]
        assert (context["readOnlyRootFilesystem"], context["allowPrivilegeEscalation"]) == (True, False)
        assert context["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


@pytest.mark.parametrize("name", PODS)
def test_what_a_pod_is_given_are_settings_of_its_service(name: str) -> None:
    (container,) = PODS[name]["spec"]["containers"]
    settings = of_kind("ConfigMap")[container["envFrom"][0]["configMapRef"]["name"]]["data"]
    assert unknown(container["args"][0], settings) == set()
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    assert all(value.startswith(mounts["secrets"]) for key, value in settings.items() if key.endswith("_FILE"))


@pytest.mark.parametrize("name", of_kind("Deployment"))
def test_a_server_is_killed_later_than_it_ends_by_itself(name: str) -> None:
    pod = PODS[name]["spec"]
    (container,) = pod["containers"]
    before = container["lifecycle"]["preStop"]["sleep"]["seconds"] if "lifecycle" in container else 0
    given = of_kind("ConfigMap")[name]["data"]
    assert pod["terminationGracePeriodSeconds"] > before + seconds_to_end(container["args"][0], given)


@pytest.mark.parametrize("kind", ["Service", "PodDisruptionBudget", "Deployment"])
def test_who_selects_pods_finds_them(kind: str) -> None:
    for name, one in of_kind(kind).items():
        selector = one["spec"]["selector"]
        assert selector.get("matchLabels", selector).items() <= PODS[name]["metadata"]["labels"].items()


def test_each_service_is_asked_how_it_is_and_loses_one_pod_at_a_time() -> None:
    services = of_kind("Deployment")
    for name, one in services.items():
        (container,) = one["spec"]["template"]["spec"]["containers"]
        asked = [container[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "readiness")]
        assert asked == ["/_health", "/_health"], name
        # A database that is away must have nobody killed.
        assert container["livenessProbe"].get("httpGet", {}).get("path") != "/_health", name
    assert {name: one["spec"]["maxUnavailable"] for name, one in of_kind("PodDisruptionBudget").items()} == dict.fromkeys(services, 1)  # fmt: skip


def test_each_service_has_a_job_that_migrates_its_database() -> None:
    serve = {name: one["spec"]["template"]["spec"]["containers"][0]["args"] for name, one in of_kind("Deployment").items()}  # fmt: skip
    migrate = [one["spec"]["template"]["spec"]["containers"][0]["args"] for one in of_kind("Job").values()]
    assert sorted(migrate) == sorted([*args, "--migrate"] for args in serve.values())


def _patch(document: Any, *, op: str, path: str, value: Any = None) -> None:
    """Carries out an operation of JSON Patch (RFC 6902), as far as ours need it."""
    *above, last = [part.replace("~1", "/") for part in path.split("/")[1:]]
    for part in above:
        document = document[int(part) if isinstance(document, list) else part]
    assert (last in document) == (op != "add")
    if op == "remove":
        del document[last]
    else:
        document[last] = value


def test_what_a_restored_database_needs_is_done_in_the_pods_that_migrate() -> None:
    """By commands of the documentation, as patches of their jobs."""
    (restored,) = _documents(FOLDER / "restored" / "kustomization.yaml")
    assert restored["resources"] == ["../migrations"]
    done = {}
    for patch in restored["patches"]:
        job = deepcopy(of_kind("Job")[patch["target"]["name"]])
        for operation in yaml.safe_load(patch["patch"]):
            _patch(job, **operation)
        kubernetes_validate.validate(job, VERSION, strict=True)
        (container,) = job["spec"]["template"]["spec"]["containers"]
        labels = job["metadata"]["labels"]
        done[job["metadata"]["name"], labels["app.kubernetes.io/instance"]] = container.get("command", ["walletmodal"]) + container.get("args", [])  # fmt: skip
    assert done == {
        ("modal-restored", "modal"): ["walletmodal", "restored"],
        ("secure-restored", "secure"): ["python", "-m", "walletmodal.secure", "restored"],
        ("recovery-restored", "recovery"): ["python", "-m", "walletmodal.secure.recovery", "restored"],
    }


def test_prometheus_reads_each_pod_by_the_job_of_the_alerts(tmp_path: Path) -> None:
    jobs = yaml.safe_load((FOLDER / "monitoring" / "prometheus-scrape.yaml").read_text("utf-8"))
    # Debian's promtool does not know how pods are found.
    (found,) = jobs[0].pop("kubernetes_sd_configs")
    assert found == {
        "role": "pod",
        "namespaces": {"names": [_documents(FOLDER / "kustomization.yaml")[0]["namespace"]]},
    }
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump({"scrape_configs": jobs}))
    command = [program("promtool"), "check", "config", "--syntax-only", str(tmp_path / "prometheus.yml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    alerts = (ROOT / "docs" / "monitoring" / "alerts.yml").read_text("utf-8")
    assert {f'job="{job["job_name"]}"' for job in jobs} == set(re.findall(r'job="\w+"', alerts))
    rules = {rule["source_labels"][0]: rule for rule in jobs[0]["relabel_configs"]}
    pod = PODS["modal"]
    component = rules["__meta_kubernetes_pod_label_app_kubernetes_io_component"]["regex"]
    assert component == pod["metadata"]["labels"]["app.kubernetes.io/component"]
    (port,) = pod["spec"]["containers"][0]["ports"]
    assert rules["__meta_kubernetes_pod_container_port_name"]["regex"] == port["name"]
    assert {rule.get("target_label") for rule in rules.values()} == {None, "namespace", "pod"}


def test_every_pod_has_its_rule_of_what_comes_in_and_goes_out() -> None:
    selected = {
        policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/component")
        for policy in of_kind("NetworkPolicy").values()
    }
    assert {pod["metadata"]["labels"]["app.kubernetes.io/component"] for pod in PODS.values()} <= selected


def grows_by() -> list[str]:
    metrics = of_kind("HorizontalPodAutoscaler")["modal"]["spec"]["metrics"]
    return [metric["pods"]["metric"]["name"] for metric in metrics if metric["type"] == "Pods"]


def test_it_grows_by_the_open_sockets_as_the_figures_name_them() -> None:
    assert grows_by() == [sample.name for sample in OPEN_SOCKETS.collect()]


def test_the_adapter_of_prometheus_gives_out_what_it_grows_by_of_each_pod() -> None:
    (rule,) = yaml.safe_load(of_kind("ConfigMap")["walletmodal-rules"]["data"]["config.yaml"])["rules"]
    labels = ("namespace", "pod")
    # Without a name of its own a figure is given out under that of its series.
    assert "name" not in rule
    assert [rule["seriesQuery"]] == [f'{name}{{namespace!="",pod!=""}}' for name in grows_by()]
    assert rule["resources"]["overrides"] == {label: {"resource": label} for label in labels}
    assert rule["metricsQuery"] == "sum(<<.Series>>{<<.LabelMatchers>>}) by (<<.GroupBy>>)"


def test_traces_may_go_to_a_collector_of_the_cluster() -> None:
    labels = PODS["modal"]["metadata"]["labels"].items()
    policies = [one["spec"] for one in of_kind("NetworkPolicy").values()]
    of_modal = [one for one in policies if one["podSelector"].get("matchLabels", {}).items() <= labels]
    ports = [port for policy in of_modal for way in policy.get("egress", ()) for port in way["ports"]]
    assert {"port": OTLP_PORT} in ports


def test_no_visitor_is_kept_to_one_server() -> None:
    assert all("sessionAffinity" not in service["spec"] for service in of_kind("Service").values())
    assert all("annotations" not in ingress["metadata"] for ingress in of_kind("Ingress").values())


def test_the_ingress_leads_to_services_that_are_there() -> None:
    rules = [rule for ingress in of_kind("Ingress").values() for rule in ingress["spec"]["rules"]]
    backends = [path["backend"]["service"] for rule in rules for path in rule["http"]["paths"]]
    assert {backend["name"] for backend in backends} == set(of_kind("Deployment"))
    ports = {name: {port["name"] for port in one["spec"]["ports"]} for name, one in of_kind("Service").items()}
    assert all(backend["port"]["name"] in ports[backend["name"]] for backend in backends)
