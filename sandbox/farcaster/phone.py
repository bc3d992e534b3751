"""The Farcaster phone: takes a link, shows who asks, and signs with an account of the sandbox when it is told to."""

from datetime import timedelta
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from walletmodal.core.errors import ShapeError
from walletmodal.core.sign_in.message import parse_sign_in_message, sign_in_text
from walletmodal.sandbox.errors import NodeFailedError
from walletmodal.sandbox.evm.world import ACCOUNTS, FarcasterAccount, worlds
from walletmodal.sandbox.explorer.html import el
from walletmodal.sandbox.farcaster.relay import Authentication, Channel, FarcasterService
from walletmodal.sandbox.social.pages import button, card_page, text_field

FARCASTER_CHAIN: Final = "eip155:10"
_STATEMENT: Final = "Farcaster Auth"
_NAMES: Final = ("alice", "bob", "mallory")
_MARK: Final = {"class_": "mark", "data_provider": "farcaster", "aria_hidden": "true"}


def phone_accounts() -> tuple[FarcasterAccount, ...]:
    """The accounts to sign with: those that the registries know, and one that claims the first one's id."""
    farcaster = worlds()[FARCASTER_CHAIN].farcaster
    known = farcaster.accounts if farcaster is not None else ()
    return (*known, FarcasterAccount(known[0].fid, ACCOUNTS[len(known)], "custody"))


def sign_in_message(channel: Channel, account: FarcasterAccount, issued_at: str) -> str:
    """The text that a Farcaster app signs (FIP-11).

    Raises:
        ShapeError: what the site asks for makes no such text.
    """
    asked = channel.asked
    fields = {
        "domain": asked.domain,
        "accountAddress": account.address,
        "statement": _STATEMENT,
        "uri": asked.siwe_uri,
        "chainId": FARCASTER_CHAIN,
        "nonce": channel.nonce,
        "issuedAt": issued_at,
        "expirationTime": asked.expiration_time,
        "notBefore": asked.not_before,
        "requestId": asked.request_id,
        "resources": (f"farcaster://fid/{account.fid}",),
    }
    present = {name: value for name, value in fields.items() if value is not None}
    return sign_in_text(parse_sign_in_message(present))


def farcaster_pages(relay: FarcasterService) -> list[Route]:
    """The phone at `/farcaster`, and the address that links lead to."""

    async def linked(request: Request) -> Response:
        return RedirectResponse(f"/farcaster?{urlencode({'link': str(request.url)})}", 303)

    async def page(request: Request) -> Response:
        link = request.query_params.get("link", "").strip()
        if not link:
            return _entry()
        channel = relay.channels.get(_token(link))
        if channel is None or channel.answer is not None:
            return _entry(link, "Nobody waits at this link (any more).")
        return _request_page(channel, link)

    async def decide(request: Request) -> Response:
        form = await request.form()
        link = str(form.get("link", ""))
        channel = relay.channels.get(_token(link))
        if channel is None or channel.answer is not None:
            return _entry(link, "Nobody waits at this link (any more).")
        if form.get("decision") != "approve":
            return _done("Rejected", "The site is told nothing: it waits until its link has expired.")
        number = str(form.get("account", "0"))
        accounts = phone_accounts()
        account = accounts[int(number)] if number.isdecimal() and int(number) < len(accounts) else accounts[0]
        try:
            answer = await _sign(relay, channel, account, _NAMES[accounts.index(account)])
        except (ShapeError, NodeFailedError) as error:
            return _done("Not signed", str(error), status=400)
        relay.complete(channel, answer)
        return _done("Signed in", f"{channel.asked.domain} knows you now. You can go back to it.")

    return [
        Route("/~/siwf", linked, methods=["GET"]),
        Route("/farcaster", page, methods=["GET"]),
        Route("/farcaster", decide, methods=["POST"]),
    ]


async def _sign(relay: FarcasterService, channel: Channel, account: FarcasterAccount, name: str) -> Authentication:
    # A phone's clock need not agree with the site's to the second.
    issued_at = (relay.clock.now() - timedelta(seconds=1)).isoformat(timespec="milliseconds")
    message = sign_in_message(channel, account, issued_at.removesuffix("+00:00") + "Z")
    signature = await relay.node.rpc("personal_sign", ["0x" + message.encode().hex(), account.address])
    return Authentication.model_validate(
        {
            "message": message,
            "signature": signature,
            "authMethod": account.signs_as,
            "fid": account.fid,
            "username": name,
            "displayName": name.title(),
        }
    )


def _token(link: str) -> str:
    try:
        return next(iter(parse_qs(urlsplit(link).query).get("channelToken", [])), "")
    except ValueError:
        return ""


def _entry(link: str = "", problem: str = "") -> Response:
    form = el(
        "form",
        el("p", problem, class_="problem", role="alert") if problem else None,
        text_field("Link of a sign-in", "link", link, kind="url", data_testid="farcaster-link", placeholder="http://…"),
        el("button", "Open", class_="main", data_testid="farcaster-open"),
        action="/farcaster",
        novalidate="novalidate",
    )
    return card_page("Farcaster phone", el("span", "F", **_MARK), el("h1", "Farcaster phone"), form)


def _request_page(channel: Channel, link: str) -> Response:
    asked = channel.asked
    options = [
        el("option", f"{name.title()}, fid {account.fid}{'' if known else ' (which is not theirs)'}", value=str(number))
        for number, (name, account, known) in enumerate(zip(_NAMES, phone_accounts(), (True, True, False), strict=True))
    ]
    choice = el("select", *options, id="account", name="account", data_testid="farcaster-account")
    rows = [("Site", asked.domain), ("Address", asked.siwe_uri), ("Nonce", channel.nonce)]
    return card_page(
        "Farcaster phone",
        el("span", "F", **_MARK),
        el("h1", "Sign in with Farcaster"),
        el("dl", *(el("div", el("dt", term), el("dd", said)) for term, said in rows), data_testid="farcaster-request"),
        el(
            "form",
            el("input", type="hidden", name="link", value=link),
            el("div", el("label", "Account", for_="account"), choice, class_="field"),
            el(
                "div",
                button("Approve", "approve", "farcaster-approve"),
                button("Reject", "reject", "farcaster-reject"),
                class_="row",
            ),
            method="post",
            action="/farcaster",
        ),
    )


def _done(title: str, text: str, status: int = 200) -> Response:
    back = el("a", "Another link", href="/farcaster")
    return card_page(
        title,
        el("span", "F", **_MARK),
        el("h1", title, data_testid="farcaster-result"),
        el("p", text, class_="quiet"),
        back,
        status=status,
    )
