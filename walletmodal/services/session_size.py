"""How much of what its page says a session keeps: told by the features, limited by whoever knows all sessions."""

from collections.abc import Callable

NoteSize = Callable[[str, int], None]
"""Takes the token of a session, and the bytes of texts that it keeps."""

_listeners: list[NoteSize] = []


def register_session_sizes(listener: NoteSize) -> None:
    """Registers the function that limits sessions; services know no server."""
    _listeners[:] = [listener]


def note_session_size(token: str, size: int) -> None:
    """Tells how much a session keeps now."""
    for listener in _listeners:
        listener(token, size)
