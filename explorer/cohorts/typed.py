"""Converts parsed JSON into dataclasses, checking the type of every field."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Dataclass = TypeVar("Dataclass", bound="DataclassInstance")
MAX_NUMBER = 2**53  # beyond this, JSON numbers cannot represent every integer


class WrongKind(ValueError):
    """A field that is missing, unknown, or of the wrong type."""


def typed(kind: type[Dataclass], table: object) -> Dataclass:
    """Return the dataclass of a JSON object; raises WrongKind. Fields with a default are optional."""
    if not isinstance(table, dict):
        raise WrongKind(f"there is {_called(table)} where a table belongs")
    hints = _hints(kind)
    unknown = sorted(table.keys() - hints.keys())
    missing = [each.name for each in fields(kind) if _is_needed(each) and each.name not in table]
    if unknown or missing:
        raise WrongKind(f"{(unknown or missing)[0]!r} is {'unknown' if unknown else 'missing'}")
    return kind(**{name: _value(name, hints[name], value) for name, value in table.items()})


@functools.cache  # slower than everything else in this module
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _is_needed(field: Any) -> bool:  # noqa: ANN401 - a dataclass field of any type
    return field.default is MISSING and field.default_factory is MISSING


def _value(name: str, hint: Any, value: object) -> Any:  # noqa: ANN401 - a type, and a value of it
    """Convert a value to a field's type; JSON has neither tuples nor dataclasses."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        others = [each for each in inner if each is not NoneType]
        return None if value is None and NoneType in inner else _value(name, others[0], value)
    if origin is tuple and isinstance(value, list):
        return tuple(_value(name, inner[0], each) for each in value)
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {_value(name, inner[0], key): _value(name, inner[1], each) for key, each in value.items()}
    if is_dataclass(hint) and isinstance(hint, type):
        return typed(hint, value)
    if not (value in inner if origin is Literal else _is_a(hint, value)):
        raise WrongKind(f"{name!r} is {_called(value)}")
    return float(value) if hint is float else value  # type: ignore[arg-type]  # _is_a found a number


def _is_a(hint: object, value: object) -> bool:
    """Whether a value has a type: booleans are not numbers; numbers are finite, counts nonnegative, texts encodable."""
    if isinstance(value, bool) or hint is bool:
        return hint is bool and isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and 0 <= value < MAX_NUMBER
    if hint is float:
        return isinstance(value, float | int) and abs(value) < MAX_NUMBER and math.isfinite(value)
    return hint is str and isinstance(value, str) and _is_text(value)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:  # an unpaired surrogate, which JSON can express
        return False
    return True


def _called(value: object) -> str:
    """Describe a value in a sentence, shortened if needed."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    try:
        return ascii(value)[:40]
    except ValueError:  # an integer with thousands of digits
        return "a number that is too large"
