"""The owner of an upload: a random token in each browser's cookie, so that nobody can take all the room."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie

from explorer.web.asgi import Scope

VISITOR_COOKIE = "tailscope-visitor"


def visitor_of(scope: Scope) -> str:
    """The browser's token; empty for a program, since all programs share one quota."""
    cookies = SimpleCookie()
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookies.load(value.decode("latin-1"))
            except CookieError:
                return ""
    return cookies[VISITOR_COOKIE].value if VISITOR_COOKIE in cookies else ""


def new_visitor_header(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The header that sets a browser's session cookie, if it has none."""
    if visitor_of(scope):
        return []
    value = f"{VISITOR_COOKIE}={secrets.token_urlsafe(12)}; Path=/; HttpOnly; SameSite=Strict"
    return [(b"set-cookie", value.encode())]
