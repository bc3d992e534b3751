"""The pages of the providers, and of the Farcaster phone: one card each, readable and usable without a script."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode
from xml.etree.ElementTree import Element, tostring

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse

from walletmodal.sandbox.explorer.html import Content, el
from walletmodal.sandbox.social.providers import Provider

_SUBMIT: Final = "document.forms[0].submit()"
_SUBMIT_HASH: Final = base64.b64encode(hashlib.sha256(_SUBMIT.encode()).digest()).decode("ascii")


def card_page(
    title: str, *content: Content, status: int = 200, targets: str = "", headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    """A page with one card.

    Args:
        title: of the document.
        content: of the card.
        status: of HTTP.
        targets: origins, besides our own, where its forms may lead; browsers count redirects too.
        headers: further ones, or others.
    """
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("link", rel="icon", href="/demo/favicon.svg", type="image/svg+xml"),
        el("link", rel="stylesheet", href="/login/login.css"),
    )
    body = el("body", el("main", *content), el("footer", "Part of the sandbox: nothing here leaves this machine."))
    text = tostring(el("html", head, body, lang="en"), encoding="unicode", method="html")
    policy = (
        f"default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'sha256-{_SUBMIT_HASH}'; "
        f"form-action 'self' {targets}; base-uri 'none'; frame-ancestors 'none'"
    )
    common = {
        "content-security-policy": policy,
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
    }
    return HTMLResponse(f"<!doctype html>\n{text}", status, {**common, **(headers or {})})


def text_field(label: str, name: str, value: str, *, kind: str = "text", **attributes: str) -> Element:
    """A labelled line to write in."""
    entry = el(
        "input", id=name, name=name, type=kind, value=value, spellcheck="false", autocomplete="off", **attributes
    )
    return el("div", el("label", label, for_=name), entry, class_="field")


def check_box(label: str, name: str, *, checked: bool) -> Element:
    """A labelled box to tick."""
    entry = el("input", id=name, name=name, type="checkbox", data_testid=f"login-{name.replace('_', '-')}")
    if checked:
        entry.set("checked", "checked")
    return el("label", entry, el("span", label), class_="check")


def button(label: str, value: str, test_id: str) -> Element:
    """A button that sends the form with a decision."""
    kind = "quiet" if value in ("deny", "reject") else "main"
    return el("button", label, type="submit", name="decision", value=value, class_=kind, data_testid=test_id)


def login_page(
    provider: Provider,
    query: QueryParams,
    target: str,
    problem: str = "",
    filled: Mapping[str, Any] | None = None,
) -> HTMLResponse:
    """Asks a visitor who they are, and whether the site may know.

    Args:
        provider: which one.
        query: of the authorization request; `coop=same-origin` cuts the page off from whoever opened it.
        target: origin that the answer goes to.
        problem: what was wrong with the form.
        filled: what stood in it.
    """
    cut_off = query.get("coop") == "same-origin"
    values = filled or {"name": "Kim Doe", "email": "kim@example.org", "verified": "on", "gives_email": "on"}
    asked = {name: value for name, value in query.items() if name != "coop"}
    action = f"/login/{provider.id}?{urlencode(query.multi_items())}"
    gives = "Give the site this mail; else a relay address" if provider.id == "apple" else "Give the site this mail"
    form = el(
        "form",
        el("p", problem, class_="problem", role="alert") if problem else None,
        text_field(
            "Name; another name is another account", "name", str(values.get("name", "")), data_testid="login-name"
        ),
        text_field("Mail", "email", str(values.get("email", "")), kind="email", data_testid="login-email"),
        check_box("The mail is verified", "verified", checked=values.get("verified") == "on"),
        check_box(gives, "gives_email", checked=values.get("gives_email") == "on"),
        el("div", button("Allow", "allow", "login-allow"), button("Cancel", "deny", "login-deny"), class_="row"),
        method="post",
        action=action,
        novalidate="novalidate",
    )
    switch = urlencode({**asked, **({} if cut_off else {"coop": "same-origin"})})
    note = "This page is cut off from the one that opened it." if cut_off else "This page knows the one that opened it."
    change = "Let it know again" if cut_off else "Cut it off (Cross-Origin-Opener-Policy)"
    return card_page(
        f"Sign in with {provider.name}",
        _mark(provider),
        el("h1", f"Sign in with {provider.name}"),
        el("p", el("strong", target.partition("//")[2]), " asks who you are.", class_="quiet"),
        form,
        el(
            "p",
            f"{note} ",
            el("a", change, href=f"/login/{provider.id}?{switch}", data_testid="login-coop"),
            class_="note",
        ),
        targets=target,
        status=400 if problem else 200,
        headers={"cross-origin-opener-policy": "same-origin"} if cut_off else None,
    )


def form_post_page(target: str, fields: Sequence[tuple[str, str]], origin: str) -> HTMLResponse:
    """Sends the browser on with a form, by itself where it runs scripts."""
    hidden = [el("input", type="hidden", name=name, value=value) for name, value in fields]
    form = el(
        "form",
        *hidden,
        el("button", "Continue", class_="main", data_testid="login-continue"),
        method="post",
        action=target,
    )
    return card_page("Signed in", el("h1", "One moment"), form, el("script", _SUBMIT), targets=origin)


def refusal_page(provider: Provider, why: str) -> HTMLResponse:
    """Tells the visitor alone: whoever sent them here is nobody that we know."""
    return card_page(
        f"Sign in with {provider.name}",
        _mark(provider),
        el("h1", "This link does not work"),
        el("p", why, class_="quiet", data_testid="login-refused"),
        status=400,
    )


def _mark(provider: Provider) -> Element:
    return el("span", provider.name[:1], class_="mark", data_provider=provider.id, aria_hidden="true")
