"""Networks whose weights come from a file are built without random ones: of large networks those take seconds.

With `unfilled()` layers begin with whatever lies in memory. Only for what loads every weight afterwards, or fails.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from torch.overrides import TorchFunctionMode

# Those of torch.Tensor and of torch.nn.init, by name: transformers puts its own in their places.
FILLS = frozenset(
    ["uniform_", "normal_", "trunc_normal_", "erfinv_"]
    + ["xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_"]
)


def unfilled() -> AbstractContextManager[object]:
    """In this thread, and as long as it is open, nothing is filled with random numbers, and none are drawn."""
    return _Unfilled()


class _Unfilled(TorchFunctionMode):
    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:  # noqa: ANN401 - whatever torch's function gives
        given = kwargs or {}
        if getattr(func, "__name__", "") in FILLS:
            return args[0] if args else given["tensor"]
        return func(*args, **given)
