"""The front page, rendered once because it is the same for every visitor."""

from __future__ import annotations

from explorer.ui.gradio_host.visitor_cookie import new_visitor_header
from explorer.web.asgi import Application, Message, Receive, Scope, Send, collected_answer

MAX_CACHED_HOSTS = 8  # hosts with a cached page, because the page contains its host


class FrontPage:
    """ASGI middleware: caches the answer to `GET /`, which costs 10 ms of a core for each learner of a class."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._kept: dict[tuple[bytes, ...], list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or scope["path"] != "/" or scope["query_string"]:
            await self._app(scope, receive, send)
            return
        depends_on = tuple(value for name, value in scope["headers"] if name in (b"host", b"accept-encoding"))
        if depends_on not in self._kept:
            answer = await collected_answer(self._app, scope, receive)
            if answer[0]["status"] == 200 and len(self._kept) < MAX_CACHED_HOSTS:
                self._kept[depends_on] = answer
        else:
            answer = self._kept[depends_on]
        start, *rest = answer
        await send({**start, "headers": [*start.get("headers", []), *new_visitor_header(scope)]})
        for message in rest:
            await send(message)
