"""Words as a sentence lists them."""

from __future__ import annotations

from collections.abc import Sequence


def and_list(words: Sequence[str]) -> str:
    """`a, b and c`; empty where there are none."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
