"""Text of a visitor's data on a terminal: nothing in it moves the cursor, hides words or turns their direction."""

from __future__ import annotations

import re

# Controls of a terminal but tab and line break; marks that turn the direction of what follows; lines that are none.
_OBEYED = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_IN_TEXT = re.compile(f"[{_OBEYED}]")
_IN_NAME = re.compile(f"[\t\n{_OBEYED}]")


def visible(text: str) -> str:
    """The text with what a terminal would obey written out; its own tabs and line breaks stay."""
    return _IN_TEXT.sub(_written_out, text)


def visible_name(name: str) -> str:
    """The same of a name, which stays in its line."""
    return _IN_NAME.sub(_written_out, name)


def _written_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode("ascii")
