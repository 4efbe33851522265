"""A clear refusal for calls that Gradio cannot parse, some of which it would answer with its own error."""

from __future__ import annotations

from gradio.route_utils import FnIndexInferError

from explorer.ui.gradio_host.call_gate import CALL_PATH
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

NOT_UNDERSTOOD = "The request cannot be understood\nSend what docs/api.md shows, to a function of /gradio_api/info."
_OURS = ("/tailscope/", CALL_PATH)  # a failure there is Tailscope's own and must show
_WORDLESS = (422, 500)


class WrongCalls:
    """ASGI middleware before Gradio's own routes: turns their failures on malformed requests into refusals."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] == "/" or scope["path"].startswith(_OURS):
            await self._app(scope, receive, send)
            return
        held = begun = False

        async def passed(message: Message) -> None:
            nonlocal held, begun
            if message["type"] == "http.response.start":
                held = message["status"] in _WORDLESS
                begun = not held
            if not held:
                await send(message)

        try:
            await self._app(scope, receive, passed)
        except (AttributeError, FnIndexInferError, LookupError, OSError, RecursionError, TypeError, ValueError):
            if begun:
                raise
            held = True
        if held:
            await refuse(send, 400, NOT_UNDERSTOOD)
