"""A request for permissions as it is read: what its grants have come to, and how much of them may be read."""

from collections.abc import Iterator, Sized
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.language import Localized
from walletmodal.core.permissions.dangers import DANGER_TEXTS, Danger
from walletmodal.core.requests.summary_parts import Limits, Part, Row, Token, Tokens, json_rows, short_text
from walletmodal.core.requests.typed_request import HostedRequest

MAX_RULES: Final = 500
"""Rules, policies and fields of no known meaning, of all permissions together."""


@dataclass(slots=True)
class GrantReading:
    """What the grants have come to so far.

    Attributes:
        request: that is read.
        limits: of its summary.
        tokens: what is known of tokens, by contract.
        chain: of the grant that is read, CAIP-2.
        until: when that grant ends, in Unix seconds; None for never, or where that cannot be read.
        parts, warnings, dangers: of the summary.
        wanted: contracts of tokens of which more is to be known.
        rules: how many were read.
    """

    request: HostedRequest
    limits: Limits
    tokens: Tokens
    chain: str = ""
    until: int | None = None
    parts: list[Part] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    wanted: list[str] = field(default_factory=list)
    dangers: list[Danger] = field(default_factory=list)
    rules: int = 0

    def count(self, *read: Sized) -> None:
        """Counts rules that are to be read.

        Raises:
            PayloadError: nobody could read so many.
        """
        self.rules += sum(map(len, read))
        if self.rules > MAX_RULES:
            raise PayloadError("The permissions cannot be read", details="too many rules")

    def warn(self, text: str) -> None:
        """Adds a warning, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def endanger(self, danger: Danger) -> None:
        """Adds a danger, once, and its warning."""
        if danger not in self.dangers:
            self.dangers.append(danger)
        self.warn(DANGER_TEXTS[danger])

    def add(self, title: str, rows: list[Row]) -> None:
        """Adds a part, whose rows are cut at the limit."""
        if len(rows) > self.limits.rows:
            rows = [*rows[: self.limits.rows], Row("", "…")]
        self.parts.append(Part(title, tuple(rows)))

    def raw(self, name: str, value: object) -> Iterator[Row]:
        """Makes the rows of what is not understood, as it came."""
        shown = name if isinstance(name, Localized) else short_text(name, 64)
        return islice(json_rows(shown, value, 0, self.limits), self.limits.rows + 1)

    def token(self, contract: str) -> Token | None:
        """Finds what is known of a token; nothing of those of other networks."""
        return self.tokens.get(contract) if self.chain == str(self.request.chain) else None
