"""Skips random initialization of networks whose weights come from a file, which takes seconds for large networks.

Inside `skip_random_init()` layers start with uninitialized memory. Use it only if every weight is loaded afterward or
loading fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from torch.overrides import TorchFunctionMode

# Matched by name, because transformers replaces some of torch.nn.init's functions with its own.
RANDOM_INITIALIZERS = frozenset(
    ["uniform_", "normal_", "trunc_normal_", "erfinv_"]
    + ["xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"]
)


def skip_random_init() -> AbstractContextManager[object]:
    """Return a context manager that turns random initialization in this thread into a no-op and draws no numbers."""
    return _Unfilled()


class _Unfilled(TorchFunctionMode):
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - whatever torch's function returns
        given = kwargs or {}
        if getattr(func, "__name__", "") in RANDOM_INITIALIZERS:
            return args[0] if args else given["tensor"]
        return func(*args, **given)
