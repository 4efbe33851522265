"""The explorer: findings, cases and numbers. Core rooms import neither torch nor gradio; `explorer/ui` is the page.

Notebooks use `from explorer import Cohort`, which is imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.notebook.cohort import Cohort

__all__ = ["Cohort"]


def __getattr__(name: str) -> object:
    if name != "Cohort":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from explorer.notebook.cohort import Cohort

    return Cohort
