"""The proxies of docs/operations.md as programs that run."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.project import ROOT
from tests.services_fixtures import program

NAME = "modal.example.com"
_DOCUMENT = (ROOT / "docs" / "operations.md").read_text("utf-8")
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def sample(language: str, begin: str = "") -> str:
    """The only one of its language that begins so."""
    (found,) = re.findall(rf"^```{language}\n({re.escape(begin)}.*?)^```", _DOCUMENT, re.MULTILINE | re.DOTALL)
    return str(found)


def with_own(text: str, replacements: dict[str, str]) -> str:
    """The sample with the ports and files of a test in the place of its own, which it must have."""
    for theirs, ours in replacements.items():
        assert theirs in text
        text = text.replace(theirs, ours)
    return text


def nginx_command(folder: Path, site: str) -> list[str]:
    """Runs nginx with what the samples say, and its files in a folder."""
    temporary = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in _TEMPORARY)
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{}}\nhttp {{\n{temporary}\n{site}}}\n"
    )
    return [
        program("nginx", "usr/sbin"),
        "-p",
        str(folder),
        "-e",
        f"{folder}/error.log",
        "-c",
        f"{folder}/nginx.conf",
    ]
