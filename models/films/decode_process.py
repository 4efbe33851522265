"""The child process that decodes films one after another, each within a time limit and all within one gigabyte.

`python -m models.films.decode_process` reads a film's length (8 bytes, big-endian) and bytes from standard input. It
writes to standard output the length of a JSON object, the object, and the pixels as float32. The object contains the
film's other facts and its `shape`, or a refusal's `title` and `detail`. Neither side unpickles anything.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
from dataclasses import fields
from typing import Any, BinaryIO

from models.child_process import claim_stdout, read_message, write_message
from models.films.film import Radiograph, UnreadableRadiograph

MEMORY_LIMIT = 1 << 30  # bytes
HEADER_SECONDS = 1.0  # seconds of one core before the size is known
FILM_SECONDS = 2.0  # seconds per 25 megapixels, and for smaller films
FILM_PIXELS = 25_000_000
# JPEG 2000 takes time for each compressed byte, most for lossless films: 0.14 s per megabyte, as measured.
BYTE_SECONDS = 0.2e-6


def allowed_seconds(pixels: int, nbytes: int) -> float:
    """Return the seconds of one core allowed for a film of this many pixels in a file of this many bytes."""
    return FILM_SECONDS * max(1.0, pixels / FILM_PIXELS) + BYTE_SECONDS * min(nbytes, 2 * pixels)


def main() -> None:
    """Serve until standard input ends."""
    answers = claim_stdout()
    sys.modules["requests"] = None  # type: ignore[assignment]  # pydicom would import this module to download examples
    import models.films.any_format
    import models.films.dicom_pixels  # noqa: F401 - loads the readers before the first film

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would leave the film on disk
    while (data := read_message(sys.stdin.buffer)) is not None:
        _answer(answers, *_read(data))


def _read(data: bytes) -> tuple[dict[str, Any], memoryview]:
    from models.films.any_format import open_film

    try:
        _end_after(HEADER_SECONDS)
        film = open_film(data)
        height, width = film.size
        _end_after(allowed_seconds(height * width, len(data)))
        read = film.decode()
    except UnreadableRadiograph as refusal:
        return {"title": refusal.title, "detail": refusal.detail}, memoryview(b"")
    finally:
        _end_after(0)
    facts = {each.name: getattr(read, each.name) for each in fields(Radiograph) if each.name != "pixels"}
    return facts | {"shape": read.pixels.shape}, read.pixels.reshape(-1).view("u1").data


def _end_after(seconds: float) -> None:
    """End this process after `seconds` of computing; 0 cancels. Uses no handler: Python's would wait for C code."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _answer(answers: BinaryIO, reply: dict[str, Any], pixels: memoryview) -> None:
    write_message(answers, json.dumps(reply).encode())
    answers.write(pixels)
    answers.flush()


if __name__ == "__main__":
    main()
