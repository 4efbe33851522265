"""The other process that makes simulated films: a question is `SIZE ADDRESS`, its answer the packed film."""

from __future__ import annotations

from explorer.phantom.packed_film import made, packed
from explorer.phantom.request import WrongRequest
from explorer.runtime.helper_process import serve


def answer(question: bytes) -> bytes:
    """The packed film; nothing for a text that is not an address: the caller says why."""
    size, _, address = question.decode().partition(" ")
    try:
        return packed(made(address, int(size)))
    except WrongRequest:
        return b""


if __name__ == "__main__":
    serve(answer)
