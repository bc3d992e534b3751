"""The doctor on the project's own catalogues: what in them is not used, not there any more, or missing."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from walletmodal.config import Settings
from walletmodal.operator.findings import Finding, ok, warning
from walletmodal.operator.look_at_own_code import own_modules
from walletmodal.services.languages import BUNDLED, Languages, faults, gaps


def catalogue_sentences(folder: Path) -> list[str]:
    """What is wrong with the catalogues of a project, and does not keep it from its start.

    Raises CatalogueError when something does.
    """
    return [*faults(folder), *gaps(folder, own_modules() or ())]


async def catalogues(settings: Settings) -> Sequence[Finding]:
    """Whether all translations of the project are used, and none is missing; nothing where it has none."""
    folder = Path.cwd() / "locale"
    Languages(settings.locales, (BUNDLED, folder))
    found = await asyncio.to_thread(catalogue_sentences, folder)
    if found or not folder.is_dir():
        return [warning("catalogues", sentence) for sentence in found]
    return [ok("catalogues", "every translation of the project is used")]
