"""Parameters of a recipe's parts, as TOML writes them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

Parameter = float | int | str | bool
KINDS = {float: "a finite number", bool: "true or false", str: "a word"}


def is_like(value: object, default: object) -> bool:
    """Whether a value is of the default's kind; a whole number is a number too, a truth value is none."""
    if isinstance(default, float):
        return isinstance(value, float | int) and not isinstance(value, bool)
    return type(value) is type(default)


def fields_of(what: str, kind: type[Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Parameters by the names of a dataclass's fields that have defaults, numbers as floats; `what` it is, in words.

    A parameter is named as its field, without the underscore that keeps `lambda` apart from Python's own. Raises
    ValueError where one is unknown or ill-typed.
    """
    known = {field.name.rstrip("_"): field for field in fields(kind) if field.default is not MISSING}
    found: dict[str, Any] = {}
    for key, value in parameters.items():
        if key not in known:
            others = f"Choose among {', '.join(known)}." if known else f"Remove it: this {what.split()[0]} has none."
            raise ValueError(f"The {what} has no parameter {key!r}. {others}")
        wanted = type(known[key].default)
        if not is_like(value, known[key].default) or (wanted is float and not math.isfinite(float(value))):
            raise ValueError(f"The parameter {key!r} of the {what} is {value!r}. Give {KINDS[wanted]}.")
        found[known[key].name] = float(value) if wanted is float else value
    return found
