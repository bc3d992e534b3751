"""States of a Reflex application for visitors who are signed in. Needs `walletmodal[reflex]`.

    class Members(SignInMixin, rx.State):
        @rx.event
        @require_sign_in()
        async def buy(self, item: str):
            orders.add(self.account, item)

    rx.button("Sign in", on_click=ask_for_token(Members.take_token))

Who is signed in stands in a backend var that only a verified token sets. It is believed as long as the token was; after that the modal is
asked, if there is an API key, or the page sends a new token.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Generator
from functools import wraps
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
from typing import Any, ClassVar, Final

try:
    import reflex as rx
    from reflex.event import EventSpec
    from reflex.istate.proxy import StateProxy
except ImportError as error:
    raise ImportError("walletmodal.host.reflex needs Reflex: pip install 'walletmodal[reflex]'") from error

from walletmodal.host.admission import INVALID, Admission, Admitted, Refusal, Visit
from walletmodal.host.modal import Modal
from walletmodal.host.remembered import Remembered, remembered

Handler = Callable[..., Any]
Nonce = Callable[[Any], str | None] | str | None
"""Which nonce of the host's a sign-in must carry: a text, or what tells it for a state; None for none."""
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*", re.ASCII)


class SignInMixin(rx.State, mixin=True):
    """Who is signed in at this page.

    Attributes:
        sign_in_problem: why the last handler did not run: `code` of `Refusal`, "" for none.
        sign_in_modal: which modal is believed; None: that of the environment.
    """

    sign_in_modal: ClassVar[Modal | None] = None
    sign_in_problem: str = ""
    _sign_in_record: str = ""

    @rx.var
    def account(self) -> str:
        """The account that is signed in, CAIP-10; "" for nobody. For showing: `require_sign_in` also looks at the time."""
        return str(json.loads(self._sign_in_record)["sub"]) if self._sign_in_record else ""

    @rx.event
    async def take_token(self, token: str) -> Any:
        """The page has a token of `modal.getSession()`; "" signs out. Anything may come."""
        if token == "":
            self._remember(None)
            return None
        # A token has one form: what is none of it is not made one by what it is put into.
        given = token if isinstance(token, str) else ""
        found = await Admission(self.sign_in_modal).admit_soon(Visit("POST", authorization=f"Bearer {given}"))
        if isinstance(found, Refusal):
            return self._refuse(found)
        self._remember(remembered(found.signed_in))
        return None

    @rx.event
    def sign_out(self) -> None:
        """Nobody is signed in at this page any more. The modal's own session goes on: `Modal.end` ends it."""
        self._remember(None)

    def _remember(self, record: Remembered | None) -> None:
        self._sign_in_record = "" if record is None else json.dumps(record)
        self.sign_in_problem = ""

    def _refuse(self, refusal: Refusal) -> Any:
        """What to do in the place of a handler that may not run; its value is that of a handler. Yours to override."""
        self.sign_in_problem = refusal.code
        if refusal is INVALID:
            self._sign_in_record = ""
        return None


def require_sign_in(
    modal: Modal | None = None, *, online: bool = False, nonce: Nonce = None
) -> Callable[[Handler], Handler]:
    """A decorator for event handlers of states with `SignInMixin`, and of substates of such a state; it stands below `rx.event`.

    Without a sign-in that counts the handler does not run, and the state's `_refuse` says what happens instead. A handler so decorated is
    async, whatever it was before.

    Args:
        modal: which modal is believed; default: that of the state.
        online: whether the modal is asked every time if the session still counts.
        nonce: the host's own, where it has bound one to the sign-in.
    """

    async def check(state: Any) -> tuple[Refusal | None, Any]:
        admission = Admission(modal or state.sign_in_modal, online=online)
        return await _check(state, admission, (nonce(state) or "") if callable(nonce) else nonce)

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        async def guarded(self: Any, *args: Any, **named: Any) -> Any:
            refusal, instead = await check(self)
            if refusal is not None:
                return instead
            value = handler(self, *args, **named)
            return await value if iscoroutinefunction(handler) else value

        @wraps(handler)
        async def guarded_steps(self: Any, *args: Any, **named: Any) -> AsyncIterator[Any]:
            refusal, instead = await check(self)
            if refusal is not None:
                yield instead
                return
            steps = handler(self, *args, **named)
            async for step in steps if isasyncgenfunction(handler) else _async(steps):
                yield step

        return guarded_steps if isasyncgenfunction(handler) or isgeneratorfunction(handler) else guarded

    return decorate


async def _check(state: Any, admission: Admission, nonce: str | None) -> tuple[Refusal | None, Any]:
    """Why a handler may not run, and what happens instead; None for a visitor who is signed in."""
    record = state._sign_in_record
    found = await admission.admit_soon(Visit("GET", kept=json.loads(record) if record else None, nonce=nonce))
    if isinstance(found, Admitted) and found.keep is None:
        return None, None
    if isinstance(state, StateProxy):
        # A background task writes under the state's lock alone.
        async with state:
            return _settle(state, found)
    return _settle(state, found)


def _settle(state: Any, found: Admitted | Refusal) -> tuple[Refusal | None, Any]:
    if isinstance(found, Refusal):
        return found, state._refuse(found)
    state._remember(found.keep)
    return None, None


async def _async(steps: Generator[Any, Any, Any]) -> AsyncIterator[Any]:
    while True:
        try:
            yield next(steps)
        except StopIteration as end:
            # Reflex takes what a generator returns for its last step.
            if end.value is not None:
                yield end.value
            return


def ask_for_token(handler: Any, modal: str = "modal") -> EventSpec:
    """The event that has the page ask its modal for a token, and hands it to a handler: "" when nobody is signed in.

    Args:
        handler: such as `Members.take_token`.
        modal: what the page's script calls the object of `WalletModal.create`.

    Raises:
        ValueError: that is no name in JavaScript.
    """
    if not _NAME.fullmatch(modal):
        raise ValueError("the modal must be named as the page's script names it")
    asks = f"{modal}.getSession().then((session) => session ? session.token : '', () => '')"
    return rx.call_script(f"typeof {modal} === 'undefined' ? '' : {asks}", callback=handler)
