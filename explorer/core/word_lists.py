"""Lists words in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def and_list(words: Sequence[str]) -> str:
    """Return `a, b and c`; empty for no words."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def comma_list(names: Iterable[str]) -> str:
    """Return the choices as `a, b, c`, or `none`."""
    return ", ".join(names) or "none"


def suggestion(word: str, names: Iterable[str]) -> str:
    """Return `Did you mean miss? There are: miss, hit.`; without the question if no name is similar."""
    offered = list(names)
    folded = {name.casefold(): name for name in reversed(offered)}
    near = get_close_matches(word.casefold(), folded, n=1)
    question = f"Did you mean {folded[near[0]]}? " if near else ""
    return f"{question}There are: {comma_list(offered)}."


def quantity(number: int, word: str, several: str = "") -> str:
    """Return `1 film` or `1,200 films`; `several` is the plural of a word that does not just take an s."""
    return f"{number:,} {word if number == 1 else several or f'{word}s'}"
