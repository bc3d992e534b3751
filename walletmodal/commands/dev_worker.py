"""The server that `walletmodal dev` starts anew after each save.

Reflex's supervisor forks it, with what no save can have changed in memory already; of the project only what `rxconfig.py` needs, which can
be imported twice. What does not load is told in the page.
"""

import gc
import importlib
import json
import subprocess
import sys
import traceback
from contextlib import redirect_stdout, suppress
from typing import Any

from reflex_base.config import get_config, reload_config

from walletmodal.commands.own_errors import Place, own_files, place_of
from walletmodal.commands.project import failure_file


def _own_modules() -> dict[str, str]:
    """The names of the project's modules that are loaded, with their files."""
    return own_files((name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items()))


def list_modules() -> subprocess.Popen[str]:
    """Begin to list, for `preload`, what the project's app imports from elsewhere."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def preload(listing: subprocess.Popen[str]) -> None:
    """Import what was listed, so that no worker has to: it is most of what the app imports, in a project also the product."""
    for name in listing.communicate()[0].split():
        # Some are in `sys.modules` by a name by which nobody can import them.
        with suppress(Exception):
            importlib.import_module(name)


def app() -> Any:
    """Load the project's app and compile its pages, as Reflex would.

    Raises SystemExit when it cannot be; what is wrong is in `failure_file` until the next one can.
    """
    # What is made here stays: there is no garbage yet.
    gc.disable()
    try:
        # Reflex's supervisor has read `rxconfig.py`, and with it the theme.
        for name in _own_modules():
            del sys.modules[name]
        made = importlib.import_module(reload_config().module).app()
    except Exception as error:
        told = _describe(error)
        failure_file().write_text(json.dumps(told), "utf-8")
        print(told["stack"], file=sys.stderr, flush=True)
        raise SystemExit(1) from error
    gc.enable()
    failure_file().unlink(missing_ok=True)
    return made


def _describe(error: Exception) -> dict[str, Any]:
    """An error as Vite's overlay shows it: its place in the project, and of the stack what is the project's."""
    place = place_of(error)
    if place is None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = Place(last.filename, last.lineno or 1, (last.colno or 0) + 1, [last])
    only = traceback.format_exception_only(error)
    return {
        # Of a syntax error the line and its place come first.
        "message": only[-1].strip(),
        "stack": "".join([*traceback.format_list(place.stack), *only]),
        "loc": {"file": place.file, "line": place.line, "column": place.column},
    }


def main() -> None:
    """Print the modules that the project's app imports and that are not the project's own, in the order of the imports."""
    # What does not load is told by the worker.
    with redirect_stdout(sys.stderr), suppress(Exception, SystemExit):
        importlib.import_module(get_config().module)
    own = _own_modules()
    print("\n".join(name for name in sys.modules if name not in own and name != "__main__"))


if __name__ == "__main__":
    main()
