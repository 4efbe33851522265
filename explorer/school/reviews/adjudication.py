"""Gives the films on which readers tie to a further reader, as in the gold standard of CXR-LT 2023."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.core.reader_study import reader_name
from explorer.core.word_lists import quantity
from explorer.school.classroom.join_code import new_code
from explorer.school.reviews.ratings import ratings_of
from explorer.school.reviews.review import ReviewRefusal
from explorer.school.reviews.review_database import ReviewDatabase


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """Films given to further readers: how many by reader, and the code of a reader who was added, or an empty text."""

    films: dict[int, int]
    new_code: str

    def sentences(self) -> tuple[str, ...]:
        """Return how many films each reader gets, and the code of an added reader, in words."""
        found = [f"{reader_name(reader)} gets {quantity(films, 'more film')}." for reader, films in self.films.items()]
        return (*found, *([f"The code of the new reader: {self.new_code}"] if self.new_code else []))


def films_waiting(database: ReviewDatabase) -> frozenset[int]:
    """Return the films that some reader was given and has not voted on. Raises ReviewRefusal."""
    voted = {(reader, place) for reader in range(len(database.codes)) for place in database.voted(reader)}
    every = database.readings()
    return frozenset(each.film for each in every if not each.again and (each.reader, each.place) not in voted)


def adjudicate(database: ReviewDatabase, *, new_reader: bool = False) -> Adjudicated:
    """Give each film on which readers tie to one who was not given it: the one with the fewest such films.

    A film that already waits for a further reader stays with them. `new_reader`: to a reader who is added. Nothing on
    the readers' page distinguishes these films. Raises ReviewRefusal if there is no such film or no such reader.
    """
    readings = database.readings()
    ratings = ratings_of(database.review, len(database.codes), database.votes())
    waiting = films_waiting(database)
    films = [film for film, _ in ratings.open_labels() if film not in waiting]
    if not films:
        raise ReviewRefusal(
            "No film needs another reader", "Readers tie on none, or a further reader has these films already."
        )
    code = ""
    readers = list(range(len(database.codes)))
    if new_reader:
        code = new_code()
        readers = [database.add_reader(code)]
    given = {(each.reader, each.film) for each in readings}
    counts = dict.fromkeys(readers, 0)
    pairs = []
    for film in films:
        free = [reader for reader in readers if (reader, film) not in given]
        if not free:
            raise ReviewRefusal("Every reader has read these films", "Give them to a new reader (--new-reader).")
        reader = min(free, key=lambda one: (counts[one], one))
        counts[reader] += 1
        pairs.append((reader, film))
    database.append_readings(pairs)
    return Adjudicated({reader: count for reader, count in counts.items() if count}, code)
