"""HTTP as a class speaks it: whoever begins a request has to send its head in time, and mistakes are not logged."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_WITHIN = 10.0  # s; of requests that never end there would be as many as a machine has connections


class ClassProtocol(H11Protocol):
    """uvicorn's, which waits for a head for ever. A body has a limit of its own, see `sent_json`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*args, **kwargs)
        self.logger = logging.getLogger(__name__)  # else a stranger could fill the teacher's terminal
        self.access_log = False  # addresses of learners are written nowhere
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
        """The head of a request is awaited; between requests uvicorn's own limit counts."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._late is None and not self.transport.is_closing():
            self._late = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
