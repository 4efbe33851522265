"""The files of the learners' page, a subset of the page's own files; a class is served nothing else.

A class server maps names to paths: `viewer/camera.js` to `/viewer/camera.js`, and PAGE to `/`.
"""

from __future__ import annotations

from pathlib import Path

from explorer.school.class_file.bundled_modules import import_order

STATIC_FOLDER = (
    Path(__file__).resolve().parents[2] / "ui" / "static"
)  # these are read as data: none of the page's code is imported
LEARNER_PAGE = "class/class.html"
STYLES = (
    "shared/colors.css",
    "shared/outcome.css",
    "shared/result_table.css",
    "viewer/overlay.css",
    *(f"class/{name}.css" for name in ("class", "film", "question", "reveal")),
)
MAIN_MODULE = "class/learner.js"  # talks to a class server
STANDALONE_MODULE = "class/alone.js"  # answers from the file that contains it


def page_text(name: str) -> str:
    """Return the text of one of the page's files."""
    return (STATIC_FOLDER / name).read_text(encoding="utf-8")


def served_files() -> dict[str, bytes]:
    """Return the files that a class server serves, by name; modules are those imported by MAIN."""
    return {
        name: (STATIC_FOLDER / name).read_bytes()
        for name in (LEARNER_PAGE, *STYLES, *import_order(MAIN_MODULE, page_text))
    }
