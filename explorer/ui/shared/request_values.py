"""Checks on what a browser sent: plain values of bounded size, or a refusal."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from gradio.routes import ORJSONResponse
from starlette.responses import Response

MAX_VALUES = 10_000  # in total, nested values included
MAX_TEXT_CHARS = 100_000  # characters
MAX_SAFE_INTEGER = 2**53  # the largest integer that JavaScript counts exactly
ONE_BILLION = 10**9
_HALF_LETTER = re.compile("[\ud800-\udfff]")  # a lone surrogate, which no encoding can write
WRONG_TYPE = {
    "stage": "refused",
    "title": "The page sent a request that cannot be understood",
    "detail": "Load the page again, then try it once more.",
}


def plain_json_call(method: Callable[[Any], object]) -> Callable[[object], Response]:
    """Wrap a method so that it receives only plain JSON; anything else gets WRONG_TYPE.

    The wrapper keeps the method's name, which Gradio's allow list needs. It encodes the answer itself: Gradio would
    walk through every value in it on the event loop.
    """

    def call(argument: object) -> Response:
        return ORJSONResponse(method(argument) if is_plain(argument) else WRONG_TYPE)

    call.__name__ = method.__name__
    return call


def value_in(sent: object, name: str) -> object:
    """The value that was sent under a name; None if there is none."""
    return sent.get(name) if isinstance(sent, Mapping) else None


def string_field(sent: object, name: str) -> str:
    """The string that was sent under a name; empty if there is none."""
    value = value_in(sent, name)
    return value if isinstance(value, str) else ""


def state_in(sent: object) -> Mapping[str, object]:
    """The state sent with a request; empty if the caller sent something else."""
    state = value_in(sent, "state")
    return state if isinstance(state, Mapping) else {}


def is_plain(sent: object) -> bool:
    """Whether this is JSON as the page writes it: finite numbers and encodable text."""
    waiting, seen = [sent], 0
    while waiting:
        value = waiting.pop()
        seen += 1
        if seen + len(waiting) > MAX_VALUES:
            return False
        if isinstance(value, Mapping):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
        elif not _is_plain_value(value):
            return False
    return True


def _is_plain_value(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT_CHARS and not _HALF_LETTER.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER)


def whole_number(sent: object, otherwise: int, most: int = ONE_BILLION) -> int:
    """A whole number from its digits in an address, at most `most`; `otherwise` if it is not one."""
    if not isinstance(sent, str) or not sent.isdecimal() or not sent.isascii():
        return otherwise
    digits = sent.lstrip("0") or "0"
    return most if len(digits) > len(str(most)) else min(int(digits), most)


def clamped(sent: object, limits: tuple[int, int]) -> int:
    """A number clamped to the limits; the lower limit if it is not a number."""
    low, high = limits
    return int(min(max(sent, low), high)) if isinstance(sent, int | float) and sent == sent else low


def number_or_none(sent: object) -> float | None:
    """A number, infinite if too large for a float; None if it is not a number."""
    if not isinstance(sent, int | float) or isinstance(sent, bool):
        return None
    try:
        return float(sent)
    except OverflowError:
        return math.inf if sent > 0 else -math.inf


def string_set(sent: object) -> frozenset[str]:
    """The strings in a list."""
    return frozenset(each for each in sent if isinstance(each, str)) if isinstance(sent, list) else frozenset()
