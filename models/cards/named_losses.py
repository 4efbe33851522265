"""Losses that a checkpoint names in its settings, such as `hyper_parameters: {loss: "cross_entropy"}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from models.cards.network_pickle import StandIn

# What settings call a loss; a number under the same word is the loss of a film, not its name.
_KEY = re.compile(r"(^|[_.])(loss|criterion|objective)([_.]?(fn|func|function|type|name|class))?$", re.IGNORECASE)
_INSIDE = frozenset({"name", "type", "_target_", "target", "class_name", "class_path"})  # of a loss that is a table
DEEPEST = 5
MOST = 20_000  # settings that are looked through
LONGEST = 80  # characters of a name


def named_losses(held: object) -> set[str]:
    """The names, as they are written there; `held` is what a file holds."""
    found: set[str] = set()
    waiting: list[tuple[object, int, bool]] = [(held, 0, False)]
    for _ in range(MOST):
        if not waiting:
            break
        value, depth, of_loss = waiting.pop()
        for key, inner in _settings(value):
            here = bool(_KEY.search(key)) or (of_loss and key in _INSIDE)
            if here and isinstance(inner, str) and 0 < len(inner) <= LONGEST and inner.isprintable():
                found.add(inner)
            elif depth < DEEPEST and isinstance(inner, Mapping | StandIn):
                waiting.append((inner, depth + 1, here))
    return found


def _settings(value: object) -> Iterator[tuple[str, object]]:
    """The entries of a table, or of an object that settings are kept in."""
    table = value.state if isinstance(value, StandIn) else value
    if isinstance(table, Mapping):
        yield from ((key, inner) for key, inner in table.items() if isinstance(key, str))
