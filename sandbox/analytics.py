"""The analytics collector: `POST /e`. What it took stands in the request log."""

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from walletmodal.sandbox.answers import json_answer, parse_json, read_body, refusal, service_app
from walletmodal.sandbox.openapi import model_schemas

_UUID: Final = r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
_LAST_MILLISECOND: Final = 253_402_300_799_999


def _whole(value: object) -> object:
    """JSON knows one kind of number: 7.0 is the integer 7."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class EventProps(BaseModel):
    """What happened.

    Attributes:
        type: `error` for INTERNAL_SDK_ERROR, `track` for everything else.
        event: its name, such as `MODAL_OPEN`.
        properties: what belongs to it.
        address: plain address of the account that was active.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    type: Literal["track", "error"]
    event: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{0,99}$")]
    properties: dict[str, JsonValue] | None = None
    address: Annotated[str, Field(max_length=200)] | None = None


class AnalyticsEvent(BaseModel):
    """One event, as the modal sends it.

    Attributes:
        event_id: UUID.
        url: address of the host page; a web view's own scheme will do.
        domain: its host name, with the port where it has one.
        timestamp: milliseconds since 1970.
        props: what happened.
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)

    event_id: Annotated[str, Field(alias="eventId", pattern=_UUID)]
    url: Annotated[str, Field(max_length=8192, pattern=r"^[a-zA-Z][a-zA-Z0-9+.-]*:")]
    domain: Annotated[str, Field(max_length=512)]
    timestamp: Annotated[int, Field(ge=0, le=_LAST_MILLISECOND), BeforeValidator(_whole)]
    props: EventProps


def analytics_service() -> Starlette:
    """The collector's routes."""
    return service_app([Route("/e", collect, methods=["POST"])])


async def collect(request: Request) -> Response:
    """`POST /e`: take one event. The body is JSON whatever its content type, as browsers send it as text."""
    try:
        AnalyticsEvent.model_validate(parse_json(await read_body(request)))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "body"
        return refusal(422, field, first["msg"])
    except ValueError:
        return refusal(422, "body", "The body must be JSON")
    return json_answer({"status": "SUCCESS"}, 202)


def _described() -> dict[str, Any]:
    taken = {
        "type": "object",
        "required": ["status"],
        "properties": {"status": {"const": "SUCCESS"}},
    }
    identity = [
        {"name": name, "in": "query", "schema": {"type": "string"}, "description": "Taken, and not insisted on."}
        for name in ("projectId", "st", "sv")
    ]
    content = {"schema": {"$ref": "#/components/schemas/AnalyticsEvent"}}
    return {
        "tags": ["analytics"],
        "summary": "Take one analytics event",
        "description": "An origin that is not allowed is answered with 403; switch that on as a fault.",
        "parameters": identity,
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "202": {"description": "It was taken.", "content": {"application/json": {"schema": taken}}},
            "413": {"$ref": "#/components/responses/Refused"},
            "422": {"$ref": "#/components/responses/Refused"},
        },
    }


OPENAPI: Final[dict[str, Any]] = {
    "paths": {"/analytics/e": {"post": _described()}},
    "components": {"schemas": model_schemas(AnalyticsEvent)},
}
