"""Admits uploads while there is room, and refuses broken ones with a clear message."""

from __future__ import annotations

import asyncio
import errno
import json
import time
from contextlib import suppress

from starlette.requests import ClientDisconnect

from explorer.ui.gradio_host.visitor_cookie import visitor_of
from explorer.ui.shared.uploads import MAX_UPLOAD_MB, IncomingUpload, NoUploadRoom, Uploads
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

UPLOAD_PATH = "/gradio_api/upload"
MAX_REQUEST_BYTES = (MAX_UPLOAD_MB + 1) * 2**20  # bytes of a request: a film and its form
TOO_LARGE = f"The film is too large\nAt most {MAX_UPLOAD_MB} MB are read."
UNREADABLE = "The film could not be sent\nIts request cannot be read. Open the film again."
STALLED = "The film stopped arriving\nNo data arrived for half a minute. Open the film again."
STALL_TIMEOUT_S = 30.0  # seconds within which a piece or the end must arrive
MIN_PIECE_BYTES = 2**16  # bytes; a local browser sends thousands of pieces a second
_FULL = (errno.ENOSPC, errno.EDQUOT)


class UploadRoom:
    """ASGI middleware before Gradio's upload route, which would write any upload and leave broken ones behind."""

    def __init__(self, app: Application, uploads: Uploads) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != UPLOAD_PATH:
            await self._app(scope, receive, send)
            return
        nbytes = _length(scope)
        if nbytes > MAX_REQUEST_BYTES:
            await _refuse_unread(receive, send, 413, TOO_LARGE)
            return
        try:
            with self._uploads.coming(nbytes, visitor_of(scope)) as coming:
                upload = _Upload(receive, send, self._uploads, coming, nbytes)
                refusal = await self._pass_on(scope, upload)
        except NoUploadRoom as full:
            await _refuse_unread(receive, send, 507, _words(full))
            return
        if refusal is not None:  # sent after the received part was deleted, so that a retry has room
            await upload.refuse(*refusal)

    async def _pass_on(self, scope: Scope, upload: _Upload) -> tuple[int, str] | None:
        """Status and message if the upload fails; None if Gradio answered or the client has gone."""
        try:
            await self._app(scope, upload.receive, upload.send)
        except ClientDisconnect:
            return None
        except _TooLong:
            return 413, TOO_LARGE
        except TimeoutError:
            return 408, STALLED
        except NoUploadRoom as full:
            return 507, _words(full)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            return 507, _words(NoUploadRoom(disk=True))
        except (AttributeError, LookupError, TypeError, ValueError):  # Gradio's parser on a malformed form
            return 400, UNREADABLE
        return None


class _TooLong(Exception):
    """More bytes arrived than the request announced or than a film may have."""


class _Upload:
    """The traffic of one upload: counts bytes, detects stalls, and holds back a bare "Internal Server Error"."""

    def __init__(self, receive: Receive, send: Send, uploads: Uploads, coming: IncomingUpload, most: int) -> None:
        self._receive = _with_stall_timeout(receive)
        self._send = send
        self._uploads = uploads
        self._coming = coming
        self._bytes_left = most
        self._more = True
        self._server_failed = self._answered = False

    async def receive(self) -> Message:
        self._more, more = False, self._more  # after a failure nothing more is read
        message = await self._receive()
        self._more = more and bool(message.get("more_body", False))
        arrived = len(message.get("body", b""))
        self._uploads.add_received(self._coming, arrived)
        self._bytes_left -= arrived
        if self._bytes_left < 0:
            raise _TooLong
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._server_failed = message["status"] >= 500
            self._answered = message["status"] == 200
        elif self._answered and message.get("body"):
            self._uploads.note_owner(self._coming, json.loads(message["body"]))
        if not self._server_failed:
            await self._send(message)

    async def refuse(self, status: int, words: str) -> None:
        if self._server_failed:
            await _refuse_unread(self._receive, self._send, status, words, more=self._more)


def _with_stall_timeout(receive: Receive) -> Receive:
    """A `receive` that raises TimeoutError if less than a piece arrives in the time for one."""
    until, piece, more = time.monotonic() + STALL_TIMEOUT_S, 0, True

    async def received() -> Message:
        nonlocal until, piece, more
        if not more:
            return await receive()  # the message that says that the client has gone
        message = await asyncio.wait_for(receive(), max(1.0, until - time.monotonic()))
        piece += len(message.get("body", b""))
        more = bool(message.get("more_body", False))
        if piece >= MIN_PIECE_BYTES:
            until, piece = time.monotonic() + STALL_TIMEOUT_S, 0
        return message

    return received


async def _refuse_unread(receive: Receive, send: Send, status: int, words: str, *, more: bool = True) -> None:
    """Refuse a request after reading it: browsers ignore an answer until they have sent everything."""
    heard, pressed = 0, _with_stall_timeout(receive)
    with suppress(TimeoutError):
        while more and heard <= MAX_REQUEST_BYTES:
            message = await pressed()
            heard += len(message.get("body", b""))
            more = bool(message.get("more_body", False))
    await refuse(send, status, words)


def _length(scope: Scope) -> int:
    """The request's announced bytes; the maximum if it announces none."""
    said = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(said[0]) if said and len(said[0]) < 20 and said[0].isdigit() else MAX_REQUEST_BYTES


def _words(refusal: NoUploadRoom) -> str:
    return f"{refusal.title}\n{refusal.detail}"
