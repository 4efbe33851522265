"""The gate before Gradio's call handling: known functions, bounded bodies and uploaded files only."""

from __future__ import annotations

import json
from collections.abc import Callable, Set

from explorer.ui.gradio_host.upload_room import UPLOAD_PATH as UPLOAD
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

NOT_UPLOADED = "Only an uploaded film can be named\nUpload the film, then send the path from its answer."


CALL_PATH = "/gradio_api/component_server"
MAX_BODY_BYTES = 2**20  # bytes; the page's longest request has a few thousand
TOO_LONG = "The request is too large\nRequests are limited to 1 MB; films are uploaded."
NO_FILES = "Requests cannot contain files\nUpload a film, then name its path."
NOT_JSON = "The request cannot be read\nSend JSON, as docs/api.md shows."
NOT_OFFERED = "There is no such function\nLoad the page again, then try it once more."
OfferedCalls = Set[tuple[int, str]]  # a component's id and a function's name


def names_other_files(sent: object, is_upload: Callable[[str], bool]) -> bool:
    """Whether any file in this JSON is not an upload, or has an address.

    Gradio treats any object with a string `path` as a file, at any depth, and also uses its `url`.
    """
    waiting = [sent]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            path = value.get("path")
            if isinstance(path, str) and (value.get("url") is not None or not is_upload(path)):
                return True
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return False


class CallGate:
    """ASGI middleware: checks calls, because Gradio accepts any function, address, file and body size."""

    def __init__(self, app: Application, offered: OfferedCalls, is_upload: Callable[[str], bool]) -> None:
        self._app = app
        self._offered = offered
        self._is_upload = is_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD") or scope["path"] == UPLOAD:
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await refuse(send, 413, TOO_LONG)
        elif (refusal := self._refusal(scope, body)) is not None:
            await refuse(send, *refusal)
        else:
            await self._app(scope, _replay(body, receive), send)

    def _refusal(self, scope: Scope, body: bytes) -> tuple[int, str] | None:
        """Status and message for a request to refuse; None if it may pass."""
        if _has_files(scope):
            return 415, NO_FILES
        is_call = scope["path"].rstrip("/") == CALL_PATH
        try:
            sent = json.loads(body or b"null")
        except (ValueError, RecursionError):
            return (404, NOT_OFFERED) if is_call else (400, NOT_JSON)
        if is_call and _called_function(sent) not in self._offered:
            return 404, NOT_OFFERED
        return (403, NOT_UPLOADED) if names_other_files(sent, self._is_upload) else None


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None if it is too long or broke off."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES or message["type"] != "http.request":
            return None
        more = message.get("more_body", False)
    return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that replays the body, then continues with the original."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return messages.pop() if messages else await receive()

    return received


def _has_files(scope: Scope) -> bool:
    kinds = [value.strip().lower() for name, value in scope["headers"] if name == b"content-type"]
    return any(kind.startswith(b"multipart/") for kind in kinds)


def _called_function(call: object) -> tuple[int, str] | None:
    """The component and function called; None if the body names none or is incomplete."""
    if not isinstance(call, dict):
        return None
    component, name = call.get("component_id"), call.get("fn_name")
    whole = isinstance(call.get("session_hash"), str) and "data" in call
    return (component, name) if type(component) is int and isinstance(name, str) and whole else None
