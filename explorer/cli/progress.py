"""A progress bar for resampling, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

Step = TypeVar("Step")


def tracked(steps: Sequence[Step]) -> Iterable[Step]:
    """Yield the steps with a bar that disappears at the end; no bar if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return steps
    from rich.console import Console
    from rich.progress import track

    return track(steps, "Resampling", console=Console(stderr=True), transient=True)
