"""Whether a site serves the pages and files of a checkout: what an auditor has read is what visitors get."""

import base64
import hashlib
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple

import httpx
from starlette.responses import Response

from walletmodal.secure.pages import HEADERS, META, Told, script_page
from walletmodal.secure.social import pages
from walletmodal.services.http.authorities import usual_authorities

_SECONDS: Final = 8.0
_KINDS: Final = (".js", ".css")
_SOCIAL: Final = "/oauth/"
_FRAME, _WINDOW = "/sdk", "/popup"
PAGES: Final = (_FRAME, _WINDOW)


class Comparison(NamedTuple):
    """How a running site differs from a checkout.

    Attributes:
        wrong: paths of the pages and files that it serves otherwise, or not at all.
        told: what its page tells the script of the deployment, by the name of the `meta` element: for whoever compares to look at.
    """

    wrong: list[str]
    told: dict[str, str]


def file_hashes(folder: Path) -> dict[str, str]:
    """Path and hash of each file that the site's pages load, as in the attribute `integrity` (Subresource Integrity); none where the page is not built.

    The pages of social logins are of the same origin, so that their script could do what the frame's can.
    """
    built = {f"/sdk/{file.name}": file for file in sorted(folder.glob("*")) if file.suffix in _KINDS}
    beside = {f"{_SOCIAL}{name}": Path(pages.__file__).with_name(name) for name in pages.FILES} if built else {}
    return {path: file_hash(file.read_bytes()) for path, file in (built | beside).items()}


def file_hash(content: bytes) -> str:
    """The hash of one."""
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


async def compare(
    origin: str, built: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
) -> Comparison:
    """Compares a running site; files of social logins need not be there. Of its pages everything must be the same but what they tell of the deployment.

    Args:
        origin: of the site.
        built: see `file_hashes`.
        transport: the way to a site in this process.

    Raises:
        httpx.HTTPError: it does not answer.
    """
    verify = usual_authorities() if transport is None else False
    async with httpx.AsyncClient(
        base_url=origin, transport=transport, verify=verify, timeout=_SECONDS, trust_env=False
    ) as http:
        served = {path: await http.get(path) for path in PAGES}
        told = {path: _told(answer.text) for path, answer in served.items()}
        wrong = [path for path, answer in served.items() if not _is_page(answer, told[path], framed=path == _FRAME)]
        if not wrong and told[_WINDOW] != told[_FRAME]:
            wrong.append(_WINDOW)
        for path, expected in built.items():
            answer = await http.get(path)
            if answer.status_code == httpx.codes.NOT_FOUND and path.startswith(_SOCIAL):
                continue
            if not answer.is_success or file_hash(answer.content) != expected:
                wrong.append(path)
        return Comparison(wrong, told[_FRAME])


def _told(html: str) -> dict[str, str]:
    reader = _Metas()
    reader.feed(html)
    return reader.found


def _is_page(answer: httpx.Response, told: Mapping[str, str], *, framed: bool) -> bool:
    try:
        values = Told(**{name.removeprefix(META).replace("-", "_"): value for name, value in told.items()})
    except TypeError:
        # A name too many, or too few.
        return False
    expected = script_page(values, values.framed_by if framed else "")
    return (
        answer.status_code == expected.status_code
        and answer.content == expected.body
        and _has_headers(answer, expected)
    )


def _has_headers(answer: httpx.Response, expected: Response) -> bool:
    wanted = {**HEADERS, **{name: value for name, value in expected.headers.items() if name != "content-length"}}
    return all(answer.headers.get(name) == value for name, value in wanted.items())


class _Metas(HTMLParser):
    """Reads what a page tells its script."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name, value = (dict(attrs).get(one) or "" for one in ("name", "content"))
        if tag == "meta" and name.startswith(META):
            self.found[name] = value
