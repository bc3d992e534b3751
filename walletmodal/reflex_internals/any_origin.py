"""Making a built front end serve any origin.

`reflex export` bakes the server's URL into the client as string literals. The build gives it a host that cannot exist and this
module turns each such literal into an expression on the page's own origin, so that one build works behind any name and port.

Why: as above.
Test: `test_the_client_is_given_the_servers_address_as_it_is_configured`.
Dropped when: Reflex takes a URL that is relative to the page.
"""

import re
from pathlib import Path
from typing import Any

import reflex as rx

PLACEHOLDER_HOST = "modal.invalid"
PLACEHOLDER_URL = f"http://{PLACEHOLDER_HOST}"

_LITERAL = re.compile(r"([\"'`])(http|ws)s?://" + re.escape(PLACEHOLDER_HOST) + r"([^\"'`$\\]*)\1")
_TEXT_SUFFIXES = frozenset({".js", ".mjs", ".html", ".css", ".json", ".xml", ".txt", ".map"})
_ORIGIN = {"http": "location.origin", "ws": 'location.origin.replace(/^http/,"ws")'}


class RewriteError(Exception):
    """The built client names the placeholder host in a form that this module does not know."""


def rewrite_text(script: str) -> str:
    """Replace each quoted URL of the placeholder host in a script by an expression on `location.origin`."""
    return _LITERAL.sub(lambda found: f'({_ORIGIN[found[2]]}+"{found[3]}")', script)


def rewrite_tree(folder: Path) -> list[Path]:
    """Rewrite every script under `folder`; returns the changed files.

    Raises RewriteError when a file still names the placeholder, and when nothing named it: then the build was not made for us.
    """
    changed: list[Path] = []
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.suffix not in _TEXT_SUFFIXES:
            continue
        text = file.read_text(encoding="utf-8")
        if PLACEHOLDER_HOST not in text:
            continue
        rewritten = rewrite_text(text) if file.suffix in {".js", ".mjs"} else text
        if PLACEHOLDER_HOST in rewritten:
            at = rewritten.index(PLACEHOLDER_HOST)
            raise RewriteError(
                f"{file.name} names {PLACEHOLDER_HOST} in an unknown form: …{rewritten[max(0, at - 40) : at + 40]}…"
            )
        file.write_text(rewritten, encoding="utf-8")
        changed.append(file)
    if not changed:
        raise RewriteError(f"no built script names {PLACEHOLDER_HOST}: the server's URL is not where it was")
    return changed


class AnyOrigin(rx.plugins.Plugin):
    """Rewrites what `reflex export` has built for the placeholder host, before it is compressed."""

    def post_build(self, **context: Any) -> None:
        """Rewrite the built client.

        Raises:
            RewriteError: see `rewrite_tree`.
        """
        if rx.config.get_config().api_url == PLACEHOLDER_URL:
            rewrite_tree(context["static_dir"])
