"""HTML fragments of `static/`, which never change after rendering.

Scripts fill them with text nodes only, so nothing from a film or a file name is ever parsed as markup.
"""

from __future__ import annotations

from string import Template

from explorer.ui.scripts import STATIC_FOLDER


def fill_fragment(name: str, **words: str) -> str:
    """A fragment of `static/` with its placeholders filled in."""
    return Template((STATIC_FOLDER / name).read_text(encoding="utf-8")).substitute(words)


PANEL_HEAD = fill_fragment("shared/panel_head.html")
MADE_WITH = fill_fragment("shared/made_with.html")
