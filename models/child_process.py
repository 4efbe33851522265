"""Child processes that take requests on standard input and answer on standard output.

A message is its length (8 bytes, big-endian) followed by its bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO, Any, BinaryIO

from models.cards.card import PROJECT


def start_child(module: str, environment: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - Popen's own
    """Start `python -m module` with this process's import path. Raises OSError."""
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | (environment or {}) | {"PYTHONPATH": path},
        **options,
    )


def write_message(pipe: IO[bytes], data: bytes) -> None:
    """Write the length of `data`, then `data`. Raises OSError."""
    pipe.write(len(data).to_bytes(8))
    pipe.write(data)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> bytes | None:
    """Return the next message, or None if the other side ended before sending all of it."""
    length = pipe.read(8)
    data = pipe.read(int.from_bytes(length)) if len(length) == 8 else b""
    return data if len(length) == 8 and len(data) == int.from_bytes(length) else None


def claim_stdout() -> BinaryIO:
    """Reserve standard output for answers and return it; anything else this process prints goes to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers
