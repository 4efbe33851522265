"""Tells who sent a request: the page itself, a program, a link from elsewhere, or another site's page (refused).

Another port on this machine counts as another site, because whatever listens there is not Tailscope.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.web.asgi import Scope

Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

# What browsers send with the page's own requests and with a typed address; programs send nothing.
_OWN_SITES = frozenset({"same-origin", "none"})
_LINK = ("navigate", "document")  # mode and destination of a tab that follows a link


def is_foreign(method: str, path: str, host: str, headers: Headers, scheme: str = "http") -> bool:
    """Whether a page from an origin other than `scheme://host` asks. Only its links may open the page.

    A browser names the origin with every POST and every cross-origin read by a script, and states for each request
    whether it crosses sites; browsers from before 2021 (Safari: 2023) do not tell the latter.
    """
    origins = _values(headers, b"origin")
    if origins and origins != [f"{scheme}://{host.lower()}"]:
        return True  # includes "null": a sandboxed page or a file
    if set(_values(headers, b"sec-fetch-site")) <= _OWN_SITES:
        return False
    kind = tuple(_values(headers, b"sec-fetch-mode") + _values(headers, b"sec-fetch-dest"))
    return not (method in ("GET", "HEAD") and path == "/" and kind == _LINK)


def host_of(scope: Scope) -> str:
    """Return the host that the request names; empty if it names none or several."""
    hosts = _values(scope["headers"], b"host")
    return hosts[0] if len(hosts) == 1 else ""


def host_name(host: str) -> str:
    """Return a host in lower case without its port."""
    return host.rsplit(":", 1)[0].lower() if not host.endswith("]") else host.lower()


def without_proxies(headers: Headers) -> list[tuple[bytes, bytes]]:
    """Drop headers by which a proxy reports the original request: there is no proxy, but gradio would trust them."""
    return [(name, value) for name, value in headers if not name.startswith(b"x-forwarded-") and name not in _PROXIES]


_PROXIES = frozenset({b"forwarded", b"x-gradio-server", b"x-real-ip", b"x-original-url", b"x-rewrite-url"})


def _values(headers: Headers, name: bytes) -> list[str]:
    return [value.decode("latin-1").strip().lower() for key, value in headers if key == name]
