"""ASGI types, and a plain-text refusal."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


async def collected_answer(app: Application, scope: Scope, receive: Receive) -> list[Message]:
    """Return all messages of an application's answer."""
    answer: list[Message] = []

    async def take(message: Message) -> None:
        answer.append(message)

    await app(scope, receive, take)
    return answer


async def refuse(send: Send, status: int, words: str) -> None:
    """Answer with plain text: a sentence, or a title with the detail on the next line."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})
