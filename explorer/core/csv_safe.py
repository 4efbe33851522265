"""Escapes text that a spreadsheet would run as a formula, such as the name of a file or a center."""

from __future__ import annotations

import re

# Includes full-width and small forms, which Chinese, Japanese and Korean spreadsheets treat like the plain sign.
_SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\ufb29"
# Invisible characters that may precede the sign: controls, blanks, direction marks and joiners.
_UNSEEN = "\\x00-\\x20\\x7f-\\xa0\\xad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
FORMULA = f"^[\\t\\r]|^[{_UNSEEN}]*[{_SIGNS}]"  # valid for both Python and Arrow
_FORMULA = re.compile(FORMULA)


def formula_safe(text: str) -> str:
    """Return the text, with a leading quote if a spreadsheet would take it for a formula."""
    return f"'{text}" if _FORMULA.match(text) else text


def without_formula_quote(text: str) -> str:
    """Undo `formula_safe`. Text that originally began with a quote and a sign cannot be distinguished."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
