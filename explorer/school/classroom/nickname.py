"""The nickname, which is all that a class knows about a learner."""

from __future__ import annotations

import unicodedata

from explorer.school.classroom.refusal import ClassRefusal

MAX_NICKNAME_CHARS = 24  # characters
# Spaces, letters that look like spaces, the dot of an i, and marks that only modify others.
_UNSEEN = " \u115f\u1160\u3164\uffa0\u2800\u0307\u034f" + "".join(map(chr, range(0xFE00, 0xFE10)))
# Lookalikes of each Latin letter: small letters of other scripts, digits and signs.
_LOOKS_LIKE = {
    "a": "\u0430\u03b1\u0251",
    "b": "\u0432\u044c\u03b2",
    "c": "\u0441\u03f2",
    "d": "\u0501",
    "e": "\u0435\u03b5",
    "g": "\u0261",
    "h": "\u04bb\u043d\u03b7",
    "j": "\u0458\u03f3",
    "k": "\u043a\u03ba",
    "l": "1|i\u0131\u0456\u04cf\u03b9\u01c0!",
    "m": "\u043c\u03bc",
    "n": "\u0578\u03bd",
    "o": "0\u043e\u03bf\u0585\u03c3",
    "p": "\u0440\u03c1",
    "q": "\u051b",
    "s": "\u0455",
    "t": "\u0442\u03c4",
    "u": "\u057d\u03c5",
    "w": "\u051d\u0461",
    "x": "\u0445\u03c7",
    "y": "\u0443\u04af\u03b3",
    "z": "\u03b6",
}
_SAME = {ord(each): latin for latin, others in _LOOKS_LIKE.items() for each in others}


def read_nickname(sent: object) -> str:
    """Return the nickname that was sent: trimmed, with single spaces, 1 to 24 printable characters.

    Raises ClassRefusal.
    """
    text = unicodedata.normalize("NFC", " ".join(sent.split())) if isinstance(sent, str) and len(sent) < 1000 else ""
    if not 1 <= len(text) <= MAX_NICKNAME_CHARS or not text.isprintable() or not lookalike_key(text):
        raise ClassRefusal(
            "This cannot be a nickname",
            f"Type 1 to {MAX_NICKNAME_CHARS} letters, digits or signs; any name but your own will do.",
            400,
        )
    return text


def lookalike_key(nickname: str) -> str:
    """Return a form that is the same for nicknames that could be mistaken for each other.

    It ignores case, width, the spelling of accents, lookalikes from other scripts, and invisible characters.
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", nickname).casefold())
    seen = (each for each in letters if unicodedata.category(each) != "Cf" and each not in _UNSEEN)
    return unicodedata.normalize("NFC", "".join(seen).translate(_SAME))
