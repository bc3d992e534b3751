"""Permissions that a wallet has granted for a while."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from walletmodal.core.parsing.shapes import (
    IdText,
    Name,
    PageUrl,
    Picture,
    Seconds,
    Shape,
    read_field,
    read_rows,
    read_shape,
)

SmartSessionStatus = Literal["active", "expired", "revoked"]


class SessionProject(Shape):
    """Who holds the permission."""

    id: IdText
    name: Name
    url: PageUrl = None
    icon_url: Picture = ""


class SessionPermission(Shape):
    """One permission or policy: its type, and data that only wallets understand."""

    type: IdText
    data: Annotated[
        dict[str, object], BeforeValidator(lambda value: {} if value is None else value), Field(default_factory=dict)
    ]


class SmartSession(Shape):
    """A granted permission.

    Attributes:
        pci: its id.
        expiry, created_at, revoked_at: instants in UTC; whole seconds on the wire.
        context: what the wallet recognises the grant by.
    """

    pci: IdText
    project: SessionProject | None = None
    expiry: Seconds
    created_at: Seconds
    permissions: Annotated[tuple[SessionPermission, ...], Field(max_length=256)] = ()
    policies: Annotated[tuple[SessionPermission, ...], Field(max_length=256)] = ()
    context: Annotated[str, BeforeValidator(lambda value: value or ""), Field(max_length=65_536)] = ""
    revoked_at: Seconds | None = None

    def status(self, now: datetime) -> SmartSessionStatus:
        """Whether it can still be used."""
        if self.revoked_at is not None:
            return "revoked"
        return "active" if now < self.expiry else "expired"


class Revocation(Shape):
    """What revokes a permission: its id, and its owner's signature."""

    pci: IdText
    signature: Annotated[str, Field(pattern=r"^0x[0-9a-fA-F]{2,8192}$")]


def parse_smart_session(raw: object) -> SmartSession:
    """One entry of `GET /v1/sessions/{address}`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(SmartSession, raw)


def parse_smart_sessions(raw: object) -> tuple[SmartSession, ...]:
    """The answer of `GET /v1/sessions/{address}`.

    Raises:
        ShapeError: no list of sessions, or none of them is right.
    """
    return read_rows(read_field(raw, "pcis", of="sessions"), parse_smart_session, of="sessions")
