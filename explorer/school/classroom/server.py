"""The learners' server, next to the private page: its own thread and event loop."""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from explorer.school.classroom.http_protocol import ClassProtocol
from explorer.school.classroom.refusal import ClassRefusal
from explorer.web.asgi import Application

if TYPE_CHECKING:
    from explorer.school.classroom.tls import TlsFiles

MAX_CONNECTIONS = 1_000  # 200 learners, each of whose browsers keeps a few open
MAX_BACKLOG = 512  # connections not yet accepted
MAX_OPEN_FILES = 4_096  # open files of this process, including those of the page's own films
MAX_HEAD_BYTES = 16_384


def bound_socket(bind: str, port: int) -> socket.socket:
    """Return a socket bound to the class's address; call it before slow startup work. Raises ClassRefusal."""
    family = socket.AF_INET6 if ":" in bind else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((bind, port))
    except OSError as error:
        taken.close()
        raise ClassRefusal(
            f"The class cannot be served at {bind}, port {port}",
            f"{error.strerror or error}. Choose another with --class-port or --class-bind.",
        ) from error
    return taken


class ClassServer:
    """uvicorn serving an application, from `start` to `close`."""

    def __init__(self, app: Application, taken: socket.socket, tls: TlsFiles) -> None:
        self._socket = taken
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http=ClassProtocol,
                ws="none",
                loop="asyncio",
                backlog=MAX_BACKLOG,
                lifespan="off",
                log_config=None,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=MAX_HEAD_BYTES,
                ssl_certfile=tls.certificate,
                ssl_keyfile=tls.key,
            )
        )
        self._thread = threading.Thread(target=self._serve, name="class-server", daemon=True)

    def start(self) -> None:
        """Start serving learners."""
        _allow_files()
        logging.getLogger("explorer.school.classroom.http_protocol").setLevel(logging.ERROR)
        self._socket.listen(MAX_BACKLOG)  # early connections wait until the loop runs
        self._thread.start()

    def close(self) -> None:
        """Stop serving; requests in progress get a second."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        self._socket.close()

    def _serve(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))


def _allow_files() -> None:
    """Raise the limit on open files to what a full class needs, if the system allows it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
