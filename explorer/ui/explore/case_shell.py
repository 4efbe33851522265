"""The case view's empty dialog and its styles."""

from __future__ import annotations

from explorer.ui.shared.fragments import fill_fragment
from explorer.ui.viewer.fragment import film_side

STYLES = tuple(
    f"explore/{name}.css"
    for name in ("case", "no_film", "case_panel", "case_rows", "case_near", "case_report", "case_marks")
)


def case_shell() -> str:
    """The dialog; its viewer's ids have a prefix, because Read has a viewer on the same page."""
    side = film_side(empty=fill_fragment("explore/no_film.html"), ids="case-", hidden="labels")
    return fill_fragment("explore/case.html", film_side=side)
