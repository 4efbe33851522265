"""The code for joining a class: it is read from a projector, typed on a phone, and useless after the class."""

from __future__ import annotations

import secrets

# Without lookalikes (0 O, 1 I L, 2 Z, 5 S, 8 B, U V), and without vowels, so that no words appear.
CODE_SYMBOLS = "CDFGHJKMNPQRTVWXY34679"
# 55 billion codes. Only their number keeps guessers out, because the right code always works, even from a guesser's
# address: at 2,000 guesses a second an even chance takes five months.
CODE_LENGTH = 8


def new_code() -> str:
    """Return a new, unpredictable code."""
    return "".join(secrets.choice(CODE_SYMBOLS) for _ in range(CODE_LENGTH))


def is_code(sent: object, code: str) -> bool:
    """Return whether this is the code, ignoring case, spaces and hyphens. Takes equally long for every guess."""
    if not isinstance(sent, str) or len(sent) > 4 * CODE_LENGTH:
        return False
    typed = "".join(sent.upper().replace("-", " ").split())
    return secrets.compare_digest(typed.encode("utf-8", "surrogatepass"), code.encode())
