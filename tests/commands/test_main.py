"""The command line: what is asked of which module, and how it ends."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from walletmodal.commands import main as main_module
from walletmodal.commands.main import COMMANDS, main
from walletmodal.commands.project import CommandError
from walletmodal.core.errors import CatalogueError, SettingProblem, SettingsError


def ending(monkeypatch: pytest.MonkeyPatch, error: Exception | None = None) -> None:
    """Let the command that is asked for end like this."""

    def command(_asked: object) -> None:
        if error is not None:
            raise error

    monkeypatch.setattr(main_module, "import_module", lambda _name: SimpleNamespace(__doc__="", command=command))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module(name: str) -> None:
    assert callable(import_module(f"walletmodal.commands.{name.replace('-', '_')}").command)


def test_every_command_is_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    told = capsys.readouterr().out
    assert [
        name for name in (*COMMANDS, "doctor", "sessions", "requests", "keys", "backup", "restore") if name not in told
    ] == []


def test_a_command_that_is_done_ends_with_0(monkeypatch: pytest.MonkeyPatch) -> None:
    ending(monkeypatch)
    assert main(["build"]) == 0


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (CommandError("no rxconfig.py"), 1, "no rxconfig.py"),
        (SettingsError([SettingProblem("WORKERS", "must be a number", "1")]), 2, "WORKERS"),
        (CatalogueError("locale/de: no catalogue"), 2, "locale/de: no catalogue"),
        (ModuleNotFoundError("No module named 'reflex'", name="reflex"), 1, "pip install 'walletmodal[server]'"),
    ],
)
def test_what_keeps_a_command_from_its_work_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, status: int, told: str
) -> None:
    ending(monkeypatch, error)
    with pytest.raises(SystemExit) as ended:
        main(["build"])
    assert (ended.value.code, told in capsys.readouterr().err) == (status, True)
