"""Serves the learners' application beside the private page: a thread and an event loop of its own."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import threading
from contextlib import suppress

import uvicorn

from explorer.school.classroom.http_protocol import ClassProtocol
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.classroom.tls import Tls
from explorer.web.asgi import Application

CONNECTIONS = 1_000  # 200 learners, each of whose browsers keeps a few
WAITING = 512  # connections that are not accepted yet
FILES = 4_096  # that this process may have open: the page's own films need some, too
HEAD_BYTES = 16_384


def listening(bind: str, port: int) -> socket.socket:
    """A socket at the class's address, taken before anything slow is begun. Raises ClassRefusal."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((bind, port))
    except OSError as error:
        taken.close()
        raise ClassRefusal(
            f"The class cannot be served at {bind}, port {port}",
            f"{error.strerror or error}. Name another with --class-port or --class-bind.",
        ) from error
    return taken


class ClassServer:
    """uvicorn with an application, from `start` to `close`."""

    def __init__(self, app: Application, taken: socket.socket, tls: Tls) -> None:
        self._socket = taken
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=ClassProtocol,
                ws="none",
                loop="asyncio",
                backlog=WAITING,
                lifespan="off",
                log_config=None,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=CONNECTIONS,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=HEAD_BYTES,
                ssl_certfile=tls.certificate,
                ssl_keyfile=tls.key,
            )
        )
        self._thread = threading.Thread(target=self._serve, name="class-server", daemon=True)

    def start(self) -> None:
        """Let learners in."""
        _allow_files()
        logging.getLogger("explorer.school.classroom.http_protocol").setLevel(logging.ERROR)
        self._socket.listen(WAITING)  # who comes before the loop runs waits for it
        self._thread.start()

    def close(self) -> None:
        """Let nobody in any more; what is being answered has a second."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


def _allow_files() -> None:
    """As many open files as a full class needs, where the system allows them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
