"""Inserts the parameters of a statement as literals, for people to copy and run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

# Tokens in which a question mark is not a parameter: text, a quoted name, a comment.
_PART = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?""")


def filled(sql: str, values: Sequence[object]) -> str:
    """Return the statement with DuckDB literals as parameters. Raises ValueError unless each question mark has one."""
    left = iter(values)

    def part(match: re.Match[str]) -> str:
        return literal(next(left)) if match[0] == "?" else match[0]

    parameters = sum(found == "?" for found in _PART.findall(sql))
    if parameters != len(values):
        raise ValueError(f"The statement has {parameters} parameters, but {len(values)} values were given.")
    return _PART.sub(part, sql)


def literal(value: object) -> str:
    """Return a value as a DuckDB literal. Raises TypeError for unsupported types."""
    if value is None:
        return "NULL"
    if isinstance(value, str):
        # A NUL would end a literal, so it is written as a function call.
        return " || chr(0) || ".join("'" + each.replace("'", "''") + "'" for each in value.split("\0"))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return f"'{value}'::DOUBLE"
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, float):
        return repr(value) if "e" in repr(value) else f"{value!r}e0"  # the exponent makes it a DOUBLE, not a DECIMAL
    raise TypeError(f"{type(value).__name__} cannot be a parameter of a statement.")
