"""The film viewer as every tab has it: its skeleton and styles. Its script is imported by that of the tab."""

from __future__ import annotations

from explorer.ui.shared.fragments import filled

STYLES = tuple(f"viewer/{name}.css" for name in ("viewer", "overlay", "mask_key", "under_film", "toolbar"))


def film_side(*, empty: str, ids: str = "", hidden: str = "opinion") -> str:
    """A viewer with its toolbar: `empty` is what stands there while no film is open, `hidden` what H hides.

    `ids` begins the ids inside, which must not be the same twice on a page.
    """
    return filled("viewer/film_side.html", empty=empty, ids=ids, hidden=hidden)
