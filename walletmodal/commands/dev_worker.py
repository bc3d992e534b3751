"""The server that `walletmodal dev` starts anew after each save.

Reflex's supervisor forks it, with all of the product in memory already, and its views compiled; of it is imported anew what the save has
outdated, and the project's own modules always are. What does not load is told in the page.
"""

import gc
import importlib
import json
import subprocess
import sys
import traceback
import warnings
from contextlib import redirect_stdout, suppress
from typing import Any, Final

from reflex_base.config import get_config, reload_config
from sqlalchemy.exc import SAWarning

from walletmodal.commands.dev_modules import Loaded, forget
from walletmodal.commands.own_errors import Place, own_files, place_of
from walletmodal.commands.project import failure_file
from walletmodal.reflex_internals.compiled_ahead import compile_ahead

_PRODUCT: Final = "walletmodal"

_loaded = Loaded({})
"""In a checkout, where the product's modules are the project's: those of them that the supervisor has imported."""


def _own_modules() -> dict[str, str]:
    """The names of the project's modules that are loaded, with their files."""
    return own_files((name, getattr(module, "__file__", None)) for name, module in list(sys.modules.items()))


def list_modules() -> subprocess.Popen[str]:
    """Begin to list, for `preload`, what the project's app imports."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def preload(listing: subprocess.Popen[str]) -> None:
    """Import what was listed, so that no worker has to, and compile the product's views, but for those that show something of the project's."""
    global _loaded  # noqa: PLW0603 - the workers are forked
    listed = dict(line.split("\t") for line in listing.communicate()[0].splitlines())
    _loaded = Loaded({name: file for name, file in listed.items() if file})
    for name in listed:
        # Some are in `sys.modules` by a name by which nobody can import them.
        with suppress(Exception):
            importlib.import_module(name)
    if own_parts := sys.modules.get("walletmodal.ui.own_parts"):
        compile_ahead(own_parts.OWN)


def app() -> Any:
    """Load the project's app and compile its pages, as Reflex would.

    Raises SystemExit when it cannot be; what is wrong is in `failure_file` until the next one can.
    """
    # What is made here stays: there is no garbage yet.
    gc.disable()
    try:
        # Reflex's supervisor has read `rxconfig.py`, and with it the theme.
        # Of tables that are defined anew.
        warnings.filterwarnings("ignore", "This declarative base already contains a class", SAWarning)
        forget(_loaded.outdated() | {name for name in _own_modules() if name not in _loaded})
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
    """Print the modules that the project's app imports, in the order of the imports, and of those of a checkout their files.

    The project's own are left out, which may do anything when they are imported, and so is the module of the app.
    """
    app_module = get_config().module
    # What does not load is told by the worker.
    with redirect_stdout(sys.stderr), suppress(Exception, SystemExit):
        importlib.import_module(app_module)
    own = _own_modules()
    for name in sys.modules:
        if name not in {"__main__", app_module} and (name not in own or name.partition(".")[0] == _PRODUCT):
            print(name, own.get(name, ""), sep="\t")


if __name__ == "__main__":
    main()
