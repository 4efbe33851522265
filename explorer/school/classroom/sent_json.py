"""The body of a learner's request: a small JSON object that arrives in time."""

from __future__ import annotations

import asyncio
import json

from starlette.requests import ClientDisconnect, Request

from explorer.school.classroom.refusal import ClassRefusal

MAX_BODY_BYTES = 16_384  # bytes; an answer that names every finding takes two thousand
BODY_TIMEOUT_S = 10.0


async def sent_json(request: Request) -> dict[str, object]:
    """Return the JSON object that was sent. Raises ClassRefusal if it is malformed, too large or late."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ClassRefusal("The request cannot be read", "Send it as application/json.", 415)
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            body = await _body(request)
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ClassRefusal("The request cannot be read", "Reload the page, then try again.", 400) from error
    except (TimeoutError, ClientDisconnect) as error:
        raise ClassRefusal("The request did not arrive", "The network is slow or was lost: try again.", 408) from error
    if not isinstance(sent, dict):
        raise ClassRefusal("The request cannot be read", "Reload the page, then try again.", 400)
    return sent


async def _body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise ClassRefusal("The request is too large", f"The limit is {MAX_BODY_BYTES:,} bytes.", 413)
    return body
