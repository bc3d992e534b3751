"""Mails in any language: paragraphs, as plain text and as HTML."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from walletmodal.core.language.localized import say
from walletmodal.secure.login.smtp import Mail
from walletmodal.services.languages import Spoken


@dataclass(frozen=True, slots=True)
class Big:
    """A code, large."""

    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link."""

    label: str
    url: str


Part = str | Big | Link


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in any language.

    Attributes:
        to: address.
        subject: its subject.
        parts: paragraphs; "" is none.
    """

    to: str
    subject: str
    parts: Sequence[Part]

    def said_in(self, language: Spoken) -> Mail:
        """The mail in that language."""
        every = [_said(part, language) for part in self.parts if part]
        content = _page("".join(map(_html, every)), language)
        return Mail(self.to, say(self.subject, language.other), "\n\n".join(map(_plain, every)) + "\n", content)


def _said(part: Part, language: Spoken) -> Part:
    if isinstance(part, Link):
        return Link(say(part.label, language.other), part.url)
    return say(part, language.other) if isinstance(part, str) else part


def _plain(part: Part) -> str:
    if isinstance(part, Big):
        return f"    {part.text}"
    return f"{part.label}:\n{part.url}" if isinstance(part, Link) else part


def _html(part: Part) -> str:
    if isinstance(part, Big):
        return f'<p style="font-size:32px;letter-spacing:6px;font-weight:600;margin:16px 0">{escape(part.text)}</p>'
    if isinstance(part, Link):
        return f'<p><a href="{escape(part.url)}">{escape(part.label)}</a></p>'
    return f"<p>{escape(part)}</p>"


def _page(content: str, language: Spoken) -> str:
    direction = ' dir="rtl"' if language.rtl else ""
    return (
        f'<!doctype html><html lang="{language.tag}"{direction}><head><meta charset="utf-8"></head>'
        '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;color:#141414;max-width:480px;margin:0 auto;padding:24px">'
        f"{content}</body></html>"
    )
