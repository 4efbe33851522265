"""Words as a sentence lists them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def and_list(words: Sequence[str]) -> str:
    """`a, b and c`; empty where there are none."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def listed(names: Iterable[str]) -> str:
    """What there is to choose from: `a, b, c`, or `none`."""
    return ", ".join(names) or "none"


def suggestion(word: str, names: Iterable[str]) -> str:
    """`Did you mean miss? There are: miss, hit.`; without the question where none of the names is like the word."""
    offered = list(names)
    folded = {name.casefold(): name for name in reversed(offered)}
    near = get_close_matches(word.casefold(), folded, n=1)
    question = f"Did you mean {folded[near[0]]}? " if near else ""
    return f"{question}There are: {listed(offered)}."


def quantity(number: int, word: str) -> str:
    """`1 film`, `1,200 films`."""
    return f"{number:,} {word}{'' if number == 1 else 's'}"
