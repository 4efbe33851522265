"""Escapes a visitor's text for a terminal, so that it cannot move the cursor, hide words or reverse their direction."""

from __future__ import annotations

import re

# Terminal controls except tab and line break; direction marks; Unicode line separators.
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_IN_TEXT = re.compile(f"[{_CONTROLS}]")
_IN_NAME = re.compile(f"[\t\n{_CONTROLS}]")


def visible(text: str) -> str:
    """Escape control characters in a text, except tabs and line breaks."""
    return _IN_TEXT.sub(_escaped, text)


def visible_name(name: str) -> str:
    """Escape control characters in a name, including tabs and line breaks."""
    return _IN_NAME.sub(_escaped, name)


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
