"""HTTP for learners: request heads must arrive in time, and malformed requests are not logged."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_TIMEOUT_S = 10.0  # s; without a limit, unfinished requests could take up all connections


class ClassProtocol(H11Protocol):
    """uvicorn's protocol with a time limit for request heads, which uvicorn lacks. `sent_json` limits bodies."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **kwargs)
        # a quiet logger of its own; otherwise, strangers could flood the teacher's terminal
        self.logger = logging.getLogger(__name__)
        self.access_log = False  # learners' addresses are never logged
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start the time limit for a request's head; between requests uvicorn's own limit applies."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.abort)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
