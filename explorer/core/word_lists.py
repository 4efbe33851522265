"""Words as a sentence lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def and_list(words: Sequence[str]) -> str:
    """`a, b and c`; empty where there are none."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def listed(names: Iterable[str]) -> str:
    """What there is to choose from: `a, b, c`, or `none`."""
    return ", ".join(names) or "none"


def quantity(number: int, word: str) -> str:
    """`1 film`, `1,200 films`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
