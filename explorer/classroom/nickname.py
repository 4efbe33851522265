"""A nickname, the one thing that a class knows of a learner."""

from __future__ import annotations

import unicodedata

from explorer.classroom.refusal import ClassRefusal

LONGEST = 24  # characters


def nickname_in(sent: object) -> str:
    """The nickname that was sent: trimmed, blanks of any kind as single spaces, 1 to 24 printable characters.

    Raises ClassRefusal.
    """
    text = unicodedata.normalize("NFC", " ".join(sent.split())) if isinstance(sent, str) and len(sent) < 1000 else ""
    if not 1 <= len(text) <= LONGEST or not text.isprintable():
        raise ClassRefusal(
            "This cannot be a nickname",
            f"Type 1 to {LONGEST} letters, digits or signs; any name but your own will do.",
            400,
        )
    return text


def alike(nickname: str) -> str:
    """What two nicknames have in common that would be taken for each other: case, width and accents' spelling apart."""
    return unicodedata.normalize("NFKC", nickname).casefold()
