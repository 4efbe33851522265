"""What the parts before Gradio share: the words of ASGI, and an answer that refuses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


async def answer_of(app: Application, scope: Scope, receive: Receive) -> list[Message]:
    """The messages that the application answers with, all of them."""
    answer: list[Message] = []

    async def take(message: Message) -> None:
        answer.append(message)

    await app(scope, receive, take)
    return answer


async def refuse(send: Send, status: int, words: str) -> None:
    """Answer with words alone: a sentence, or a title with the detail in the next line."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words.encode()})
