"""Lets an upload in where there is room for it; one that breaks off or cannot be kept is refused in words."""

from __future__ import annotations

import asyncio
import errno
import json
import time
from contextlib import suppress

from starlette.requests import ClientDisconnect

from explorer.ui.gradio_host.visitor_cookie import visitor_of
from explorer.ui.shared.uploads import LIMIT_MB, Coming, NoRoom, Uploads
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

PATH = "/gradio_api/upload"
MOST = (LIMIT_MB + 1) * 2**20  # bytes of a request: a film and what is written around it
TOO_LARGE = f"The film is too large\nAt most {LIMIT_MB} MB are read."
UNREADABLE = "The film could not be sent\nIts request cannot be read. Open the film again."
STALLED = "The film stopped arriving\nNothing of it came for half a minute. Open the film again."
STALLS = 30.0  # seconds within which a piece must come, or the end
PIECE = 2**16  # bytes; a browser on this machine sends thousands of them a second
_FULL = (errno.ENOSPC, errno.EDQUOT)


class UploadRoom:
    """ASGI middleware before Gradio's upload, which writes whatever comes and leaves what broke off."""

    def __init__(self, app: Application, uploads: Uploads) -> None:
        self._app = app
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        nbytes = _length(scope)
        if nbytes > MOST:
            await _refuse_unread(receive, send, 413, TOO_LARGE)
            return
        try:
            with self._uploads.coming(nbytes, visitor_of(scope)) as coming:
                upload = _Upload(receive, send, self._uploads, coming, nbytes)
                refusal = await self._let_in(scope, upload)
        except NoRoom as full:
            await _refuse_unread(receive, send, 507, _words(full))
            return
        if refusal is not None:  # sent when what had come is gone, so that there is room for another try
            await upload.refuse(*refusal)

    async def _let_in(self, scope: Scope, upload: _Upload) -> tuple[int, str] | None:
        """Status and words where the upload fails; None where gradio has answered or nobody is left to answer."""
        try:
            await self._app(scope, upload.receive, upload.send)
        except ClientDisconnect:
            return None
        except _TooLong:
            return 413, TOO_LARGE
        except TimeoutError:
            return 408, STALLED
        except NoRoom as full:
            return 507, _words(full)
        except OSError as error:
            if error.errno not in _FULL:
                raise
            return 507, _words(NoRoom(disk=True))
        except (AttributeError, LookupError, TypeError, ValueError):  # what gradio's parser makes of a wrong form
            return 400, UNREADABLE
        return None


class _TooLong(Exception):
    """More has come than the request said, or than a film may have."""


class _Upload:
    """What passes to and from Gradio: bytes are counted and must come, a bare "Internal Server Error" is held back."""

    def __init__(self, receive: Receive, send: Send, uploads: Uploads, coming: Coming, most: int) -> None:
        self._receive = _pressed(receive)
        self._send = send
        self._uploads = uploads
        self._coming = coming
        self._left = most
        self._more = True
        self._failed = self._answered = False

    async def receive(self) -> Message:
        self._more, more = False, self._more  # of one that stands still no more is heard
        message = await self._receive()
        self._more = more and bool(message.get("more_body", False))
        arrived = len(message.get("body", b""))
        self._uploads.arrived(self._coming, arrived)
        self._left -= arrived
        if self._left < 0:
            raise _TooLong
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._failed = message["status"] >= 500
            self._answered = message["status"] == 200
        elif self._answered and message.get("body"):
            self._uploads.finished(self._coming, json.loads(message["body"]))
        if not self._failed:
            await self._send(message)

    async def refuse(self, status: int, words: str) -> None:
        if self._failed:
            await _refuse_unread(self._receive, self._send, status, words, more=self._more)


def _pressed(receive: Receive) -> Receive:
    """The same messages. Raises TimeoutError where less than a piece comes in the time for one."""
    until, piece, more = time.monotonic() + STALLS, 0, True

    async def received() -> Message:
        nonlocal until, piece, more
        if not more:
            return await receive()  # that the caller has gone
        message = await asyncio.wait_for(receive(), max(1.0, until - time.monotonic()))
        piece += len(message.get("body", b""))
        more = bool(message.get("more_body", False))
        if piece >= PIECE:
            until, piece = time.monotonic() + STALLS, 0
        return message

    return received


async def _refuse_unread(receive: Receive, send: Send, status: int, words: str, *, more: bool = True) -> None:
    """A browser listens to the answer when it has sent everything, so all that a film may have is heard first."""
    heard, pressed = 0, _pressed(receive)
    with suppress(TimeoutError):
        while more and heard <= MOST:
            message = await pressed()
            heard += len(message.get("body", b""))
            more = bool(message.get("more_body", False))
    await refuse(send, status, words)


def _length(scope: Scope) -> int:
    """The bytes that the request says it has; as many as it may have where it says nothing."""
    said = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(said[0]) if said and len(said[0]) < 20 and said[0].isdigit() else MOST


def _words(refusal: NoRoom) -> str:
    return f"{refusal.title}\n{refusal.detail}"
