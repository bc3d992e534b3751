"""The doctor on the catalogues of a project."""

import shutil
from pathlib import Path

import pytest

from walletmodal.config import Settings
from walletmodal.core.errors import CatalogueError
from walletmodal.operator.look_at_catalogues import catalogues
from walletmodal.services.languages import BUNDLED

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def translate(project: Path, tag: str, **texts: str) -> Path:
    """Writes a catalogue; returns it."""
    file = project / "locale" / tag / "LC_MESSAGES" / "walletmodal.po"
    file.parent.mkdir(parents=True)
    file.write_text(HEAD + "\n".join(f'msgid "{text}"\nmsgstr "{said}"\n' for text, said in texts.items()))
    return file


async def found(**chosen: object) -> list[tuple[str, str]]:
    """What is said, and how grave it is."""
    settings = Settings(_env_file=None, networks=("eip155:1",), **chosen)  # type: ignore[arg-type]  # of each its own
    return [(one.state, one.text) for one in await catalogues(settings)]


async def test_a_project_without_catalogues_hears_nothing_of_them(project: Path) -> None:
    assert await found() == []


async def test_texts_of_the_product_and_of_the_projects_modules_are_in_order(project: Path) -> None:
    (project / "mine.py").write_text("from walletmodal.core.language import _\ntitle = _('Your ' 'points')\n")
    translate(project, "de", **{"Connect Wallet": "Anmelden", "Your points": "Deine Punkte"})
    assert await found() == [("ok", "every translation of the project is used")]


async def test_a_translation_of_what_is_no_text_any_more_is_named(project: Path) -> None:
    file = translate(project, "de", **{"Connect Your Wallet": "Anmelden"})
    assert await found() == [
        ("warning", f"{file}: 'Connect Your Wallet' is a text neither of walletmodal nor of the project's modules")
    ]


async def test_a_translation_that_is_not_used_is_named(project: Path) -> None:
    file = translate(project, "de", **{"Connect Wallet": "Anmelden, {name}"})
    assert await found() == [
        ("warning", f"{file}: the translation of 'Connect Wallet' has {{name}}, which the text has not")
    ]


async def test_what_a_language_of_the_projects_own_lacks_is_counted(project: Path) -> None:
    file = translate(project, "sv", **{"Connect Wallet": "Anslut plånboken", "Close": ""})
    [(state, text)] = await found()
    missing, of, whole, *_ = text.removeprefix(f"{file}: ").split()
    assert (state, of, int(whole) - int(missing)) == ("warning", "of", 1)


async def test_a_whole_language_lacks_nothing(project: Path) -> None:
    file = translate(project, "sv")
    shutil.copy(BUNDLED / "de" / "LC_MESSAGES" / "walletmodal.po", file)
    assert await found() == [("ok", "every translation of the project is used")]


async def test_a_language_that_is_offered_and_has_no_catalogue_has_failed(project: Path) -> None:
    with pytest.raises(CatalogueError, match="there is no catalogue of sv"):
        await found(locales=("sv",))
