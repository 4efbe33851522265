"""Lets an upload in where there is room for it; one that breaks off or cannot be kept is refused in words."""

from __future__ import annotations

import errno

from starlette.requests import ClientDisconnect

from explorer.ui.uploads import LIMIT_MB, Coming, NoRoom, Uploads
from explorer.web.asgi import Application, Message, Receive, Scope, Send, refuse

PATH = "/gradio_api/upload"
MOST = (LIMIT_MB + 1) * 2**20  # bytes of a request: a film and what is written around it
TOO_LARGE = f"The film is too large\nAt most {LIMIT_MB} MB are read."
UNREADABLE = "The film could not be sent\nIts request cannot be read. Open the film again."
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
            with self._uploads.coming(nbytes) as coming:
                upload = _Upload(receive, send, coming, nbytes)
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
    """What passes to and from Gradio: bytes are counted, and its bare "Internal Server Error" is held back."""

    def __init__(self, receive: Receive, send: Send, coming: Coming, most: int) -> None:
        self._receive = receive
        self._send = send
        self._coming = coming
        self._left = most
        self._more = True
        self._failed = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._more = bool(message.get("more_body", False))
        arrived = len(message.get("body", b""))
        self._coming.arrived(arrived)
        self._left -= arrived
        if self._left < 0:
            raise _TooLong
        return message

    async def send(self, message: Message) -> None:
        self._failed |= message["type"] == "http.response.start" and message["status"] >= 500
        if not self._failed:
            await self._send(message)

    async def refuse(self, status: int, words: str) -> None:
        if self._failed:
            await _refuse_unread(self._receive, self._send, status, words, more=self._more)


async def _refuse_unread(receive: Receive, send: Send, status: int, words: str, *, more: bool = True) -> None:
    """A browser listens to the answer when it has sent everything, so all that a film may have is heard first."""
    heard = 0
    while more and heard <= MOST:
        message = await receive()
        heard += len(message.get("body", b""))
        more = bool(message.get("more_body", False))
    await refuse(send, status, words)


def _length(scope: Scope) -> int:
    """The bytes that the request says it has; as many as it may have where it says nothing."""
    said = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(said[0]) if said and len(said[0]) < 20 and said[0].isdigit() else MOST


def _words(refusal: NoRoom) -> str:
    return f"{refusal.title}\n{refusal.detail}"
