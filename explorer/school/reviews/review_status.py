"""How far a review is: by reader without names, and which films need another reader."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.core.reader_study import reader_name
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.school.reviews.adjudication import films_waiting
from explorer.school.reviews.ratings import ratings_of
from explorer.school.reviews.review_database import ReviewDatabase


@dataclass(frozen=True, slots=True)
class ReaderProgress:
    """A reader's readings and how many are done, hidden repeats included."""

    reader: int
    readings: int
    done: int


@dataclass(frozen=True, slots=True)
class ReviewStatus:
    """`read` films have two readers or more; `changed` votes were replaced.

    Readers tie on `open_films`; `waiting` of these wait for a reader who has them already.
    """

    name: str
    films: int
    read: int
    open_films: int
    waiting: int
    changed: int
    readers: tuple[ReaderProgress, ...]

    def sentences(self, *, command: bool = True) -> tuple[str, ...]:
        """Return the state of the review in words; `command`: with the command that assigns readers."""
        done, of = sum(each.done for each in self.readers), sum(each.readings for each in self.readers)
        found = [
            f"{self.name}: {done:,} of {quantity(of, 'reading')} done; "
            f"{self.read:,} of {quantity(self.films, 'film')} with two readers or more."
        ]
        if self.open_films:
            films = quantity(self.open_films, "film needs", "films need")
            how = f": `python -m explorer review adjudicate {self.name}` assigns one" if command else ""
            found.append(f"{films} another reader{how if self.waiting < self.open_films else ''}.")
        if self.waiting:
            films = quantity(self.waiting, "of these waits", "of these wait")
            found.append(f"{films} for a reader who already has the film.")
        if self.changed:
            found.append(
                f"{quantity(self.changed, 'vote was', 'votes were')} replaced by the reader: the last one counts."
            )
        return tuple(found)

    def grid(self) -> TextGrid:
        """Return the readers' progress."""
        rows = tuple((reader_name(each.reader), f"{each.done:,}", f"{each.readings:,}") for each in self.readers)
        return TextGrid("Readers", ("reader", "done", "of"), rows, counts=2)


def review_status(database: ReviewDatabase) -> ReviewStatus:
    """Return how far a review is. Raises ReviewRefusal."""
    readers = len(database.codes)
    readings = database.readings()
    ratings = ratings_of(database.review, readers, database.votes())
    open_films = {film for film, _ in ratings.open_labels()}
    of = [sum(each.reader == reader for each in readings) for reader in range(readers)]
    progress = tuple(ReaderProgress(reader, of[reader], len(database.voted(reader))) for reader in range(readers))
    return ReviewStatus(
        name=database.review.name,
        films=len(database.review.films),
        read=int((ratings.readers_of_films() >= 2).sum()),
        open_films=len(open_films),
        waiting=len(open_films & films_waiting(database)),
        changed=ratings.changed,
        readers=progress,
    )
