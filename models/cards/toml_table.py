"""Checks a TOML table against the expected keys and value types."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, TypeVar, cast, get_type_hints

RecordType = TypeVar("RecordType")
TYPE_WORDS = {str: "a text", int: "a whole number", float: "a number", list: "a list", dict: "a table"}


class WrongTable(Exception):
    """The table is invalid: `what` says what is wrong, and `remedy` how to fix it."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}. {remedy}")
        self.what = what
        self.remedy = remedy


def check_keys(table: dict[str, Any], required: dict[str, type], optional: dict[str, type], where: str) -> None:
    """Raise WrongTable for an unknown or missing key, or a value of the wrong type."""
    unknown = table.keys() - required.keys() - optional.keys()
    if unknown:
        raise WrongTable(f"unknown key {quoted_list(unknown)} in {where}", "Remove it or correct its spelling.")
    missing = required.keys() - table.keys()
    if missing:
        raise WrongTable(f"{quoted_list(missing)} missing in {where}", "Add it; models/registry/ has examples.")
    for key, kind in (required | optional).items():
        if key in table and not has_type(table[key], kind):
            raise WrongTable(f"{key} in {where} is not {TYPE_WORDS[kind]}", "Correct its value.")
        if key in table and not is_finite(table[key]):
            raise WrongTable(f"{key} in {where} is {number_words(table[key])}", "Give a finite number.")


def parse_record(table: object, kind: type[RecordType], where: str) -> RecordType:
    """Return a dataclass whose fields are the keys of `table`; fields with a default are optional.

    Raises WrongTable.
    """
    if not isinstance(table, dict):
        raise WrongTable(f"{where} is not a table", "Write it as a TOML table.")
    check_keys(table, *_keys(cast(Any, kind)), where)
    return kind(**table)


@cache
def _keys(kind: type) -> tuple[dict[str, type], dict[str, type]]:
    """Return the fields of a dataclass with their types: first those without a default, then those with one."""
    kinds = get_type_hints(kind)
    defaults = {each.name for each in fields(cast(Any, kind)) if each.default is not MISSING}
    optional = {key: hint for key, hint in kinds.items() if key in defaults}
    return {key: hint for key, hint in kinds.items() if key not in optional}, optional


def has_type(value: object, kind: type) -> bool:
    """Return whether a TOML value has a type; integers count as numbers, but true and false do not."""
    if isinstance(value, bool):
        return False
    return isinstance(value, (int, float) if kind is float else kind)


def is_finite(value: object) -> bool:
    """Return False for a number that is nan, inf or too large for a float; True for any other TOML value."""
    try:
        return not isinstance(value, int | float) or math.isfinite(value)
    except OverflowError:
        return False


def number_words(value: float) -> str:
    """Describe a non-finite number in words; integers with thousands of digits are not written out."""
    return str(value) if isinstance(value, float) else "too large"


def quoted_list(names: Iterable[str]) -> str:
    """Return the names sorted, quoted and joined by commas."""
    return ", ".join(repr(name) for name in sorted(names))
