"""Whether a site serves the files that are built from a checkout: what an auditor has read is what visitors get."""

import base64
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import httpx

from walletmodal.services.http.authorities import usual_authorities

_SECONDS: Final = 8.0
_KINDS: Final = (".js", ".css")


def file_hashes(folder: Path) -> dict[str, str]:
    """Name and hash of each file of the built page, as in the attribute `integrity` (Subresource Integrity)."""
    files = sorted(file for file in folder.glob("*") if file.suffix in _KINDS)
    return {file.name: file_hash(file.read_bytes()) for file in files}


def file_hash(content: bytes) -> str:
    """The hash of one."""
    return "sha384-" + base64.b64encode(hashlib.sha384(content).digest()).decode()


async def differences(
    origin: str, built: Mapping[str, str], transport: httpx.AsyncBaseTransport | None = None
) -> list[str]:
    """The files that a running site serves otherwise, or not at all.

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
        for name, expected in built.items():
            answer = await http.get(f"/sdk/{name}")
            if not answer.is_success or file_hash(answer.content) != expected:
                wrong.append(name)
        return wrong
