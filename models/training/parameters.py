"""Parameters of a recipe's parts, as TOML writes them."""

from __future__ import annotations

Parameter = float | int | str | bool


def is_like(value: object, default: object) -> bool:
    """Whether a value is of the default's kind; a whole number is a number too, a truth value is none."""
    if isinstance(default, float):
        return isinstance(value, float | int) and not isinstance(value, bool)
    return type(value) is type(default)
