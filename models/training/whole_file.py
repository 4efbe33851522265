"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A temporary path beside `target`, renamed to it when the block ends well."""
    partial = target.with_suffix(".partial")
    yield partial
    os.replace(partial, target)
