"""Text that a spreadsheet would run: a name of a file, a center or a word that starts as a formula does."""

from __future__ import annotations

import re

# Wide and small forms too: a spreadsheet set up for Chinese, Japanese or Korean takes them for the sign.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\ufb29"
# What may stand before the sign unseen: controls, blanks, marks of direction and of joining.
_UNSEEN = "\\x00-\\x20\\x7f-\\xa0\\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
FORMULA = f"^[\\t\\r]|^[{_UNSEEN}]*[{_SIGNS}]"  # as Python and Arrow both read it
_FORMULA = re.compile(FORMULA)


def harmless(text: str) -> str:
    """The text, quoted where a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def unquoted(text: str) -> str:
    """The text that `harmless` was given; one that began with a quote and a sign itself is not distinguished."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
