"""Guards the learners' server: refuses requests to other hosts and from other sites."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.school.classroom.refused_json import refusal_response
from explorer.web.answer_headers import with_headers
from explorer.web.asgi import Application, Receive, Scope, Send
from explorer.web.request_origin import host_name, host_of, is_foreign

SECURITY_HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        b"font-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
# On an unencrypted page, browsers ignore this header and log a warning.
ENCRYPTED_HEADERS = ((b"cross-origin-opener-policy", b"same-origin"),)
WRONG_HOST = "No class has this address", "Open the address that the teacher's screen shows."
FOREIGN_REFUSAL = "The request came from another site", "The class answers only its own page. Open it in its own tab."


class ClassGuard:
    """Wraps the learners' application: refuses other hosts and origins, and always adds the security headers."""

    def __init__(
        self,
        app: Application,
        names: Iterable[str],
        *,
        encrypted: bool,
        wrong_host: tuple[str, str] = WRONG_HOST,
        foreign: tuple[str, str] = FOREIGN_REFUSAL,
    ) -> None:
        """`wrong_host` and `foreign` are title and detail of its two refusals."""
        self._app = app
        self._wrong_host, self._foreign = wrong_host, foreign
        self._names = frozenset(name.lower() for name in names)
        self._scheme = "https" if encrypted else "http"
        self._headers = (*SECURITY_HEADERS, *(ENCRYPTED_HEADERS if encrypted else ()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # neither WebSockets nor lifespan
            return
        send = with_headers(send, self._headers)
        host = host_of(scope)
        if not self._is_here(host_name(host), scope):
            await refusal_response(*self._wrong_host, 421)(scope, receive, send)
        elif is_foreign(scope["method"], scope["path"], host, scope["headers"], self._scheme):
            await refusal_response(*self._foreign, 403)(scope, receive, send)
        else:
            await self._app({**scope, "scheme": self._scheme}, receive, send)

    def _is_here(self, name: str, scope: Scope) -> bool:
        """Return whether a name belongs to this class or is the address at which the connection arrived.

        A site that rebinds its name to this machine fails both tests, because browsers send the site's name.
        """
        arrived, _ = scope.get("server") or ("", None)
        return name in self._names or name.strip("[]") == arrived
