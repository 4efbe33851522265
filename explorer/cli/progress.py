"""How far a command is, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

Step = TypeVar("Step")


def tracked(steps: Sequence[Step]) -> Iterable[Step]:
    """The steps, with a bar that goes away at the end; no bar where stderr is not a terminal."""
    if not sys.stderr.isatty():
        return steps
    from rich.console import Console
    from rich.progress import track

    return track(steps, "Resampling", console=Console(stderr=True), transient=True)
