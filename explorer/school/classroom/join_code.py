"""The code that lets a learner into a class: read from a projector, typed on a phone, no use after the class."""

from __future__ import annotations

import secrets

# Without what looks like another one from the last row (0 O, 1 I L, 2 Z, 5 S, 8 B, U V), and without vowels: no words.
SYMBOLS = "CDFGHJKMNPQRTVWXY34679"
# 55 billion codes. The right one always lets in, also from an address that somebody guesses from, so it is their number
# that keeps guessers out: 2,000 guesses a second take five months for an even chance.
LENGTH = 8


def new_code() -> str:
    """A code that nobody can foresee."""
    return "".join(secrets.choice(SYMBOLS) for _ in range(LENGTH))


def is_code(sent: object, code: str) -> bool:
    """Whether this is the code, in any case, with or without blanks and hyphens. Takes as long for every guess."""
    if not isinstance(sent, str) or len(sent) > 4 * LENGTH:
        return False
    typed = "".join(sent.upper().replace("-", " ").split())
    return secrets.compare_digest(typed.encode("utf-8", "surrogatepass"), code.encode())
