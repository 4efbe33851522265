"""What comes before Gradio's own reading of a call: only functions that the page offers, in a body of bounded size."""

from __future__ import annotations

import json
from collections.abc import Set

from explorer.ui.upload_room import PATH as UPLOAD
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

CALL = "/gradio_api/component_server"
MOST = 2**20  # bytes: the longest order of the page has some thousand
TOO_LONG = "The request is too large\nRequests are limited to 1 MB; films are uploaded."
NO_FILES = "Requests cannot contain files\nUpload a film, then name its path."
NOT_OFFERED = "There is no such function\nLoad the page again, then try it once more."
Offered = Set[tuple[int, str]]  # id of a component, name of a function


class CallGate:
    """ASGI middleware: Gradio looks up what a caller names, keeps bodies of any size and files that nobody wants."""

    def __init__(self, app: Application, offered: Offered) -> None:
        self._app = app
        self._offered = offered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD") or scope["path"] == UPLOAD:
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await refuse(send, 413, TOO_LONG)
        elif _has_files(scope):
            await refuse(send, 415, NO_FILES)
        elif scope["path"].rstrip("/") == CALL and _called(body) not in self._offered:
            await refuse(send, 404, NOT_OFFERED)
        else:
            await self._app(scope, _again(body, receive), send)


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None where it is too long or broke off."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST or message["type"] != "http.request":
            return None
        more = message.get("more_body", False)
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """The body once more, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received


def _has_files(scope: Scope) -> bool:
    kinds = [value.strip().lower() for name, value in scope["headers"] if name == b"content-type"]
    return any(kind.startswith(b"multipart/") for kind in kinds)


def _called(body: bytes) -> tuple[int, str] | None:
    """Which function of which component; None where the body names none or is not whole."""
    try:
        call = json.loads(body)
        component, name = call["component_id"], call["fn_name"]
        whole = isinstance(call["session_hash"], str) and "data" in call
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return (component, name) if type(component) is int and isinstance(name, str) and whole else None
