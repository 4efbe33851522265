"""What long work calls to say how far it is."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int], object]  # how many are done, and of how many
OnShare = Callable[[float], None]  # how much is done, from 0 to 1


def no_progress(_share: float) -> None:
    """Say it to nobody."""


def part_of(on_progress: OnShare, before: float, width: float) -> OnShare:
    """What a part of a work calls that is `width` of it and begins where `before` is done."""
    return lambda share: on_progress(before + share * width)
