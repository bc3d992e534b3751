"""HTML out of elements: whatever a chain says is text, and cannot become anything else."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, tostring

from starlette.responses import HTMLResponse

Content = Element | str | None

HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


def el(tag: str, *content: Content, **attributes: str) -> Element:
    """An element; `class_` stands for `class`, an underscore within a name for a hyphen, and None is left out of the content."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): _printable(value) for name, value in attributes.items()})
    last: Element | None = None
    for one in content:
        if isinstance(one, str):
            if last is None:
                made.text = (made.text or "") + _printable(one)
            else:
                last.tail = (last.tail or "") + _printable(one)
        elif one is not None:
            made.append(one)
            last = one
    return made


def link(text: Content, url: str, **attributes: str) -> Element:
    """A link within the explorer."""
    return el("a", text, href=url, **attributes)


def page(title: str, *content: Content, status: int = 200) -> HTMLResponse:
    """A whole page under the explorer's head."""
    search = el(
        "form",
        el("label", "Hash or address", for_="q", class_="unseen"),
        el(
            "input",
            id="q",
            name="q",
            type="search",
            placeholder="Hash or address",
            autocomplete="off",
            spellcheck="false",
        ),
        el("button", "Search"),
        action="/explorer/search",
        role="search",
    )
    brand = link(el("img", src="/demo/favicon.svg", alt="", width="28", height="28"), "/explorer/", class_="brand")
    brand[0].tail = "Sandbox Explorer"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", f"{title} · Sandbox Explorer"),
        el("link", rel="icon", href="/demo/favicon.svg", type="image/svg+xml"),
        el("link", rel="stylesheet", href="/explorer/explorer.css"),
    )
    foot = el("footer", "Chains of this machine alone: nothing here is worth anything. ", link("Demo page", "/"))
    body = el("body", el("header", brand, search), el("main", *content), foot)
    text = tostring(el("html", head, body, lang="en"), encoding="unicode", method="html")
    return HTMLResponse(f"<!doctype html>\n{text}", status, HEADERS)


def message(title: str, text: str, status: int) -> HTMLResponse:
    """A page that says one thing."""
    back = link("All chains", "/explorer/", class_="action")
    return page(title, el("section", el("h1", title), el("p", text), back, class_="message"), status=status)


def facts(rows: Iterable[tuple[str, Content]]) -> Element:
    """What is known, as terms and what they are; those without content are left out."""
    shown = [el("div", el("dt", term), el("dd", what)) for term, what in rows if what is not None and what != ""]
    return el("dl", *shown)


def table(heads: Iterable[str], rows: Iterable[Iterable[Content]], *, empty: str) -> Element:
    """A table, which on a phone becomes a list of cards; `empty` stands there when it has no rows."""
    names = list(heads)
    body = [el("tr", *(el("td", cell, data_label=name) for name, cell in zip(names, row, strict=True))) for row in rows]
    if not body:
        return el("p", empty, class_="empty")
    return el("table", el("thead", el("tr", *(el("th", name, scope="col") for name in names))), el("tbody", *body))


def section(title: str, *content: Content) -> Element:
    """A card with a heading."""
    return el("section", el("h2", title), *content)


def _printable(text: str) -> str:
    # XML has no other control characters, and a lone surrogate cannot be sent.
    return "".join(char if char.isprintable() or char in "\n\t " else "\ufffd" for char in text)
