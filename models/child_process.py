"""Processes of this project's own, asked through standard input and answering through standard output.

A message is its length (8 bytes, big-endian) and its bytes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import IO, Any, BinaryIO

from models.cards.card import PROJECT


def started(module: str, environment: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401 - Popen's own
    """Run `python -m module`, which finds what this process finds. Raises OSError."""
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | (environment or {}) | {"PYTHONPATH": path},
        **options,
    )


def write_message(pipe: IO[bytes], data: bytes) -> None:
    """Write bytes behind their length. Raises OSError."""
    pipe.write(len(data).to_bytes(8))
    pipe.write(data)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> bytes | None:
    """What was written; None where the other side ended before it had."""
    length = pipe.read(8)
    data = pipe.read(int.from_bytes(length)) if len(length) == 8 else b""
    return data if len(length) == 8 and len(data) == int.from_bytes(length) else None


def taken_over_output() -> BinaryIO:
    """Standard output, for answers alone: whatever else is printed in this process goes to standard error."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers
