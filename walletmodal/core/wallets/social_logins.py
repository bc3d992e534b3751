"""Social logins that are offered, and the layout of their buttons."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.protocol.options import Social

System = Literal["ios", "mac", "android", "other"]

_NOT_IN_TELEGRAM: Final[dict[System, frozenset[Social]]] = {
    "ios": frozenset({"google"}),
    "mac": frozenset({"x"}),
    "android": frozenset({"facebook", "x"}),
    "other": frozenset(),
}
_MAX_IN_A_ROW: Final = 6
_LOGOS_BEFORE_MORE: Final = 4


@dataclass(frozen=True, slots=True)
class SocialButtons:
    """The buttons of the social logins.

    Attributes:
        wide: the one with a whole row and the text 'Continue with …', or None.
        logos: those with their logo alone.
        more: whether a button leads to the others.
    """

    wide: Social | None
    logos: tuple[Social, ...]
    more: bool


def socials_offered(socials: Iterable[Social], *, telegram: bool, system: System) -> tuple[Social, ...]:
    """The host's social logins without those that Telegram's browser cannot open on the visitor's system."""
    dropped = _NOT_IN_TELEGRAM[system] if telegram else frozenset[Social]()
    return tuple(dict.fromkeys(social for social in socials if social not in dropped))


def social_buttons(socials: Sequence[Social]) -> SocialButtons:
    """Two logins are two logos; otherwise the first has a row of its own, and of more than six the last ones are behind 'more'."""
    if len(socials) == 2:
        return SocialButtons(None, tuple(socials), more=False)
    first, rest = (socials[0], tuple(socials[1:])) if socials else (None, ())
    if len(socials) > _MAX_IN_A_ROW:
        return SocialButtons(first, rest[:_LOGOS_BEFORE_MORE], more=True)
    return SocialButtons(first, rest, more=False)
