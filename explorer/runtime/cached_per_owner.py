"""Answers kept as long as the store that they are from, and no longer."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from explorer.runtime.cached import Recent

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")
Parameters = ParamSpec("Parameters")
Function = Callable[Concatenate[Asked, Parameters], Answer]


def remembered(most: int) -> Callable[[Function[Asked, Parameters, Answer]], Function[Asked, Parameters, Answer]]:
    """Keep the last `most` answers of a function for each first argument while that lives; the others are hashable.

    `functools.lru_cache` would keep the first argument alive. Two threads may compute the same answer at once.
    """

    def remember(function: Function[Asked, Parameters, Answer]) -> Function[Asked, Parameters, Answer]:
        kept: WeakKeyDictionary[Asked, Recent[Answer]] = WeakKeyDictionary()
        lock = threading.Lock()

        def remembering(asked: Asked, /, *arguments: Parameters.args, **keywords: Parameters.kwargs) -> Answer:
            key = (arguments, tuple(sorted(keywords.items())))
            with lock:
                recent = kept.setdefault(asked, Recent(most))
            return recent.get(key, lambda: function(asked, *arguments, **keywords))

        update_wrapper(remembering, function)
        return remembering

    return remember
