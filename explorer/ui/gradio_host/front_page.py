"""The page itself, which is the same for every visitor: made once, where gradio would make it again for each."""

from __future__ import annotations

from explorer.ui.gradio_host.visitor_cookie import new_visitor
from explorer.web.asgi import Application, Message, Receive, Scope, Send, answer_of

HOSTS_KEPT = 8  # names and ports that the page was asked for by: they stand in it


class FrontPage:
    """ASGI middleware: keeps the answer to `GET /`, 10 ms of one core, of which a class that comes at once is many."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._kept: dict[tuple[bytes, ...], list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/" or scope["query_string"]:
            await self._app(scope, receive, send)
            return
        depends_on = tuple(value for name, value in scope["headers"] if name in (b"host", b"accept-encoding"))
        if depends_on not in self._kept:
            answer = await answer_of(self._app, scope, receive)
            if answer[0]["status"] == 200 and len(self._kept) < HOSTS_KEPT:
                self._kept[depends_on] = answer
        else:
            answer = self._kept[depends_on]
        start, *rest = answer
        await send({**start, "headers": [*start.get("headers", []), *new_visitor(scope)]})
        for message in rest:
            await send(message)
