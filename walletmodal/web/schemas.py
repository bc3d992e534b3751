"""Answers as the OpenAPI document describes them."""

from typing import Any


def json_answer(schema: dict[str, Any], description: str) -> dict[str, Any]:
    """One whose body is JSON."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def error_answer(description: str) -> dict[str, Any]:
    """`{"error": {"code", "message"}}`."""
    return json_answer({"$ref": "#/components/schemas/Error"}, description)
