"""Figures in a doc and figures as they are written now, made alike: dashes are hyphens, and a zero has no sign."""

from __future__ import annotations

import re

from explorer.core.figures import with_hyphens


def plain_figures(text: str) -> str:
    """The text with `-` for every dash and minus sign, and `0.000` for `+0.000`."""
    return re.sub(r"[+-](0\.0+)(?!\d)", r"\1", with_hyphens(text))
