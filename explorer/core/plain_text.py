"""Text that somebody typed, as it is kept: one spelling of each letter, nothing that nobody sees."""

from __future__ import annotations

import unicodedata


def plain_text(text: str, keep: str = "") -> str:
    """The text in one spelling of its letters, a space for each character that nobody sees but those of `keep`."""
    composed = unicodedata.normalize("NFC", text)
    shown = (each if each in keep or unicodedata.category(each)[0] != "C" else " " for each in composed)
    return "".join(shown)
