"""The film viewer's skeleton and styles. Each tab's script imports the viewer's."""

from __future__ import annotations

from explorer.ui.shared.fragments import fill_fragment

STYLES = tuple(
    f"viewer/{name}.css"
    for name in ("viewer", "overlay", "heart_lines", "place_dots", "mask_key", "under_film", "toolbar")
)


def film_side(*, empty: str, ids: str = "", hidden: str = "opinion") -> str:
    """A viewer with its toolbar: `empty` is the text shown without a film, `hidden` what key H hides.

    `ids` is a prefix that keeps element ids unique on the page.
    """
    return fill_fragment("viewer/film_side.html", empty=empty, ids=ids, hidden=hidden)
