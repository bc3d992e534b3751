"""`make audit` tells what is known, and says plainly where nothing could be asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from scripts.audit import NONE_KNOWN, NOT_ASKED, SOME_KNOWN, Audit, audit_npm, audit_python, report

LOCK = f"greeting==1.0 --hash=sha256:{'0' * 64}\n"
NOWHERE = "http://127.0.0.1:9"
OF_GREETING = {
    "id": "PYSEC-2026-1",
    "summary": "too friendly",
    "published": "2026-01-01T00:00:00Z",
    "modified": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "greeting", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}],
            "versions": ["1.0"],
        }
    ],
}
OF_CURIOUS = {
    "curious": [
        {
            "id": 1,
            "url": "https://example.com/1",
            "title": "asks too much",
            "severity": "high",
            "vulnerable_versions": "<2.0.0",
            "cwe": [],
            "cvss": {"score": 0},
        }
    ]
}


@contextmanager
def source(answer: object) -> Iterator[str]:
    """A source of advisories on this machine, which answers every question with the same."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    (tmp_path / "some.lock").write_text(LOCK)
    return tmp_path / "some.lock"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the lock of one npm package, and a cache of its own."""
    monkeypatch.setenv("NPM_CONFIG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NPM_CONFIG_FETCH_RETRIES", "0")
    root = {"name": "some", "version": "1.0.0", "dependencies": {"curious": "1.0.0"}}
    (tmp_path / "package.json").write_text(json.dumps(root))
    packages = {"": root, "node_modules/curious": {"version": "1.0.0", "integrity": "sha512-AAAA"}}
    (tmp_path / "package-lock.json").write_text(
        json.dumps({"name": "some", "lockfileVersion": 3, "packages": packages})
    )
    return tmp_path


def osv(url: str) -> list[str]:
    return ["--vulnerability-service", "osv", "--osv-url", url]


def test_a_known_vulnerability_of_a_python_package_is_named_with_what_repairs_it(lock: Path) -> None:
    with source({"vulns": [OF_GREETING]}) as url:
        audit = audit_python(lock, osv(url))
    assert audit == Audit(lock, ["greeting 1.0: PYSEC-2026-1 (repaired in 1.1)"])


def test_a_python_package_without_known_ones_is_told_so(lock: Path) -> None:
    with source({}) as url:
        assert audit_python(lock, osv(url)) == Audit(lock, [])


def test_a_source_of_python_advisories_that_is_not_there_is_said(lock: Path) -> None:
    audit = audit_python(lock, osv(NOWHERE))
    assert audit.problem
    assert not audit.vulnerabilities


def test_a_known_vulnerability_of_an_npm_package_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with source(OF_CURIOUS) as url:
        monkeypatch.setenv("NPM_CONFIG_REGISTRY", url)
        audit = audit_npm(folder)
    assert audit == Audit(folder / "package-lock.json", ["curious: asks too much (high)"])


def test_a_source_of_npm_advisories_that_is_not_there_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NPM_CONFIG_REGISTRY", NOWHERE)
    audit = audit_npm(folder)
    assert audit.problem
    assert not audit.vulnerabilities


@pytest.mark.parametrize(
    ("audits", "status"),
    [
        ([Audit(Path("a")), Audit(Path("b"))], NONE_KNOWN),
        ([Audit(Path("a")), Audit(Path("b"), problem="away")], NOT_ASKED),
        ([Audit(Path("a"), ["x 1: bad"]), Audit(Path("b"), problem="away")], SOME_KNOWN),
    ],
)
def test_silence_never_passes_for_good_news(
    audits: list[Audit], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(audits) == status
    told = capsys.readouterr().out
    assert ("COULD NOT BE LOOKED UP" in told) == any(audit.problem for audit in audits)
