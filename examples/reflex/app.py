"""A page for signed-in visitors, in Reflex. How to run it: examples/README.md."""

import json
import os
from pathlib import Path
from typing import Any

import reflex as rx
from reflex.components.el.element import Element

from walletmodal.host.admission import Refusal
from walletmodal.host.reflex import SignInMixin, require_sign_in

STATIC = Path(__file__).parents[1] / "web" / "static"
MODAL_URL = os.environ["WALLETMODAL_URL"].rstrip("/")
OPTIONS = {
    "networks": ["eip155:1", "eip155:137"],
    "siwx": {"required": True, "statement": "Sign in to the Harbour Club."},
}
# Whoever is signed in already gets a fresh token at once; everybody else is asked by the modal.
SIGN_IN = "(async () => ((await modal.getSession()) ?? (await modal.signIn())).token)().catch(() => '')"
# Disconnected too, else the modal asks at once whether the account signs in again.
SIGN_OUT = "modal.signOut().then(() => modal.disconnect()).catch(() => null)"


class Club(SignInMixin, rx.State):
    """What a visitor sees: nothing of the members' page is in the browser before the server has said who it is."""

    address: str = ""
    problem: str = ""

    @rx.event
    def enter(self, token: str) -> Any:
        """The page hands over the token of `modal.getSession()`; "" when the visitor did not sign in."""
        return [Club.take_token(token), Club.open_members]

    # Asks the modal every time, so that whoever is signed out there sees the page no more.
    @rx.event
    @require_sign_in(online=True)
    async def open_members(self) -> Any:
        """Shows the page for signed-in visitors."""
        self.address, self.problem = self.account.rpartition(":")[2], ""
        return rx.redirect("/members")

    @rx.event
    @require_sign_in(online=True)
    async def stay(self) -> None:
        """Looks again whenever the members' page is loaded."""
        self.address, self.problem = self.account.rpartition(":")[2], ""

    @rx.event
    def leave(self) -> Any:
        """The visitor signs out here, and the page signs them out at the modal."""
        self.sign_out()
        self.address = self.problem = ""
        return [rx.call_script(SIGN_OUT), rx.redirect("/")]

    def _refuse(self, refusal: Refusal) -> Any:
        super()._refuse(refusal)
        self.address, self.problem = "", f"{refusal.message}."


class WalletModalButton(Element):
    """The loader's element."""

    tag = "wallet-modal-button"


def frame(*content: rx.Component) -> rx.Component:
    """What all pages have."""
    return rx.fragment(
        rx.el.header(rx.el.a("Harbour Club", href="/", class_name="brand"), WalletModalButton.create()),
        rx.el.main(*content),
    )


def sign_in_button() -> rx.Component:
    """Has the page ask its modal."""
    asks = rx.call_script(SIGN_IN, callback=Club.enter)
    return rx.el.button("Sign in with your wallet", type="button", custom_attrs={"data-sign-in": ""}, on_click=asks)


@rx.page(route="/", title="Harbour Club")
def home() -> rx.Component:
    """The page with the button."""
    lead = "Sign one message to prove that an account is yours. It costs nothing, and no transaction is sent."
    return frame(
        rx.el.h1("A club for people with a wallet"),
        rx.el.p(lead, class_name="lead"),
        rx.el.p(sign_in_button(), rx.el.a("Members’ page", href="/members"), class_name="actions"),
        rx.el.p(Club.problem, id="problem", role="alert"),
    )


def welcome() -> rx.Component:
    """What signed-in visitors see."""
    leaves = rx.el.button(
        "Sign out", type="button", class_name="quiet", custom_attrs={"data-sign-out": ""}, on_click=Club.leave
    )
    return rx.fragment(
        rx.el.h1("Welcome aboard"),
        rx.el.p("Only signed-in visitors see this page. The server has verified your signature.", class_name="lead"),
        rx.el.dl(rx.el.dt("Address"), rx.el.dd(Club.address, custom_attrs={"data-testid": "member-address"})),
        rx.el.p(leaves, class_name="actions"),
    )


def refused() -> rx.Component:
    """A way in, for all others."""
    return rx.fragment(
        rx.el.h1("This page is for members"),
        rx.el.p(Club.problem, class_name="lead", role="alert"),
        rx.el.p(sign_in_button(), rx.el.a("Back to the start", href="/"), class_name="actions"),
    )


@rx.page(route="/members", title="Members · Harbour Club", on_load=Club.stay)
def members() -> rx.Component:
    """The page for signed-in visitors, once the server has looked who it is."""
    found = rx.cond(Club.address, welcome(), refused())
    return frame(rx.cond(Club.is_hydrated, found, rx.el.p("One moment…", class_name="lead", role="status")))


app = rx.App(
    toaster=None,
    head_components=[
        rx.el.style((STATIC / "page.css").read_text("utf-8")),
        rx.el.script(src=f"{MODAL_URL}/walletmodal.js"),
        rx.el.script(f"window.modal = WalletModal.create({json.dumps(OPTIONS)});"),
    ],
)
