"""The Read tab's own component: its skeleton in HTML, its script from `static/`.

The skeleton never changes after it is drawn; the script fills it with text nodes only, so nothing that came with a film
or a file name is ever taken for markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from explorer.reading.samples import SAMPLES, Sample
from explorer.ui.uploads import LIMIT_MB

STATIC = Path(__file__).resolve().parent / "static"
STYLES = (
    "tailscope.css drop.css viewer.css under_film.css toolbar.css read.css made_with.css findings.css join.css"
).split()
VIEWER = (
    "packed.js gray_window.js heat.js camera.js film_label.js ruler.js marks.js boxes.js masks.js overlay.js "
    "gestures.js viewer.js plate.js keys.js toolbar.js lightbox.js"
).split()
# Films coming in, and their panel.
FILMS = "words.js calls.js hung.js film_names.js word.js made_with.js save.js intake.js".split()
SCRIPTS = (*VIEWER, *FILMS, *"bar.js findings.js numbers.js join.js panel.js read.js".split())


def shell() -> str:
    """The skeleton with the samples in it."""
    return filled("read.html", film_side=film_side(empty=drop()), panel_head=filled("panel_head.html"))


def drop() -> str:
    """What stands where no film hangs yet: the place to drop one, and the samples."""
    return filled("drop.html", samples="\n".join(map(_button, SAMPLES)), limit=f"{LIMIT_MB} MB")


def film_side(*, empty: str, ids: str = "", hidden: str = "opinion") -> str:
    """A viewer with its toolbar: `empty` is what stands there while no film hangs, `hidden` what H hides.

    `ids` begins the ids inside, which must not be the same twice on a page.
    """
    return filled("film_side.html", empty=empty, ids=ids, hidden=hidden)


def script(names: Iterable[str] = SCRIPTS) -> str:
    """A component's script: its files one after the other, in one function."""
    parts = [(STATIC / name).read_text(encoding="utf-8") for name in names]
    return "\n".join([f"const LIMIT = {LIMIT_MB * 2**20};", *parts])


def filled(name: str, **words: str) -> str:
    """A fragment of `static/` with its words in place."""
    return Template((STATIC / name).read_text(encoding="utf-8")).substitute(words)


def _button(sample: Sample) -> str:
    kind = "sample simulated" if sample.simulated else "sample"
    return (
        f'<button type="button" class="{kind}" data-sample="{escape(sample.key)}">'
        f"<strong>{escape(sample.name)}</strong><span>{escape(sample.hint)}</span></button>"
    )
