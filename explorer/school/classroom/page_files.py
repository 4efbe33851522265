"""Routes for the files of a page that devices open: a fixed list, served from memory."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
}


def file_route(name: str, content: bytes, page: str) -> BaseRoute:
    """Return the route of a file: its name, or `/` for the page itself; browsers revalidate it on each load."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    headers = {"cache-control": "no-cache", "etag": tag}
    kind = MEDIA_TYPES[PurePosixPath(name).suffix]

    async def file(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return Route("/" if name == page else f"/{name}", file)
