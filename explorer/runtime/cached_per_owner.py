"""Caches answers for as long as the store that they come from exists."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from explorer.runtime.cached import RecentAnswers

Owner = TypeVar("Owner")
Answer = TypeVar("Answer")
Parameters = ParamSpec("Parameters")
Function = Callable[Concatenate[Owner, Parameters], Answer]


def cached_per_owner(most: int) -> Callable[[Function[Owner, Parameters, Answer]], Function[Owner, Parameters, Answer]]:
    """Cache the last `most` answers of a function per first argument, for its lifetime; the others must be hashable.

    `functools.lru_cache` would keep the first argument alive. Two threads may compute the same answer at once.
    """

    def decorate(function: Function[Owner, Parameters, Answer]) -> Function[Owner, Parameters, Answer]:
        caches: WeakKeyDictionary[Owner, RecentAnswers[Answer]] = WeakKeyDictionary()
        lock = threading.Lock()

        def cached(owner: Owner, /, *arguments: Parameters.args, **keywords: Parameters.kwargs) -> Answer:
            key = (arguments, tuple(sorted(keywords.items())))
            with lock:
                recent = caches.setdefault(owner, RecentAnswers(most))
            return recent.get(key, lambda: function(owner, *arguments, **keywords))

        update_wrapper(cached, function)
        return cached

    return decorate
