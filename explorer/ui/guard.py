"""What reaches Gradio: requests to this machine by name, for routes the page needs, and nothing that fetches URLs."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HOSTS = frozenset({"127.0.0.1", "localhost"})
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'self'; object-src 'none'; "
        b"base-uri 'self'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"referrer-policy", b"no-referrer"),
)
# Gradio serves these whether or not the page uses them: they fetch addresses for the caller, run converters on
# uploads, write state to disk or describe the machine.
_CLOSED = re.compile(
    r"^/(gradio_api/)?(proxy=|deep_link|openapi\.json|process_recording|vibe|undo-vibe|monitoring|runs|run-history|"
    r"profiling|dev/|custom_component/|docs|redoc)"
)
_FILE = re.compile(r"^/(gradio_api/)?file[=/](?P<target>.*)$", re.DOTALL)
_SCHEME = re.compile(r"^[\s/\\]*[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Guard:
    """ASGI middleware: refuses what nobody here has a use for and sends the security headers with every answer."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = refused(_host(scope), scope["path"])
        if refusal is not None:
            await _answer(send, *refusal)
            return
        await self._app(scope, receive, _with_headers(send))


def refused(host: str, path: str) -> tuple[int, str] | None:
    """Status and sentence for a request that is not let through, or None.

    The host check stops another site that rebinds its name to 127.0.0.1 from reading films through the visitor's
    browser.
    """
    if _name(host) not in HOSTS:
        return 421, "Tailscope answers only to 127.0.0.1 and localhost."
    plain = _plain(path)
    if _CLOSED.match(plain):
        return 404, "There is nothing here."
    file = _FILE.match(plain)
    if file and _SCHEME.match(file["target"]):
        return 403, "Tailscope fetches no addresses."
    return None


def _plain(path: str) -> str:
    """The path as the most lenient reader would take it: decoded until nothing changes, lower case, single slashes."""
    for _ in range(5):
        decoded = unquote(path)
        if decoded == path:
            break
        path = decoded
    return re.sub(r"/{2,}", "/", path.replace("\\", "/")).lower()


def _name(host: str) -> str:
    return host.rsplit(":", 1)[0].lower() if not host.endswith("]") else host.lower()


def _host(scope: Scope) -> str:
    hosts = [value.decode("latin-1") for key, value in scope["headers"] if key == b"host"]
    return hosts[0] if len(hosts) == 1 else ""


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in HEADERS}
            kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
            message = {**message, "headers": [*kept, *HEADERS]}
        await send(message)

    return wrapped


async def _answer(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
