"""The pages of the secure site, and the headers of every answer."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from html import escape
from pathlib import Path
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from walletmodal.core.language import _, pgettext
from walletmodal.secure.custody.deletion_requests import DeletionRequests
from walletmodal.secure.errors import CallError, spell_moment, unavailable
from walletmodal.secure.health import health_endpoint
from walletmodal.secure.language import ENGLISH_ROOT, language, said, spoken_root
from walletmodal.secure.login.approvals import Approvals
from walletmodal.secure.login.refusals import Refusals
from walletmodal.secure.spending import write_amounts
from walletmodal.secure.static_files import file_response

STATIC: Final = Path(__file__).resolve().parent / "static"
"""Where `secure/web` is built to."""
_FILE: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,63}\.(?:js|css)")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src {frames}; "
    "base-uri 'none'; form-action {forms}; frame-ancestors {ancestors}; require-trusted-types-for 'script'; trusted-types 'none'"
)
_NOT_BUILT: Final = "The page of the secure site is not built. `make build` builds it."
_OVER: Final = _("This link is over")
_NO_LINK: Final = _(
    "This link does not count any more. If you did not use it, begin again and take the link of the newest mail."
)
_NO_DELETION: Final = _("Your wallet is not about to be deleted, or has been deleted already.")

META: Final = "walletmodal-"
"""How the names of the page's `meta` elements begin."""

Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Told:
    """What the page's script is told of the deployment; several are parted by blanks.

    Attributes:
        modals, hosts, clients, logins, recovery_key, consent, smart_accounts, safe: as of `Pages`.
        site: what the site is called.
        window_above: as written by `write_amounts`.
    """

    modals: str
    hosts: str
    clients: str
    recovery_key: str
    logins: str
    site: str
    consent: str
    smart_accounts: str
    safe: str
    window_above: str

    @property
    def framed_by(self) -> str:
        """The origins above the page that modals embed."""
        return " ".join(filter(None, (self.modals, self.hosts, self.clients)))

    def metas(self) -> dict[str, str]:
        """The page's `meta` elements, by name."""
        return {f"{META}{name.replace('_', '-')}": value for name, value in asdict(self).items()}


