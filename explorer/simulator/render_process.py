"""The child process that renders simulated films: a request is `SIZE ADDRESS`, its answer the packed film."""

from __future__ import annotations

from explorer.runtime.helper_process import serve_questions
from explorer.simulator.packed_film import make_film_file, pack_film
from explorer.simulator.request import WrongRequest


def answer(question: bytes) -> bytes:
    """Return the packed film; empty for a text that is not an address, in which case the caller gives the reason."""
    size, _, address = question.decode().partition(" ")
    try:
        return pack_film(make_film_file(address, int(size)))
    except WrongRequest:
        return b""


if __name__ == "__main__":
    serve_questions(answer)
