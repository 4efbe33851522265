"""`name=value, name=value` as somebody types it; what has a comma or = of its own stands between double quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = r'"(?:[^"]|"")*"'
_PARTS = re.compile(rf"(?:{_QUOTED}|[^,])+")
_PAIR = re.compile(rf"\s*({_QUOTED}|[^=]*?)\s*(?:=\s*(.*?)\s*)?", re.DOTALL)
_WHOLE = re.compile(_QUOTED)


def named_values(text: str) -> Iterator[tuple[str, str | None]]:
    """Names and values in their order; None for a part without `=`. Blank parts are passed over.

    `finding="Mass, left"` is one pair: in quotes a comma is a comma, and two quotes are one.
    """
    for part in _PARTS.findall(text):
        found = _PAIR.fullmatch(part)
        if part.strip() and found is not None:
            name, value = found[1], found[2]
            yield _bare(name), None if value is None else _bare(value)


def quoted(value: str) -> str:
    """The value as `named_values` reads it back."""
    return '"' + value.replace('"', '""') + '"' if re.search(r'[,="]|^\s|\s$', value) else value


def _bare(text: str) -> str:
    return text[1:-1].replace('""', '"') if _WHOLE.fullmatch(text) else text
