"""The case view's dialog, without a case, and the files it is made of."""

from __future__ import annotations

from explorer.ui.shared.fragments import filled
from explorer.ui.viewer.fragment import film_side

STYLES = tuple(
    f"explore/{name}.css" for name in ("case", "no_film", "case_panel", "case_rows", "case_near", "case_marks")
)


def case_shell() -> str:
    """The dialog; its viewer has ids of its own, for Read has one on the same page."""
    side = film_side(empty=filled("explore/no_film.html"), ids="case-", hidden="labels")
    return filled("explore/case.html", film_side=side)
