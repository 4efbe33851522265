"""Fragments of HTML in `static/`: skeletons that never change once they are drawn.

Scripts fill them with text nodes only, so nothing that came with a film or a file name is ever taken for markup.
"""

from __future__ import annotations

from string import Template

from explorer.ui.scripts import STATIC


def filled(name: str, **words: str) -> str:
    """A fragment of `static/` with its words in place."""
    return Template((STATIC / name).read_text(encoding="utf-8")).substitute(words)


PANEL_HEAD = filled("shared/panel_head.html")
MADE_WITH = filled("shared/made_with.html")
