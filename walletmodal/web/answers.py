"""The shape of our JSON answers: `{"error": {"code", "message"}}` for every refusal; nothing of them is kept by caches."""

from typing import Final

from starlette.responses import JSONResponse

NO_STORE: Final = {"Cache-Control": "no-store"}


def json_response(content: object, status: int = 200) -> JSONResponse:
    """An answer that no cache keeps."""
    return JSONResponse(content, status_code=status, headers=dict(NO_STORE))


def error_response(status: int, code: str | int, message: str) -> JSONResponse:
    """A refusal.

    Args:
        status: HTTP status.
        code: what a program tests: a word for refusals of ours, a number where a standard gives one (JSON-RPC).
        message: one sentence for people.
    """
    return json_response({"error": {"code": code, "message": message}}, status)
