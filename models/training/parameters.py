"""Checks the parameters of a recipe's parts against their defaults."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from models.training.nearest_name import nearest_words

Parameter = float | int | str | bool | tuple[float, ...]
PARAMETER_TYPE_WORDS = {
    float: "a finite number",
    int: "a whole number",
    bool: "true or false",
    str: "a word",
    tuple: "a list of numbers",
}


def has_type_of(value: object, default: object) -> bool:
    """Return whether a value has the default's type; integers count as numbers, booleans do not."""
    if isinstance(default, float):
        return isinstance(value, float | int) and not isinstance(value, bool)
    if isinstance(default, tuple):
        return isinstance(value, tuple) and all(has_type_of(each, 0.0) and math.isfinite(each) for each in value)
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
            others = (
                f"{nearest_words(key, known)}Choose among {', '.join(known)}."
                if known
                else f"Remove it: this {what.split()[0]} has none."
            )
            raise ValueError(f"The {what} has no parameter {key!r}. {others}")
        wanted = type(known[key].default)
        typed = has_type_of(value, known[key].default)
        if not typed or (isinstance(value, float) and not math.isfinite(value)):
            raise ValueError(f"The parameter {key!r} of the {what} is {value!r}. Give {PARAMETER_TYPE_WORDS[wanted]}.")
        found[known[key].name] = float(value) if wanted is float and isinstance(value, int) else value
    return found


def with_counts(
    what: str, kind: type[Any], parameters: Mapping[str, Parameter], positives: Sequence[float], films: int
) -> dict[str, Any]:
    """Return checked parameters of the dataclass `kind`, with the training films' counts for the fields of that name.

    `positives` (k,) of `films` have each finding. Raises ValueError as `checked_parameters`.
    """
    counts = {"positives": tuple(map(float, positives)), "films": int(films)}
    names = {field.name for field in fields(kind)}
    return {key: value for key, value in counts.items() if key in names} | checked_parameters(what, kind, parameters)
