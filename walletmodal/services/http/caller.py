"""On whose behalf a service is asked: `Origin`, `st`, `sv`."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors import ProtocolError
from walletmodal.core.parsing.urls import normal_origin
from walletmodal.core.version import VERSION

SDK_TYPE: Final = "appkit"
"""`st`: the one type that the public services know."""
_FRAMEWORK: Final = "python"
_NO_ADAPTER: Final = "universal"
_PROJECT_ID: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")


def sdk_version(namespaces: Iterable[Namespace]) -> str:
    """`sv`: `python-<namespaces>-<version>`, `universal` standing for none; such as `python-eip155,solana-0.1.0`."""
    adapters = ",".join(dict.fromkeys(namespaces)) or _NO_ADAPTER
    return f"{_FRAMEWORK}-{adapters}-{VERSION}"


@dataclass(frozen=True, slots=True)
class Caller:
    """The embed that a call is made for.

    Attributes:
        origin: of the host page, as a browser spells it; services compare it with the project's list.
        project_id: the deployment's, or the embed's own where the deployment lets it; "" where none is known.

    Raises:
        ProtocolError: the origin is none, or the project id has another form.
    """

    origin: str
    project_id: str = ""

    def __post_init__(self) -> None:
        if normal_origin(self.origin) != self.origin:
            raise ProtocolError("malformed", "origin")
        if not _PROJECT_ID.fullmatch(self.project_id):
            raise ProtocolError("malformed", "projectId")
