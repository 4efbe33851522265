"""Checks the parameters of a recipe's parts against their defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

Parameter = float | int | str | bool
PARAMETER_TYPE_WORDS = {float: "a finite number", bool: "true or false", str: "a word"}


def has_type_of(value: object, default: object) -> bool:
    """Return whether a value has the default's type; integers count as numbers, booleans do not."""
    if isinstance(default, float):
        return isinstance(value, float | int) and not isinstance(value, bool)
    return type(value) is type(default)


def checked_parameters(what: str, kind: type[Any], parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    """Return parameters by field name of the dataclass `kind`, numbers as floats; `what` describes `kind` in messages.

    A parameter has its field's name, without the underscore that separates `lambda` from Python's keyword. Raises
    ValueError if one is unknown or has the wrong type.
    """
    known = {field.name.rstrip("_"): field for field in fields(kind) if field.default is not MISSING}
    found: dict[str, Any] = {}
    for key, value in parameters.items():
        if key not in known:
            others = f"Choose among {', '.join(known)}." if known else f"Remove it: this {what.split()[0]} has none."
            raise ValueError(f"The {what} has no parameter {key!r}. {others}")
        wanted = type(known[key].default)
        if not has_type_of(value, known[key].default) or (wanted is float and not math.isfinite(float(value))):
            raise ValueError(f"The parameter {key!r} of the {what} is {value!r}. Give {PARAMETER_TYPE_WORDS[wanted]}.")
        found[known[key].name] = float(value) if wanted is float else value
    return found
