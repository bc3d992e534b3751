"""Files of the built page: compressed, and sent to no browser twice."""

import gzip
from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response


class _File(NamedTuple):
    content: bytes
    compressed: bytes
    tag: str


@lru_cache(maxsize=64)
def _read(path: Path, _changed_at: int) -> _File:
    content = path.read_bytes()
    # A weak tag: both forms of the content have it.
    return _File(content, gzip.compress(content, mtime=0), f'W/"{sha256(content).hexdigest()[:32]}"')


def file_response(request: Request, path: Path) -> Response:
    """A file that the browser asks for anew each time, and gets where it has changed.

    Args:
        request: for it.
        path: of the file.

    Raises:
        OSError: it cannot be read.
    """
    file = _read(path, path.stat().st_mtime_ns)
    headers = {"Cache-Control": "no-cache", "ETag": file.tag, "Vary": "Accept-Encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.compressed, headers=headers | {"Content-Encoding": "gzip"}, media_type=guess_type(path)[0])
    return Response(file.content, headers=headers, media_type=guess_type(path)[0])
