"""Progress of rendering and training, on stderr."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def epochs_logged() -> Iterator[None]:
    """Within the block, write log lines of the lab and of film rendering to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M"))
    loggers = [logging.getLogger(name) for name in ("explorer.workshop.lab", "explorer.workshop.shipping.training")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
