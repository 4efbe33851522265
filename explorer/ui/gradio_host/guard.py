"""The outer guard: it refuses foreign hosts and origins, and routes that fetch addresses."""

from __future__ import annotations

import re
from urllib.parse import unquote

from explorer.web.answer_headers import with_headers
from explorer.web.asgi import Application, Receive, Scope, Send, refuse
from explorer.web.request_origin import Headers, host_name, host_of, is_foreign, without_proxies

HOSTS = frozenset({"127.0.0.1", "localhost"})
FOREIGN_REFUSAL = "Tailscope answers only its own page, not another site's. Open it in its own tab."
SECURITY_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors 'self'; object-src 'none'; "
        b"base-uri 'self'; form-action 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
# Gradio serves these even if the page does not use them: they fetch addresses for the caller, run converters on
# uploads, write state to disk or describe the machine.
_CLOSED = re.compile(
    r"^/(gradio_api/)?(proxy=|deep_link|openapi\.json|process_recording|vibe|undo-vibe|monitoring|runs|run-history|"
    r"profiling|dev/|custom_component/|docs|redoc)"
)
_FILE = re.compile(r"^/(gradio_api/)?file[=/](?P<target>.*)$", re.DOTALL)
_SCHEME = re.compile(r"^[\s/\\]*[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class Guard:
    """Wraps the whole application, including Gradio's own middleware, which would answer other local pages.

    Refuses unused routes and adds the security headers to every answer.
    """

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = request_refusal(host_of(scope), scope["path"], scope.get("method", "GET"), scope["headers"])
        if refusal is None:
            await self._app(_without_proxies(scope), receive, with_headers(send, SECURITY_HEADERS))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # closed before acceptance, so the client sees 403
        else:
            await refuse(with_headers(send, SECURITY_HEADERS), *refusal)


def request_refusal(host: str, path: str, method: str = "GET", headers: Headers = ()) -> tuple[int, str] | None:
    """Status and message for a request to refuse, or None.

    The host check stops a site that rebinds its name to 127.0.0.1 from reading films through the visitor's browser.
    """
    if host_name(host) not in HOSTS:
        return 421, "Tailscope answers only to 127.0.0.1 and localhost."
    if is_foreign(method, path, host, headers):
        return 403, FOREIGN_REFUSAL
    plain = _normalized(path)
    if _CLOSED.match(plain):
        return 404, "There is nothing here."
    file = _FILE.match(plain)
    if file and _SCHEME.match(file["target"]):
        return 403, "Tailscope does not fetch addresses."
    return None


def _without_proxies(scope: Scope) -> Scope:
    """The request as it came over the wire: without proxy headers, and unencrypted."""
    scheme = "http" if scope["type"] == "http" else "ws"
    return {**scope, "scheme": scheme, "headers": without_proxies(scope["headers"])}


def _normalized(path: str) -> str:
    """The path as the most lenient parser would read it: fully decoded, lower case, single slashes."""
    for _ in range(5):
        decoded = unquote(path)
        if decoded == path:
            break
        path = decoded
    return re.sub(r"/{2,}", "/", path.replace("\\", "/")).lower()
