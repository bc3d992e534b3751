"""What a failed call to a service says beyond its text: the body of the answer, and the alert that a developer needs to see."""

from typing import Final

from walletmodal.core.constants import FORBIDDEN
from walletmodal.core.errors import HttpRequestError
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.text.texts import AlertKey

_UNAUTHORIZED: Final = 401
_PROJECT_FIELDS: Final = frozenset({"authentication", "projectId", "project_id"})


def error_body(error: ServiceError) -> object:
    """The JSON of an error answer, unchecked; None where there was none, or none that can be read."""
    cause = error.__cause__
    return json_or_none(cause.body) if isinstance(cause, HttpRequestError) else None


def json_or_none(text: str) -> object:
    """The value of a JSON text, unchecked, or None."""
    try:
        return read_json(text.encode())
    except ValueError:
        return None


def alert_for_failure(error: Exception) -> AlertKey | None:
    """The alert that a failed call asks for, or None.

    401 about the authentication of the project is a wrong project id; 403 is an origin that the project does not allow.
    """
    if not isinstance(error, ServiceError):
        return None
    if error.status == FORBIDDEN:
        return "INVALID_APP_CONFIGURATION"
    if error.status == _UNAUTHORIZED and _PROJECT_FIELDS & _fields(error_body(error)):
        return "INVALID_PROJECT_ID"
    return None


def _fields(body: object) -> set[str]:
    """The fields that an error body speaks of; the kit's own types call the key `name`."""
    reasons = body.get("reasons") if isinstance(body, dict) else None
    rows = [row for row in reasons if isinstance(row, dict)] if isinstance(reasons, list) else []
    return {field for row in rows for field in (row.get("field"), row.get("name")) if isinstance(field, str)}
