"""The case view's dialog, without a case, and the files it is made of."""

from __future__ import annotations

from explorer.ui.read_shell import filled, film_side

STYLES = tuple(f"explore/{name}.css" for name in ("outcome_badge", "case", "case_panel", "case_rows", "case_near"))
_PARTS = ("margins", "outcome_badge", "case_rows", "case_near", "case_panel", "case_film", "case_steps", "case")
SCRIPTS = ("bar.js", *(f"explore/{name}.js" for name in _PARTS))


def case_shell() -> str:
    """The dialog; its viewer has ids of its own, for Read has one on the same page."""
    side = film_side(empty=filled("explore/no_film.html"), ids="case-", hidden="labels")
    return filled("explore/case.html", film_side=side)
