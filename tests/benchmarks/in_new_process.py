"""Work in a process of its own, with a cohort's folder as home: what it holds and what it has read go with it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from explorer.cohorts.layout import HOME_VARIABLE

Answer = TypeVar("Answer")


def in_new_process(home: Path, work: Callable[..., Answer], *arguments: object) -> Answer:
    """Return what a function of a module returns there; its exception is raised here."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(in_this_process, (home, work, *arguments))


def in_this_process(home: Path, work: Callable[..., Answer], *arguments: object) -> Answer:
    """The same here, for small runs: starting a process takes longer than their work."""
    former = os.environ.get(HOME_VARIABLE)
    os.environ[HOME_VARIABLE] = str(home)
    try:
        return work(*arguments)
    finally:
        del os.environ[HOME_VARIABLE]
        if former is not None:
            os.environ[HOME_VARIABLE] = former
