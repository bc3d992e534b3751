"""`GET /openapi.json`: every service of the sandbox and its control, for people and generators (OpenAPI 3.1)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel

from walletmodal.core.version import VERSION

_REASONS: Final[dict[str, Any]] = {
    "type": "object",
    "required": ["status", "reasons"],
    "properties": {
        "status": {"const": "FAILED"},
        "reasons": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["field", "description"],
                "properties": {"field": {"type": "string"}, "description": {"type": "string"}},
            },
        },
    },
}


def document(parts: Sequence[Mapping[str, Any]], server: str) -> dict[str, Any]:
    """Put the services' parts together.

    Args:
        parts: `{"paths": …, "components": {"schemas": …}}` of each service, paths from the sandbox's root.
            `#/components/schemas/Refusal` and `#/components/responses/Refused` are there for all.
        server: URL of the sandbox, without a slash at the end.

    Raises:
        ValueError: two parts describe the same path or component, and not alike.
    """
    refused = {
        "description": "What is wrong, and why.",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
    }
    paths: dict[str, Any] = {}
    components: dict[str, dict[str, Any]] = {"schemas": {"Refusal": _REASONS}, "responses": {"Refused": refused}}
    for part in parts:
        _join(paths, {path: _with_empty_parameters(item) for path, item in part["paths"].items()})
        for kind, entries in part.get("components", {}).items():
            _join(components.setdefault(kind, {}), entries)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "WalletModal sandbox",
            "version": VERSION,
            "description": "The services that the modal calls, over real chains on this machine.",
        },
        "servers": [{"url": server}],
        "paths": paths,
        "components": components,
    }


def _with_empty_parameters(item: Mapping[str, Any]) -> dict[str, Any]:
    """Say of optional texts in the query what holds in every service: an empty one is as good as none."""
    operations = {}
    for method, operation in item.items():
        parameters = [
            {**one, "schema": {"anyOf": [one["schema"], {"const": ""}]}} if _may_be_empty(one) else one
            for one in operation.get("parameters", [])
        ]
        operations[method] = {**operation, "parameters": parameters} if parameters else operation
    return operations


def _may_be_empty(parameter: Mapping[str, Any]) -> bool:
    schema = parameter["schema"]
    limited = "pattern" in schema or "enum" in schema
    return parameter["in"] == "query" and not parameter.get("required") and schema.get("type") == "string" and limited


def model_schemas(*models: type[BaseModel]) -> dict[str, Any]:
    """The JSON schemas of models and of all that they are made of, as components by name."""
    schemas: dict[str, Any] = {}
    for model in models:
        schema = model.model_json_schema(by_alias=True, ref_template="#/components/schemas/{model}")
        schemas |= schema.pop("$defs", {}) | {model.__name__: schema}
    return schemas


def _join(into: dict[str, Any], entries: Mapping[str, Any]) -> None:
    twice = [name for name in into.keys() & entries.keys() if into[name] != entries[name]]
    if twice:
        raise ValueError(f"described twice: {', '.join(sorted(twice))}")
    into.update(entries)
