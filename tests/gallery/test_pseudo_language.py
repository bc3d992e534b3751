"""The language that shows what is left in English: no text of the catalogue stands outside its brackets, and nothing is cut off by half as much more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from babel.messages.pofile import read_po
from playwright.sync_api import Browser

from scripts.messages import TEMPLATE
from tests.gallery.looks import OF_EACH_VIEW
from tests.gallery.stage import Look, Stage, gallery_server, stage
from walletmodal.features.gallery.entries import BY_ID
from walletmodal.services.pseudo_language import PSEUDO

SAMPLES: Final = frozenset(
    {
        *("Confirmed", "Contract call", "Failed on the network", "In use now", "Not what you approved here", "Send"),
        *("This passkey opens no wallet here. It may have been removed.", "Waiting for the network"),
        "Waiting for your wallet",
    }
)
"""What entries give as plain values in the place of texts that a state makes."""
NAMES: Final = frozenset({"WalletConnect", "Account"})
"""A name, which no language changes; and the name of a view without a heading, which its first script has as it is."""
_TEXTS: Final = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector(".wm-overlay"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) found.push(texts.currentNode.data.trim());
  for (const part of document.querySelectorAll(".wm-overlay *"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) found.push(part.getAttribute(name) ?? "");
  return found;
}"""
_CUT_OFF: Final = """() => [...document.querySelectorAll(".wm-overlay *")]
  .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((part) => part.clientWidth > 1 && getComputedStyle(part).overflowX !== "visible" && part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)"""


@pytest.fixture(scope="module")
def pseudo(tmp_path_factory: pytest.TempPathFactory, gallery_browser: Browser) -> Iterator[Stage]:
    """A phone in that language."""
    with gallery_server(tmp_path_factory.mktemp("pseudo"), LOCALES=f"en,{PSEUDO}") as url:
        yield stage(gallery_browser, Look("pseudo", "light", 390, 760, locale=PSEUDO), url)


@pytest.mark.browser
def test_every_view_has_its_texts_in_the_catalogue_and_room_for_longer_ones(pseudo: Stage) -> None:
    with TEMPLATE.open("rb") as file:
        known = (
            {message.id for message in read_po(file) if isinstance(message.id, str) and message.id} - SAMPLES - NAMES
        )
    english: dict[str, str] = {}
    cut_off: dict[str, str] = {}
    for entry in OF_EACH_VIEW.values():
        page = pseudo.bring(BY_ID[entry])
        english |= {text: entry for text in page.evaluate(_TEXTS) if text in known}
        cut_off |= {text: entry for text in page.evaluate(_CUT_OFF) if "[" in text}
    assert (english, cut_off) == ({}, {})
