"""Social logins in Telegram, and their buttons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.protocol.options import Features, Social
from walletmodal.core.wallets.social_logins import SocialButtons, System, social_buttons, socials_offered

ALL = Features().socials


@pytest.mark.parametrize(
    ("system", "dropped"), [("ios", {"google"}), ("mac", {"x"}), ("android", {"facebook", "x"}), ("other", set())]
)
def test_telegram_cannot_open_every_login(system: System, dropped: set[Social]) -> None:
    assert socials_offered(ALL, telegram=True, system=system) == tuple(s for s in ALL if s not in dropped)


@pytest.mark.parametrize("system", ["ios", "mac", "android", "other"])
def test_outside_telegram_every_login_is_offered(system: System) -> None:
    assert socials_offered(ALL, telegram=False, system=system) == ALL


def test_the_hosts_order_is_kept_without_repetition() -> None:
    assert socials_offered(("x", "google", "x"), telegram=True, system="ios") == ("x",)


@pytest.mark.parametrize(
    ("socials", "buttons"),
    [
        ((), SocialButtons(None, (), more=False)),
        (("google",), SocialButtons("google", (), more=False)),
        (("google", "x"), SocialButtons(None, ("google", "x"), more=False)),
        (("google", "x", "apple"), SocialButtons("google", ("x", "apple"), more=False)),
        (ALL[:6], SocialButtons(ALL[0], ALL[1:6], more=False)),
        (ALL, SocialButtons(ALL[0], ALL[1:5], more=True)),
    ],
)
def test_how_the_buttons_stand(socials: tuple[Social, ...], buttons: SocialButtons) -> None:
    assert social_buttons(socials) == buttons


@given(st.lists(st.sampled_from(ALL), unique=True))
def test_every_login_has_a_button_or_is_behind_more(socials: list[Social]) -> None:
    buttons = social_buttons(socials)
    shown = [*([buttons.wide] if buttons.wide else []), *buttons.logos]
    assert shown == socials[: len(shown)]
    assert buttons.more is (len(shown) < len(socials))
