"""The headers that go with every answer of a server."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.web.asgi import Message, Send


def with_headers(send: Send, headers: Sequence[tuple[bytes, bytes]]) -> Send:
    """These take the place of others of the same name; no other origin is allowed to read."""
    ours = {name for name, _ in headers}

    def stays(name: bytes) -> bool:
        return name not in ours and not name.startswith(b"access-control-")

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message.get("headers", []) if stays(pair[0].lower())]
            message = {**message, "headers": [*kept, *headers]}
        await send(message)

    return wrapped
