"""Watches whether learners can reach the class, by polling its port like a learner's device."""

from __future__ import annotations

import http.client
import ssl
import threading
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from explorer.school.classroom.class_settings import is_loopback
from explorer.school.classroom.classroom import Classroom

POLL_INTERVAL_S = 2.0  # s
POLL_TIMEOUT_S = 3.0  # s; an answer usually takes a few ms
ALIVE_STATUSES = (200, 401)  # status codes for a device that has not joined

RESTART_ADVICE = "End the class, restart Tailscope with `make class`, and begin the class again. Answers are kept."
NO_ANSWER = f"Learners cannot reach the class: its server does not answer ({{}}). {RESTART_ADVICE}"
TOO_BUSY = (
    "Learners cannot reach the class: too many connections are open. If that lasts, end the class and begin again."
)
ADDRESS_CHANGED = (
    "The address of this machine has changed: learners now find the class at {}, with the same code. Learners who had "
    "joined must open the new address and choose another nickname."
)
NO_NETWORK = (
    "This machine is not on a network now: learners cannot reach the class. Connect it to the network of the learners' "
    "devices."
)


class ClassWatch:
    """During a class, tells the classroom its addresses and why learners cannot reach it, from `start` to `close`.

    `urls` returns the current addresses for learners, the likeliest first.
    """

    def __init__(
        self, classroom: Classroom, host: str, port: int, urls: Callable[[], Sequence[str]], *, encrypted: bool
    ) -> None:
        self._classroom = classroom
        self._at = host, port
        self._urls = urls
        self._tls = _any_certificate() if encrypted else None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="class-watch", daemon=True)

    def start(self) -> None:
        """Start checking every few seconds."""
        self._thread.start()

    def close(self) -> None:
        """Stop checking."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join(timeout=POLL_TIMEOUT_S + 1)

    def _watch(self) -> None:
        begun_at: Sequence[str] = ()  # the addresses when the class began
        while not self._ended.wait(POLL_INTERVAL_S):
            runs = self._classroom.runs
            begun_at = (begun_at or self._classroom.addresses) if runs else ()
            try:
                now = tuple(self._urls())
            except OSError:  # out of file handles; `server_trouble` below reports that the class does not respond
                now = self._classroom.addresses
            self._classroom.set_addresses(
                now, (address_trouble(begun_at, now) or self.server_trouble()) if runs else ""
            )

    def server_trouble(self) -> str:
        """Return what is wrong with the server; empty if it responds."""
        connection = (
            http.client.HTTPConnection(*self._at, timeout=POLL_TIMEOUT_S)
            if self._tls is None
            else http.client.HTTPSConnection(*self._at, timeout=POLL_TIMEOUT_S, context=self._tls)
        )
        try:
            connection.request("GET", "/me")
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return NO_ANSWER.format(str(error) or type(error).__name__)
        finally:
            connection.close()
        return "" if status in ALIVE_STATUSES else TOO_BUSY if status == 503 else NO_ANSWER.format(status)


def address_trouble(begun_at: Sequence[str], now: Sequence[str]) -> str:
    """Return how the class's address has changed since the class began; empty if the first one is still valid."""
    if begun_at[0] in now:
        return ""
    return NO_NETWORK if is_loopback(urlsplit(now[0]).hostname or "") else ADDRESS_CHANGED.format(now[0])


def _any_certificate() -> ssl.SSLContext:
    """Return a TLS context that accepts any certificate, because only reachability is tested."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
