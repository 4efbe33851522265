"""The learners' page: which files of the page's own folder it needs. Nothing else is served to a class.

A class server answers each under its name: `viewer/camera.js` at `/viewer/camera.js`, and PAGE at `/`.
"""

from __future__ import annotations

from pathlib import Path

from explorer.school.class_file.bundled_modules import imported

STATIC = Path(__file__).resolve().parents[2] / "ui" / "static"  # read as data: no code of the page is imported
PAGE = "class/class.html"
STYLES = (
    "shared/colors.css",
    "shared/outcome.css",
    "shared/result_table.css",
    "viewer/overlay.css",
    *(f"class/{name}.css" for name in ("class", "film", "question", "reveal")),
)
MAIN = "class/learner.js"  # asks a class server
ALONE = "class/alone.js"  # answers from the file that it stands in


def text_of(name: str) -> str:
    """The text of a file of the page."""
    return (STATIC / name).read_text(encoding="utf-8")


def served() -> dict[str, bytes]:
    """What a class server may serve: the content of every file by its name; modules are those that MAIN imports."""
    return {name: (STATIC / name).read_bytes() for name in (PAGE, *STYLES, *imported(MAIN, text_of))}
