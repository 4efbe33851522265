"""Who asks: the page itself, a program, a link from elsewhere, or the page of another site, which gets no answer.

Another port of this machine is another site's as well: whatever listens there is not Tailscope.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.web.asgi import Scope

Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

# What a browser says of the page's own requests, and of an address that somebody typed; programs say nothing at all.
_OWN_SITES = frozenset({"same-origin", "none"})
_LINK = ("navigate", "document")  # mode and destination of a tab that follows a link


def is_foreign(method: str, path: str, host: str, headers: Headers, scheme: str = "http") -> bool:
    """Whether the page of another origin than `scheme://host` asks. Its links may open the page; it gets nothing else.

    A browser names the asking origin with every POST and with whatever a script wants to read from elsewhere, and says
    of any request whether it crosses sites; those of before 2021 (Safari: 2023) do not say the latter.
    """
    origins = _values(headers, b"origin")
    if origins and origins != [f"{scheme}://{host.lower()}"]:
        return True  # "null" too: a page in a sandbox or a file
    if set(_values(headers, b"sec-fetch-site")) <= _OWN_SITES:
        return False
    kind = tuple(_values(headers, b"sec-fetch-mode") + _values(headers, b"sec-fetch-dest"))
    return not (method in ("GET", "HEAD") and path == "/" and kind == _LINK)


def host_of(scope: Scope) -> str:
    """The host that is asked for, as the request names it; empty where it names none or several."""
    hosts = _values(scope["headers"], b"host")
    return hosts[0] if len(hosts) == 1 else ""


def name_of(host: str) -> str:
    """A host without its port, in lower case."""
    return host.rsplit(":", 1)[0].lower() if not host.endswith("]") else host.lower()


def without_proxies(headers: Headers) -> list[tuple[bytes, bytes]]:
    """The headers without those by which a proxy says who asked for what: there is none, and gradio believes them."""
    return [(name, value) for name, value in headers if not name.startswith(b"x-forwarded-") and name not in _PROXIES]


_PROXIES = frozenset({b"forwarded", b"x-gradio-server", b"x-real-ip", b"x-original-url", b"x-rewrite-url"})


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip().lower() for key, value in headers if key == name]
