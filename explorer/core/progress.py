"""What long work calls to say how far it is."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[int, int], object]  # how many are done, and of how many
