"""A new review as the page sends it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from explorer.school.reviews.new_review import BY_LABELS, BY_MODEL, NO_SUGGESTIONS, ReviewRequest
from explorer.school.reviews.review import MAX_FILMS, MAX_READERS, ORDERS, Order, ReviewRefusal, ReviewRules
from explorer.school.reviews.suggested import strata_in
from explorer.store.slices import Slice
from explorer.ui.shared.request_values import string_field, value_in

SUGGESTS = (NO_SUGGESTIONS, BY_LABELS, BY_MODEL)
BY_FILE = "file"
FILE_KINDS = (".json", ".csv")
MAX_FILE_NAME = 80  # characters
MAX_REPEATS = 50  # percent of a reader's films


@contextmanager
def review_in(sent: object, chosen: Slice) -> Iterator[ReviewRequest]:
    """Yield the review of a slice that was sent; a file of suggested labels exists inside the block.

    Raises ReviewRefusal.
    """
    readers = whole_number_from(sent, "readers", 1, MAX_READERS)
    rules = ReviewRules(
        per_film=min(whole_number_from(sent, "per_film", 1, MAX_READERS), readers),
        anchors=whole_number_from(sent, "anchors", 0, MAX_FILMS),
        repeats=whole_number_from(sent, "repeats", 0, MAX_REPEATS) / 100,
        order=_order(string_field(sent, "order")),
    )
    strata = strata_in(string_field(sent, "strata"))
    films, suggest = whole_number_from(sent, "films", 1, MAX_FILMS), string_field(sent, "suggest")
    with TemporaryDirectory(prefix="tailscope-review-") as folder:
        if suggest == BY_FILE:
            suggest = str(_written(Path(folder), value_in(sent, "file")))
        elif suggest not in SUGGESTS:
            raise ReviewRefusal("There is no such suggestion", "Choose nothing, labels, the model or a file.")
        yield ReviewRequest(
            string_field(sent, "name"),
            chosen,
            suggest,
            strings_in(sent, "findings"),
            readers,
            rules,
            issues=value_in(sent, "issues") is True,
            sample=None if strata else films,
            strata=strata,
            label_set=string_field(sent, "label_set"),
        )


def strings_in(sent: object, name: str) -> tuple[str, ...]:
    """The strings of a list that was sent; empty if there is none."""
    found = value_in(sent, name)
    return tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()


def whole_number_from(sent: object, name: str, least: int, most: int) -> int:
    """A whole number that was sent. Raises ReviewRefusal if it is not between the limits."""
    found = value_in(sent, name)
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        raise ReviewRefusal("A number is out of range", f"Give a whole number from {least} to {most:,}.")
    return found


def _order(sent: str) -> Order:
    order = sent or ORDERS[0]
    if order not in ORDERS:
        raise ReviewRefusal("There is no such order of films", f"Choose one of {', '.join(ORDERS)}.")
    return order


def _written(folder: Path, sent: object) -> Path:
    """Write a file of suggested labels that was sent; its name stays. Raises ReviewRefusal."""
    name = Path(string_field(sent, "name").replace("\\", "/")).name
    if not name.isprintable() or len(name) > MAX_FILE_NAME or Path(name).suffix.lower() not in FILE_KINDS:
        raise ReviewRefusal("No file of suggested labels was chosen", "Choose a JSON or CSV file.")
    file, text = folder / name, "".join(strings_in(sent, "parts"))
    if "\N{REPLACEMENT CHARACTER}" in text:  # which a browser reads where bytes are no UTF-8
        raise ReviewRefusal("The file is not text in UTF-8", "Save it as UTF-8, and choose it again.")
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ReviewRefusal("The file cannot be kept", f"{error.strerror}. Free some disk space.") from error
    return file
