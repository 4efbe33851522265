"""Normalizes typed text before it is stored: one Unicode form, no invisible characters."""

from __future__ import annotations

import unicodedata


def plain_text(text: str, keep: str = "") -> str:
    """Return the text in NFC, with each invisible character replaced by a space, except those in `keep`."""
    composed = unicodedata.normalize("NFC", text)
    shown = (each if each in keep or unicodedata.category(each)[0] != "C" else " " for each in composed)
    return "".join(shown)
