"""Tables in TOML that somebody wrote; what is no TOML, or nests without end, fails with the reason in words."""

from __future__ import annotations

import tomllib
from typing import Any

DEEPEST = 32  # tables and lists within one another; those that are read here have four


class WrongToml(ValueError):
    """A text that is no TOML, or none that is read here; its message says why."""


def toml_table(text: str) -> dict[str, Any]:
    """The table of a text. Raises WrongToml."""
    try:
        table = tomllib.loads(text)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:  # TOMLDecodeError, and a number of more digits than Python reads
        raise WrongToml(str(error)) from error
    level: list[object] = [table]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise _too_deep()
    return table


def _inside(value: object) -> list[object]:
    inner = list(value.values()) if isinstance(value, dict) else value
    return [each for each in inner if isinstance(each, dict | list)] if isinstance(inner, list) else []


def _too_deep() -> WrongToml:
    return WrongToml(f"its tables or lists lie more than {DEEPEST} deep within one another")
