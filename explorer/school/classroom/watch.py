"""Whether learners can reach the class: its own port is asked every few seconds, as a learner's device would ask."""

from __future__ import annotations

import http.client
import ssl
import threading
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from explorer.school.classroom.class_settings import is_loopback
from explorer.school.classroom.classroom import Classroom

EVERY = 2.0  # s
PATIENCE = 3.0  # s; the usual answer takes a few ms
KNOWN = (200, 401)  # to somebody who is in no class

AGAIN = "End the class, start Tailscope again with `make class`, and begin the class anew. What was answered is kept."
NO_ANSWER = f"Learners cannot reach the class: its server does not answer ({{}}). {AGAIN}"
BUSY = "Learners cannot reach the class: too many connections are open. If that lasts, end the class and begin it anew."
MOVED = (
    "The address of this machine has changed: learners find the class at {} now, with the code as before. Whoever had "
    "joined opens the new address and takes another nickname."
)
NOWHERE = (
    "This machine is in no network now: learners cannot reach the class. Connect it to the network of the learners' "
    "devices."
)


class ClassWatch:
    """Tells a classroom where learners find it and why they do not, from `start` to `close`, while a class runs.

    `urls` gives the addresses for learners as they are now, the likeliest first.
    """

    def __init__(
        self, classroom: Classroom, host: str, port: int, urls: Callable[[], Sequence[str]], *, encrypted: bool
    ) -> None:
        self._classroom = classroom
        self._at = host, port
        self._urls = urls
        self._tls = _anybody() if encrypted else None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="class-watch", daemon=True)

    def start(self) -> None:
        """Look every few seconds."""
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=PATIENCE + 1)

    def _watch(self) -> None:
        begun_at: Sequence[str] = ()  # where learners found the class when it began
        while not self._ended.wait(EVERY):
            runs = self._classroom.runs
            begun_at = (begun_at or self._classroom.addresses) if runs else ()
            try:
                now = tuple(self._urls())
            except OSError:  # nothing more can be opened: that the class does not answer either is told below
                now = self._classroom.addresses
            self._classroom.found_at(now, (moved(begun_at, now) or self.asked()) if runs else "")

    def asked(self) -> str:
        """What is wrong with the server; empty where it answers."""
        connection = (
            http.client.HTTPConnection(*self._at, timeout=PATIENCE)
            if self._tls is None
            else http.client.HTTPSConnection(*self._at, timeout=PATIENCE, context=self._tls)
        )
        try:
            connection.request("GET", "/me")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return NO_ANSWER.format(str(error) or type(error).__name__)
        finally:
            connection.close()
        return "" if status in KNOWN else BUSY if status == 503 else NO_ANSWER.format(status)


def moved(begun_at: Sequence[str], now: Sequence[str]) -> str:
    """What has become of the addresses at which a class began; empty where the first of them is one still."""
    if begun_at[0] in now:
        return ""
    return NOWHERE if is_loopback(urlsplit(now[0]).hostname or "") else MOVED.format(now[0])


def _anybody() -> ssl.SSLContext:
    """It is asked whether it answers, not who it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
