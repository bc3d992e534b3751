"""Renews the baselines: `python -m tests.gallery.update [part of an id …]`. Look at what git shows before committing it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.gallery.looks import PICTURES, entries_in
from tests.gallery.pictures import BASELINES, baseline, difference, write
from tests.gallery.stage import LANGUAGES, LOOKS, chromium, gallery_server, stage


def main() -> None:
    """Photographs the entries that look different, and removes pictures that no entry has."""
    asked = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, gallery_server(Path(folder)) as url, chromium() as browser:
        for look in (*LOOKS, *LANGUAGES):
            page = stage(browser, look, url)
            for entry in entries_in(look):
                if not entry.photographed or (asked and not any(part in entry.id for part in asked)):
                    continue
                path, picture = baseline(entry, look), page.turn_to(entry)
                if not path.exists() or difference(path, picture):
                    write(path, picture)
                    sys.stdout.write(f"{path.name}\n")
    wanted = {baseline(entry, look).name for look, entry in PICTURES}
    for path in BASELINES.glob("*.png"):
        if path.name not in wanted:
            path.unlink()


if __name__ == "__main__":
    main()
