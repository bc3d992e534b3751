"""What services keep beside the chains goes when the control takes the chains back to their beginning."""

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class ForgetsAfterReset:
    """ASGI middleware around the control.

    Args:
        control: the control, with its paths below `/sandbox`.
        forget: called when a reset has succeeded, before it is answered.
    """

    def __init__(self, control: ASGIApp, forget: Callable[[], None]) -> None:
        self._control = control
        self._forget = forget

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        is_reset = scope["method"] == "POST" and path == "/reset"

        async def sending(message: Message) -> None:
            if is_reset and message["type"] == "http.response.start" and message["status"] == 200:
                self._forget()
            await send(message)

        await self._control(scope, receive, sending)
