"""Explorer room: findings, cases and numbers. Core files import no torch and no gradio; `explorer/ui` is the page.

`from explorer import Cohort` is the way in from a notebook; it is loaded when it is asked for.
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
