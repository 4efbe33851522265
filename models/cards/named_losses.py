"""Finds losses that a checkpoint names in its settings, such as `hyper_parameters: {loss: "cross_entropy"}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from models.cards.network_pickle import StandIn

# Keys that name a loss; if their value is a number, it is a loss value and is ignored.
_LOSS_KEY = re.compile(r"(^|[_.])(loss|criterion|objective)([_.]?(fn|func|function|type|name|class))?$", re.IGNORECASE)
# Keys within a loss table.
_LOSS_TABLE_KEYS = frozenset({"name", "type", "_target_", "target", "class_name", "class_path"})
MAX_SETTINGS_DEPTH = 5
MAX_SETTINGS = 20_000  # settings searched
MAX_LOSS_NAME_CHARS = 80  # characters of a loss name


def named_losses(held: object) -> set[str]:
    """Return the loss names as written in `held`, the content of a checkpoint."""
    found: set[str] = set()
    waiting: list[tuple[object, int, bool]] = [(held, 0, False)]
    for _ in range(MAX_SETTINGS):
        if not waiting:
            break
        value, depth, of_loss = waiting.pop()
        for key, inner in _settings(value):
            here = bool(_LOSS_KEY.search(key)) or (of_loss and key in _LOSS_TABLE_KEYS)
            if here and isinstance(inner, str) and 0 < len(inner) <= MAX_LOSS_NAME_CHARS and inner.isprintable():
                found.add(inner)
            elif depth < MAX_SETTINGS_DEPTH and isinstance(inner, Mapping | StandIn):
                waiting.append((inner, depth + 1, here))
    return found


def _settings(value: object) -> Iterator[tuple[str, object]]:
    """Yield the entries of a table, or of an object that holds settings."""
    table = value.state if isinstance(value, StandIn) else value
    if isinstance(table, Mapping):
        yield from ((key, inner) for key, inner in table.items() if isinstance(key, str))
