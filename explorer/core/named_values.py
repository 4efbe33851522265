"""Parses `name=value, name=value` as a user types it; a part that contains a comma or = goes in double quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = r'"(?:[^"]|"")*"'
_PARTS = re.compile(rf"(?:{_QUOTED}|[^,])+")
_PAIR = re.compile(rf"\s*({_QUOTED}|[^=]*?)\s*(?:=\s*(.*?)\s*)?", re.DOTALL)
_WHOLE = re.compile(_QUOTED)


def named_values(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield names and values in order; the value is None for a part without `=`. Blank parts are skipped.

    `finding="Mass, left"` is one pair: within quotes a comma is literal, and two quotes stand for one.
    """
    for part in _PARTS.findall(text):
        found = _PAIR.fullmatch(part)
        if part.strip() and found is not None:
            name, value = found[1], found[2]
            yield _bare(name), None if value is None else _bare(value)


def quote_value(value: str) -> str:
    """Quote a value so that `named_values` reads it back."""
    return '"' + value.replace('"', '""') + '"' if re.search(r'[,="]|^\s|\s$', value) else value


def _bare(text: str) -> str:
    return text[1:-1].replace('""', '"') if _WHOLE.fullmatch(text) else text
