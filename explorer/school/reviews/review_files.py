"""Where reviews lie on disk, and which there are."""

from __future__ import annotations

from pathlib import Path

from explorer.cohorts.layout import is_name
from explorer.core.word_lists import comma_list
from explorer.school.reviews.review import ReviewRefusal
from explorer.school.reviews.review_database import ReviewDatabase
from models.cards.home import tailscope_home


def reviews_folder() -> Path:
    """Return the folder of all reviews, below TAILSCOPE_HOME."""
    return tailscope_home() / "reviews"


def review_names() -> tuple[str, ...]:
    """Return the names of all reviews on this machine, sorted."""
    return tuple(sorted(path.stem for path in reviews_folder().glob("*.sqlite") if is_name(path.stem)))


def review_file(name: str) -> Path:
    """Return the file for a review of this name, whether or not it exists. Raises ReviewRefusal for a wrong name."""
    if not is_name(name):
        raise ReviewRefusal(
            f"{name!r} is not a valid name for a review",
            "Use lowercase letters, digits, dots, hyphens and underscores, starting with a letter or digit.",
        )
    return reviews_folder() / f"{name}.sqlite"


def opened_review(name: str) -> ReviewDatabase:
    """Open a review. Raises ReviewRefusal if it does not exist or cannot be read."""
    file = review_file(name)
    if not file.is_file():
        raise ReviewRefusal(
            f"There is no review {name!r}",
            f"There are: {comma_list(review_names())}. `python -m explorer review new` makes one.",
        )
    return ReviewDatabase(file)


def delete_review(name: str) -> tuple[str, ...]:
    """Delete a review with all its votes and return the deleted files. Raises ReviewRefusal if it does not exist."""
    file = review_file(name)
    if not file.is_file():
        raise ReviewRefusal(f"There is no review {name!r}", f"There are: {comma_list(review_names())}.")
    found = [each for ending in ("", "-wal", "-shm") if (each := file.with_name(file.name + ending)).exists()]
    for each in found:
        each.unlink(missing_ok=True)
    return tuple(each.name for each in found)
