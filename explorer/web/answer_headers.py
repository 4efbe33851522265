"""Adds the headers that every response of a server has."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.web.asgi import Message, Send


def with_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    """Replace headers of the same name, and remove permissions for other origins to read."""
    ours = {name for name, _ in headers}

    def is_kept(name: bytes) -> bool:
        return name not in ours and not name.startswith(b"access-control-")

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message.get("headers", []) if is_kept(pair[0].lower())]
            message = {**message, "headers": [*kept, *headers]}
        await send(message)

    return wrapped
