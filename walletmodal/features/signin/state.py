"""What other features know of sign-ins."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.signin.flow import PROVING, VIEWS, SignInState
from walletmodal.features.signin.knowing import carries_token
from walletmodal.features.signin.listing import SignInsState
from walletmodal.features.signin.steps import recorded, restore


async def signed_in(state: rx.State) -> bool:
    """Whether the account in use was found signed in at the last look; a host's token is made of what the database says then."""
    signin = await state.get_state(SignInState)
    return bool(signin._session) and signin._looked == str(await signin._account() or "")


__all__ = ["PROVING", "VIEWS", "SignInState", "SignInsState", "carries_token", "recorded", "restore", "signed_in"]
