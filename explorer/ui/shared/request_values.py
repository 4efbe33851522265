"""What a browser sent, before anything is made of it: plain values of a bounded size, or it is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from gradio.routes import ORJSONResponse
from starlette.responses import Response

MOST_VALUES = 10_000  # in all, nested ones too
MOST_TEXT = 100_000  # characters
LARGEST = 2**53  # whole numbers that a script can count to
NINE_DIGITS = 10**9
_HALF_LETTER = re.compile("[\ud800-\udfff]")  # of a pair of surrogates: no encoding can write it
WRONG_TYPE = {
    "stage": "refused",
    "title": "The page sent a request that cannot be understood",
    "detail": "Load the page again, then try it once more.",
}


def plain(method: Callable[[Any], object]) -> Callable[[object], Response]:
    """A function with the method's name, for gradio marks what it may call; what is not plain never comes to it.

    It answers in JSON that is written already: gradio would look through each value of an answer, on the thread that
    answers everybody.
    """

    def call(argument: object) -> Response:
        return ORJSONResponse(method(argument) if is_plain(argument) else WRONG_TYPE)

    call.__name__ = method.__name__
    return call


def value_in(asked: object, name: str) -> object:
    """What the script sent under a name; None where it sent nothing."""
    return asked.get(name) if isinstance(asked, Mapping) else None


def state_in(asked: object) -> Mapping[str, object]:
    """The state that came with a question; empty where a caller sent something else."""
    state = value_in(asked, "state")
    return state if isinstance(state, Mapping) else {}


def is_plain(sent: object) -> bool:
    """Whether this is JSON as the page writes it: no endless numbers, no text that cannot be written down."""
    waiting, seen = [sent], 0
    while waiting:
        value = waiting.pop()
        seen += 1
        if seen + len(waiting) > MOST_VALUES:
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
        return len(value) <= MOST_TEXT and not _HALF_LETTER.search(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or (isinstance(value, int) and abs(value) <= LARGEST)


def whole(sent: object, otherwise: int, most: int = NINE_DIGITS) -> int:
    """A whole number as an address has it, in digits, `most` where it is larger; `otherwise` where it is none."""
    if not isinstance(sent, str) or not sent.isdecimal() or not sent.isascii():
        return otherwise
    digits = sent.lstrip("0") or "0"
    return most if len(digits) > len(str(most)) else min(int(digits), most)


def within(sent: object, limits: tuple[int, int]) -> int:
    """A number kept within limits; the lower one where it is none."""
    low, high = limits
    return int(min(max(sent, low), high)) if isinstance(sent, int | float) and sent == sent else low


def number(sent: object) -> float | None:
    """A number, infinite where it is too large to be written as one; None where it is none."""
    if not isinstance(sent, int | float) or isinstance(sent, bool):
        return None
    try:
        return float(sent)
    except OverflowError:
        return math.inf if sent > 0 else -math.inf


def texts(sent: object) -> frozenset[str]:
    """The texts in a list."""
    return frozenset(each for each in sent if isinstance(each, str)) if isinstance(sent, list) else frozenset()
