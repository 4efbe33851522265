"""Callbacks that report the progress of long work."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int], object]  # (done, total)
OnShare = Callable[[float], None]  # share done, from 0 to 1


def no_progress(_share: float) -> None:
    """Ignore progress."""


def sub_progress(on_progress: OnShare, before: float, width: float) -> OnShare:
    """Return a callback for a step that makes up a share `width` of the work and starts at `before`."""
    return lambda share: on_progress(before + share * width)
