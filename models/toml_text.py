"""Parses TOML written by users; invalid or too deeply nested text is refused with the reason."""

from __future__ import annotations

import tomllib
from typing import Any

MAX_DEPTH = 32  # nesting levels of tables and lists; the files read here use four


class WrongToml(ValueError):
    """The text is not valid TOML or nests too deeply; the message says which."""


def toml_table(text: str) -> dict[str, Any]:
    """Parse `text` as a TOML table. Raises WrongToml."""
    try:
        table = tomllib.loads(text)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:  # TOMLDecodeError, or an integer with more digits than Python converts
        raise WrongToml(str(error)) from error
    level: list[object] = [table]
    for _ in range(MAX_DEPTH):
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise _too_deep()
    return table


def _inside(value: object) -> list[object]:
    inner = list(value.values()) if isinstance(value, dict) else value
    return [each for each in inner if isinstance(each, dict | list)] if isinstance(inner, list) else []


def _too_deep() -> WrongToml:
    return WrongToml(f"its tables or lists are nested more than {MAX_DEPTH} levels deep")
