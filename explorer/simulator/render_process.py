"""The other process that makes simulated films: a question is `SIZE ADDRESS`, its answer the packed film."""

from __future__ import annotations

from explorer.runtime.helper_process import serve_questions
from explorer.simulator.packed_film import made, packed
from explorer.simulator.request import WrongRequest


def answer(question: bytes) -> bytes:
    """The packed film; nothing for a text that is not an address: the caller says why."""
    size, _, address = question.decode().partition(" ")
    try:
        return packed(made(address, int(size)))
    except WrongRequest:
        return b""


if __name__ == "__main__":
    serve_questions(answer)
