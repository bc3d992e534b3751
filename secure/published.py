"""Whether a site serves the pages and files of a checkout: what an auditor has read is what visitors get."""

import base64
import hashlib
from collections.abc import Iterable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

import httpx
from starlette.datastructures import MutableHeaders
from starlette.responses import Response

from walletmodal.secure.headers import complete_headers
from walletmodal.secure.pages import META, Told, script_page, unanswered, within_page
from walletmodal.secure.social import pages as social_pages
from walletmodal.secure.social.providers import OWN, Provider
from walletmodal.services.http.authorities import usual_authorities

_SECONDS: Final = 8.0
_KINDS: Final = (".js", ".css")
_SOCIAL: Final = "/oauth/"
_SOCIAL_FOLDER: Final = Path(social_pages.__file__).parent
_FRAME, _WINDOW = "/sdk", "/popup"
_NO_LINK: Final = "-"
_NO_SITE: Final = "https://nowhere.invalid"
_OF_THE_WAY: Final = frozenset({"content-length", "cache-control"})
"""Headers that a proxy may change."""
_LEADING_ON: Final = frozenset({"link", "location", "refresh", "service-worker-allowed", "set-cookie"})
"""Headers by which a page of the same bytes does more than it should."""


class Comparison(NamedTuple):
    """How a running site differs from a checkout.

    Attributes:
        wrong: paths of the pages and files that it serves otherwise, or not at all.
        pages: paths of the pages that were compared.
        told: what its page tells the script of the deployment, by the name of the `meta` element: for whoever compares to look at.
    """

    wrong: list[str]
    pages: list[str]
    told: dict[str, str]


def file_hashes(folder: Path) -> dict[str, str]:
    """Path and hash of each file that the site's pages load, as in the attribute `integrity` (Subresource Integrity); none where the page is not built.

    The pages of social logins are of the same origin, so that their script could do what the frame's can.
    """
    built = {f"/sdk/{file.name}": file for file in sorted(folder.glob("*")) if file.suffix in _KINDS}
    beside = {f"{_SOCIAL}{name}": _SOCIAL_FOLDER / name for name in social_pages.FILES} if built else {}
    return {path: file_hash(file.read_bytes()) for path, file in (built | beside).items()}


def file_hash(content: bytes) -> str:
    """The hash of one."""
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


async def compare(
    origin: str,
    built: Mapping[str, str],
    transport: httpx.AsyncBaseTransport | None = None,
    *,
    providers: Iterable[Provider] = OWN.values(),
) -> Comparison:
    """Compares a running site; what belongs to social logins need not be there. Of its pages everything must be the same but what they tell of the deployment.

    Args:
        origin: of the site.
        built: see `file_hashes`.
        transport: the way to a site in this process.
        providers: where logins lead; other addresses than the providers' own are for sites with stand-ins.

    Raises:
        httpx.HTTPError: it does not answer.
    """
    verify = usual_authorities() if transport is None else False
    async with httpx.AsyncClient(
        base_url=origin, transport=transport, verify=verify, timeout=_SECONDS, trust_env=False
    ) as http:
        frame = await http.get(_FRAME)
        metas = _metas_of(frame.text)
        told = _told(metas)
        # Without what it must be told, nobody knows what the others must be.
        pages = {_FRAME: []} if told is None else pages_of(told, providers)
        looked = {path: frame if path == _FRAME else await http.get(path) for path in pages}
        wrong = [path for path, answer in looked.items() if not any(_is_same(answer, one) for one in pages[path])]
        for path, expected in built.items():
            answer = await http.get(path)
            if answer.status_code == httpx.codes.NOT_FOUND and path.startswith(_SOCIAL):
                continue
            if not answer.is_success or file_hash(answer.content) != expected:
                wrong.append(path)
        return Comparison(wrong, [*pages], metas)


def pages_of(told: Told, providers: Iterable[Provider]) -> dict[str, list[Response]]:
    """What each address that shows something in a browser may answer to whoever has neither a link of a mail nor begun a login.

    Args:
        told: by the site's page.
        providers: as for `compare`.
    """
    nothing = [Response("Not Found", 404, media_type="text/plain")]
    sites = (*told.modals.split(), *told.hosts.split(), _NO_SITE)
    pages = {
        "/": nothing,
        _FRAME: [script_page(told, told.framed_by)],
        _WINDOW: [script_page(told, "")],
        **{f"/within?site={quote(site, safe='')}": [within_page(told, site)] for site in sites},
        **{f"{path}{_NO_LINK}": [page] for path, page in unanswered(told).items()},
    }
    unknown = [social_pages.refusal_page(told.site, social_pages.not_offered())]
    for provider in providers:
        # Which of them are offered, the page does not say.
        asks, over = social_pages.ask_page(told.site, provider), social_pages.over_page(told.site)
        offered = "social" in told.logins.split()
        pages[f"{_SOCIAL}go/{provider.id}/{_NO_LINK}"] = [asks, *unknown] if offered else nothing
        pages[f"{_SOCIAL}back/{provider.id}"] = [over, *unknown] if offered else nothing
    return pages


def _told(metas: Mapping[str, str]) -> Told | None:
    try:
        return Told(**{name.removeprefix(META).replace("-", "_"): value for name, value in metas.items()})
    except TypeError:
        # A name too many, or too few.
        return None


def _is_same(answer: httpx.Response, expected: Response) -> bool:
    headers = complete_headers(MutableHeaders(expected.headers))
    wanted = {name: value for name, value in headers.items() if name not in _OF_THE_WAY}
    return (
        answer.status_code == expected.status_code
        and answer.content == expected.body
        and all(answer.headers.get(name) == value for name, value in wanted.items())
        and not _LEADING_ON & set(answer.headers)
    )


def _metas_of(html: str) -> dict[str, str]:
    reader = _Metas()
    reader.feed(html)
    return reader.found


class _Metas(HTMLParser):
    """Reads what a page tells its script."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name, value = (dict(attrs).get(one) or "" for one in ("name", "content"))
        if tag == "meta" and name.startswith(META):
            self.found[name] = value