class Pages:
    """The pages.

    Args:
        engine: for `/_health`.
        approvals, refusals, requests: what the links of mails do.
        admit: counts a request whose answer costs something; raises CallError.
        name: what the site is called.
        modals: origins that may hand the frame a port.
        hosts: origins of pages around them.
        clients: origins of pages that embed the frame by the reference's own client.
        logins: ways to log in besides email, as the page names them to the modal.
        recovery_key: base64url point, or "" without escrow.
        consent: where requests are approved: `frame`, or `window` for windows of this site alone.
        smart_accounts: CAIP-2 ids of the networks on which accounts may become smart accounts; safe: on which they have Safes instead.
        window_above: base units by asset above which a request is approved in a window in either case; nothing for no such rule.
        static: where the page's files are.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        approvals: Approvals,
        refusals: Refusals,
        requests: DeletionRequests,
        admit: Callable[[Request], Awaitable[None]],
        *,
        name: str,
        modals: Iterable[str],
        hosts: Iterable[str],
        clients: Iterable[str],
        logins: Iterable[str],
        recovery_key: str,
        consent: str,
        smart_accounts: Iterable[str],
        safe: Iterable[str],
        window_above: Mapping[str, int],
        static: Path,
    ) -> None:
        self._health = health_endpoint(engine)
        self._approvals, self._refusals, self._static = approvals, refusals, static
        self._requests, self._admit, self._name = requests, admit, name
        self._told = Told(
            modals=" ".join(modals),
            hosts=" ".join(hosts),
            clients=" ".join(clients),
            recovery_key=recovery_key,
            logins=" ".join(logins),
            site=name,
            consent=consent,
            smart_accounts=" ".join(smart_accounts),
            safe=" ".join(safe),
            window_above=write_amounts(window_above),
        )

    def routes(self) -> list[Route]:
        """Their routes."""
        return [
            Route("/sdk", self.frame),
            Route("/sdk/{file}", self.file),
            Route("/popup", self.popup),
            Route("/within", self.within),
            Route("/device/{token}", self._readable(self.device)),
            Route("/device/{token}", self._readable(self.approve), methods=["POST"]),
            Route("/move/{token}", self._readable(self.move)),
            Route("/move/{token}", self._readable(self.approve_move), methods=["POST"]),
            Route("/not-me/{token}", self._readable(self.not_me)),
            Route("/not-me/{token}", self._readable(self.freeze), methods=["POST"]),
            Route("/keep/{token}", self._readable(self.ask_keep)),
            Route("/keep/{token}", self._readable(self.keep), methods=["POST"]),
            Route("/_health", self._health),
        ]

    async def frame(self, _request: Request) -> Response:
        """The page that modals embed."""
        return self._script_page(self._told.framed_by)

    async def popup(self, _request: Request) -> Response:
        """The same script as a page of its own."""
        return self._script_page()

    async def within(self, request: Request) -> Response:
        """A page that browsers load nowhere but within the modals and one site: where it loads, the frame around it knows that it is there."""
        return within_page(self._told, request.query_params.get("site", ""))

    async def file(self, request: Request) -> Response:
        """A file of the built page."""
        name = request.path_params["file"]
        path = self._static / name
        if not _FILE.fullmatch(name) or not path.is_file():
            return Response("There is nothing here.", 404, media_type="text/plain")
        return file_response(request, path)

    async def device(self, request: Request) -> Response:
        """Asks whether a device is to be approved: programs that look through mails follow links, and press no buttons."""
        row = await self._approvals.waiting(request.path_params["token"])
        if row is None:
            return self._sentences(404, _OVER, _NO_LINK)
        return self._sentences(
            200,
            _("Approve this device?"),
            _("Somebody wants to log in to {site}: {browser}.", site=self._name, browser=row["asked_by"]),
            _("The screen of that device shows these two words: {words}", words=row["words"]),
            _("Approve it only if it is your own, and if the words are the same."),
            button=pgettext("button", "Approve"),
        )

    async def approve(self, request: Request) -> Response:
        """Approves it."""
        if not await self._approvals.approve(request.path_params["token"]):
            return self._sentences(404, _OVER, _NO_LINK)
        return self._sentences(
            200,
            _("The device is approved"),
            _("We have sent you a code. Enter it in the window in which you have begun."),
        )

    async def move(self, request: Request) -> Response:
        """Asks whether an account is to move to another address."""
        change = await self._approvals.change(request.path_params["token"])
        if change is None:
            return self._sentences(404, _OVER, _NO_LINK)
        present, following, asked_by = change
        return self._sentences(
            200,
            _("Change your email address?"),
            _("Now: {address}", address=present),
            _("New: {address}", address=following),
            _("Asked for by: {browser}", browser=asked_by),
            _(
                "Whoever reads the mail of the new address can log in to your wallet. Go on only if you are changing your address yourself right now."
            ),
            button=pgettext("button", "Approve, and show the code"),
        )

    async def approve_move(self, request: Request) -> Response:
        """Approves it, and shows the code."""
        code = await self._approvals.approve_change(request.path_params["token"])
        if not code:
            return self._sentences(404, _OVER, _NO_LINK)
        return self._sentences(
            200,
            _("Your code is {code}", code=code),
            _("Enter it in the window in which you have begun. It is valid for 20 minutes."),
        )

    async def not_me(self, request: Request) -> Response:
        """Asks whether an account is to be frozen."""
        effect = await self._refusals.effect(request.path_params["token"])
        if effect is None:
            return self._sentences(404, _OVER, _NO_LINK)
        if effect == "undo":
            return self._sentences(
                200,
                _("It was not you?"),
                _("The address of your account is changed back to this one then, and every device has to log in anew."),
                _("Nobody can log in for a day, and nobody can use the wallet, you neither. Nothing is lost."),
                button=pgettext("button", "Change it back and freeze for a day"),
            )
        return self._sentences(
            200,
            _("It was not you?"),
            _(
                "Nobody can log in with your address for a day then, and nobody can use its wallet, you neither. Nothing is lost."
            ),
            button=pgettext("button", "Freeze for a day"),
        )

    async def freeze(self, request: Request) -> Response:
        """Freezes it."""
        effect = await self._refusals.use(request.path_params["token"])
        if effect is None:
            return self._sentences(404, _OVER, _NO_LINK)
        if effect == "undo":
            return self._sentences(
                200,
                _("Your address is back"),
                _("The account is frozen for a day. Log in with this address afterwards."),
            )
        return self._sentences(200, _("Frozen for a day"), _("Nobody can log in with your address until then."))

    async def ask_keep(self, request: Request) -> Response:
        """Asks whether a deletion is to be stopped."""
        due = await self._requests.of_link(request.path_params["token"])
        if due is None:
            return self._sentences(404, _OVER, _NO_DELETION)
        return self._sentences(
            200,
            _("Keep your wallet?"),
            _("Your wallet and your account are deleted on {moment}, unless you keep them.", moment=spell_moment(due)),
            _(
                "If you have not asked for that, somebody else reads your mail: keep the wallet, and change the password of your mailbox."
            ),
            button=pgettext("button", "Keep my wallet"),
        )

    async def keep(self, request: Request) -> Response:
        """Stops it."""
        if not await self._requests.stop(request.path_params["token"]):
            return self._sentences(404, _OVER, _NO_DELETION)
        return self._sentences(200, _("Your wallet is kept"), _("Nothing has changed."))

    def _readable(self, handler: Handler) -> Handler:
        """A handler whose refusals people read."""

        async def answer(request: Request) -> Response:
            try:
                await self._admit(request)
                return await handler(request)
            except CallError as error:
                return self._sentences(error.status, _("That did not work"), error.message)
            except (SQLAlchemyError, OSError):
                return self._sentences(503, _("That did not work"), unavailable().message)

        return answer

    def _script_page(self, ancestors: str = "") -> Response:
        if not (self._static / "frame.js").is_file():
            return document(503, "Not built", f"<p>{_NOT_BUILT}</p>", ancestors=ancestors or "'none'")
        # Cards have the product's own languages alone, whose texts are files of the page.
        spoken = (self._static / f"{language().tag}.js").is_file()
        return script_page(self._told, ancestors, root=spoken_root() if spoken else ENGLISH_ROOT)

    def _sentences(self, status: int, title: str, *sentences: str, button: str = "") -> Response:
        return sentence_page(self._name, status, title, *sentences, button=button)


def sentence_page(name: str, status: int, title: str, *sentences: str, button: str = "") -> Response:
    """A page without a script, in the language of who asks. `name`: what the site is called; `button`: of its one form."""
    content = f"<h1>{escape(said(title))}</h1>" + "".join(f"<p>{escape(said(sentence))}</p>" for sentence in sentences)
    if button:
        content += f'<form method="post"><button type="submit">{escape(said(button))}</button></form>'
    return document(status, f"{said(title)} · {name}", f"<main>{content}</main>", root=spoken_root(), forms="'self'")


def within_page(told: Told, site: str) -> Response:
    """An empty page for frames within the modals and one site; of a site that is not known a sentence."""
    if site not in (*told.modals.split(), *told.hosts.split()):
        return sentence_page(told.site, 404, _("Not here"), _("This wallet does not know that site."))
    root = f'{ENGLISH_ROOT} data-within="{escape(site)}"'
    return document(200, told.site, "", root=root, ancestors=f"'self' {told.modals} {site}")


def unanswered(told: Told) -> dict[str, Response]:
    """What the pages behind links of mails say of a link that does not count, by path."""
    over = dict.fromkeys(("/device/", "/move/", "/not-me/"), _NO_LINK) | {"/keep/": _NO_DELETION}
    return {path: sentence_page(told.site, 404, _OVER, sentence) for path, sentence in over.items()}


def script_page(told: Told, ancestors: str, *, root: str = ENGLISH_ROOT) -> Response:
    """The page with the script, in frames of `ancestors`, or with "" in a window of its own. `root`: says in which language its cards are."""
    head = "".join(f'<meta name="{name}" content="{escape(value)}">' for name, value in told.metas().items())
    head += '<meta name="viewport" content="width=device-width, initial-scale=1">'
    head += '<link rel="stylesheet" href="/sdk/frame.css"><script type="module" src="/sdk/frame.js"></script>'
    around = {"ancestors": ancestors, "frames": "'self'"} if ancestors else {}
    return document(200, told.site, "", head=head, root=root, **around)


def document(
    status: int,
    title: str,
    body: str,
    *,
    head: str = "",
    root: str = ENGLISH_ROOT,
    ancestors: str = "'none'",
    forms: str = "'none'",
    frames: str = "'none'",
) -> Response:
    """A page. `root`: attributes of its first element; the others: sources of its policy."""
    content = (
        f'<!doctype html><html{root}><head><meta charset="utf-8"><title>{escape(title)}</title>{head}</head>'
        f"<body>{body}</body></html>"
    )
    headers = {
        "Content-Security-Policy": _POLICY.format(ancestors=ancestors, forms=forms, frames=frames),
        # A host that isolates itself (COEP) may frame only documents that say so.
        "Cross-Origin-Resource-Policy": "cross-origin" if ancestors != "'none'" else "same-origin",
    }
    return HTMLResponse(content, status, headers=headers)
