"""The files of the readers' page, a subset of the page's own files; a review's server serves nothing else."""

from __future__ import annotations

from explorer.school.class_file.bundled_modules import import_order
from explorer.school.class_file.learner_page import STATIC_FOLDER, page_text

READER_PAGE = "review/review.html"
STYLES = (
    "shared/colors.css",
    "viewer/overlay.css",
    *(f"class/{name}.css" for name in ("class", "film", "question")),
    "review/vote.css",
)
MAIN_MODULE = "review/reader.js"


def reader_files() -> dict[str, bytes]:
    """Return the files by name; modules are those that the main one imports."""
    names = (READER_PAGE, *STYLES, *import_order(MAIN_MODULE, page_text))
    return {name: (STATIC_FOLDER / name).read_bytes() for name in names}
