"""Whether a site serves the files that are built from a checkout: what an auditor has read is what visitors get."""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import httpx

from secure.social import pages
from walletmodal.services.http.authorities import usual_authorities

_SECONDS: Final = 8.0
_KINDS: Final = (".js", ".css")
_SOCIAL: Final = "/oauth/"


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


async def differences(
    origin: str, built: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
) -> list[str]:
    """The files that a running site serves otherwise, or not at all; those of social logins need not be there.

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
        wrong = []
        for path, expected in built.items():
            answer = await http.get(path)
            if answer.status_code == httpx.codes.NOT_FOUND and path.startswith(_SOCIAL):
                continue
            if not answer.is_success or file_hash(answer.content) != expected:
                wrong.append(path)
        return wrong
