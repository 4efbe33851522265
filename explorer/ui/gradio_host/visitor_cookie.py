"""Whose an upload is: a random word that the page gives to each browser, so that nobody takes all the room."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie

from explorer.web.asgi import Scope

COOKIE = "tailscope-visitor"


def visitor_of(scope: Scope) -> str:
    """The word of the browser that asks; empty for a program, which shares its room with all other programs."""
    cookies = SimpleCookie()
    for name, value in scope["headers"]:
        if name == b"cookie":
            try:
                cookies.load(value.decode("latin-1"))
            except CookieError:
                return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def new_visitor(scope: Scope) -> list[tuple[bytes, bytes]]:
    """The header that gives a browser its word, where it has none. It goes with the browser's session."""
    if visitor_of(scope):
        return []
    value = f"{COOKIE}={secrets.token_urlsafe(12)}; Path=/; HttpOnly; SameSite=Strict"
    return [(b"set-cookie", value.encode())]
