"""A review on disk: SQLite in WAL mode. A vote is acknowledged once durable, and never counts twice.

Several processes may write at once: each write is one transaction that waits for the others. A vote carries an id made
by its sender, so that sending it again changes nothing. A reader's later vote on the same film replaces the earlier
one, which is kept with its time.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from explorer.core.csv_table import iso
from explorer.school.reviews.review import Reading, Review, ReviewFilm, ReviewRefusal, ReviewRules, Site, Vote
from explorer.school.reviews.review_tables import TABLES, LaterVersion, update_tables
from models.whole_file import PARTIAL_SUFFIX

_FILM = '"case", root, file, suggested, uncertain, doubt'
_VOTE = "verdict, added, removed, certainty, note, sites"
_READING = "reader, place, film, again"
_FilmRow = tuple[str, str | None, str | None, str | None, str, int]
BUSY_MS = 20_000  # another process's commit takes a few milliseconds
_WRITE_ERRORS = (sqlite3.Error, ValueError, OverflowError)


@dataclass(frozen=True, slots=True)
class KeptVote:
    """A vote as stored: `revision` counts a reader's votes on this reading from 1; the highest counts."""

    reading: Reading
    revision: int
    at: str  # UTC
    vote: Vote


class ReviewDatabase:
    """An open review. Methods may be called from any thread; each raises ReviewRefusal if the file fails."""

    def __init__(self, file: Path) -> None:
        """Open an existing review."""
        self._file = file
        self._lock = Lock()
        try:
            self._database = _connected(file)
            (about,) = self._database.execute("SELECT about FROM review").fetchone()
            update_tables(self._database)
            films = self._database.execute(f"SELECT {_FILM} FROM films ORDER BY film").fetchall()
        except LaterVersion as error:
            self._database.close()
            raise ReviewRefusal(
                f"A later version of Tailscope made the review {file.stem}", "Update Tailscope to open it."
            ) from error
        except (sqlite3.Error, TypeError) as error:  # TypeError: the only row is missing
            raise ReviewRefusal(f"The review {file.stem} cannot be read", f"{error}. Put back a copy.") from error
        self.review = _review(json.loads(about), films)

    def close(self) -> None:
        """Close the file; every vote is durable already."""
        with self._lock:
            self._database.close()

    @property
    def codes(self) -> tuple[str, ...]:
        """The code of each reader, by number. A code opens the reader's work, so it is never exported."""
        return tuple(code for (code,) in self._rows("SELECT code FROM readers ORDER BY reader"))

    def readings(self) -> tuple[Reading, ...]:
        """Return every reading by reader and place."""
        rows = self._rows("SELECT reader, place, film, again FROM readings ORDER BY reader, place")
        return tuple(Reading(reader, place, film, bool(again)) for reader, place, film, again in rows)

    def readings_of(self, reader: int) -> tuple[Reading, ...]:
        """Return one reader's readings in order."""
        rows = self._rows("SELECT place, film, again FROM readings WHERE reader = ? ORDER BY place", reader)
        return tuple(Reading(reader, place, film, bool(again)) for place, film, again in rows)

    def voted(self, reader: int) -> frozenset[int]:
        """Return the places on which a reader has voted."""
        return frozenset(place for (place,) in self._rows("SELECT DISTINCT place FROM votes WHERE reader = ?", reader))

    def last_vote(self, reader: int, place: int) -> Vote | None:
        """Return the vote that counts for a reading; None if there is none."""
        found = self._rows(
            f"SELECT {_VOTE} FROM votes WHERE reader = ? AND place = ? ORDER BY revision DESC LIMIT 1",
            reader,
            place,
        )
        return _vote(*found[0]) if found else None

    def votes(self) -> tuple[KeptVote, ...]:
        """Return every vote, replaced ones too, by reader, place and revision."""
        rows = self._rows(
            f"SELECT reader, place, film, again, revision, at, {_VOTE} "
            "FROM votes JOIN readings USING (reader, place) ORDER BY reader, place, revision"
        )
        return tuple(
            KeptVote(Reading(reader, place, film, bool(again)), revision, at, _vote(*vote))
            for reader, place, film, again, revision, at, *vote in rows
        )

    def vote(self, reader: int, place: int, vote_id: str, vote: Vote) -> int:
        """Store a vote and return its revision once it is durable; the same id again returns the stored revision.

        Raises ReviewRefusal if the reading does not exist or the id belongs to another one.
        """
        with self._writing() as database:
            known = database.execute("SELECT reader, place, revision FROM votes WHERE id = ?", (vote_id,)).fetchone()
            if known is not None:
                if known[:2] != (reader, place):
                    raise ReviewRefusal("This vote belongs to another film", "Reload the page, then vote again.", 409)
                return int(known[2])
            there = database.execute("SELECT 1 FROM readings WHERE reader = ? AND place = ?", (reader, place))
            if there.fetchone() is None:
                raise ReviewRefusal("There is no such film", "Reload the page.", 404)
            (revision,) = database.execute(
                "SELECT coalesce(max(revision), 0) + 1 FROM votes WHERE reader = ? AND place = ?", (reader, place)
            ).fetchone()
            added, removed = (json.dumps(sorted(names)) for names in (vote.added, vote.removed))
            sites = json.dumps({name: asdict(site) for name, site in sorted(vote.sites.items())})
            columns = f"reader, place, revision, id, at, {_VOTE}"
            database.execute(
                f"INSERT INTO votes ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (reader, place, revision, vote_id, iso(datetime.now(UTC)))
                + (vote.verdict, added, removed, vote.certainty, vote.note, sites),
            )
        return int(revision)

    def is_opened(self, reader: int, place: int) -> bool:
        """Return whether the film at a place is fixed by `open_reading`."""
        found = self._rows("SELECT opened FROM readings WHERE reader = ? AND place = ?", reader, place)
        return bool(found and found[0][0])

    def open_reading(self, reader: int, place: int, ranks: Sequence[tuple[int, int]]) -> None:
        """Fix the film at a place: of this reader's later films, the one of the highest rank comes here.

        `ranks` are by film; of equal ones, the earliest counts; without ranks, the film that is there stays. The two
        films exchange their places, and those of their hidden repeats. A hidden repeat stays where it is.
        """
        with self._writing() as database:
            later = database.execute(
                "SELECT film, again, opened FROM readings WHERE reader = ? AND place >= ? ORDER BY place",
                (reader, place),
            ).fetchall()
            if not later or later[0][2]:
                return
            here, again, _ = later[0]
            if ranks and not again:
                best = max((film for film, again, _ in later if not again), key=lambda film: ranks[film])
                _exchange(database, reader, here, best)
            database.execute("UPDATE readings SET opened = 1 WHERE reader = ? AND place = ?", (reader, place))

    def append_readings(self, films: Sequence[tuple[int, int]]) -> None:
        """Give readers (reader, film) further films at the end of their sequences, for adjudication."""
        with self._writing() as database:
            for reader, film in films:
                (place,) = database.execute(
                    "SELECT coalesce(max(place), -1) + 1 FROM readings WHERE reader = ?", (reader,)
                ).fetchone()
                database.execute(f"INSERT INTO readings ({_READING}) VALUES (?, ?, ?, 0)", (reader, place, film))

    def add_reader(self, code: str) -> int:
        """Add a reader without films and return their number."""
        with self._writing() as database:
            (reader,) = database.execute("SELECT coalesce(max(reader), -1) + 1 FROM readers").fetchone()
            database.execute("INSERT INTO readers VALUES (?, ?)", (reader, code))
        return int(reader)

    def add_release(self, cohort: str, source: str) -> None:
        """Remember that these readers made a source of labels of a cohort."""
        with self._writing() as database:
            database.execute("INSERT OR IGNORE INTO released VALUES (?, ?)", (cohort, source))

    def releases(self) -> tuple[tuple[str, str], ...]:
        """Return each cohort and source of labels that these readers made."""
        return tuple((cohort, source) for cohort, source in self._rows("SELECT cohort, source FROM released"))

    def _rows(self, statement: str, *values: object) -> list[tuple]:  # type: ignore[type-arg]
        with self._lock:
            try:
                return self._database.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise ReviewRefusal(f"The review {self._file.stem} cannot be read", str(error), 503) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the database inside a transaction, which is durable when the block ends and undone if it raises."""
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                try:
                    yield self._database
                    self._database.execute("COMMIT")
                except BaseException:
                    if self._database.in_transaction:
                        self._database.execute("ROLLBACK")
                    raise
            except _WRITE_ERRORS as error:
                raise ReviewRefusal("This could not be saved", f"{error}. Try again.", 507) from error


def make_review(file: Path, review: Review, readings: Sequence[Sequence[Reading]], codes: Sequence[str]) -> None:
    """Write a new review, readable by its owner only. Raises ReviewRefusal if there is one, or the disk refuses."""
    partial = file.with_name(f".{file.name}.{os.getpid()}{PARTIAL_SUFFIX}")
    database = None
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # its WAL gets the same file mode
        database = _connected(partial)
        database.executescript(TABLES)
        update_tables(database)
        database.execute("BEGIN IMMEDIATE")
        about = {key: value for key, value in asdict(review).items() if key != "films"}
        database.execute("INSERT INTO review VALUES (?)", (json.dumps(about),))
        films = [
            (place, film.case, film.root, film.file)
            + (None if film.suggested is None else json.dumps(film.suggested), json.dumps(film.uncertain), film.doubt)
            for place, film in enumerate(review.films)
        ]
        database.executemany(f"INSERT INTO films (film, {_FILM}) VALUES (?, ?, ?, ?, ?, ?, ?)", films)
        database.executemany("INSERT INTO readers VALUES (?, ?)", list(enumerate(codes)))
        rows = [(each.reader, each.place, each.film, each.again) for share in readings for each in share]
        database.executemany(f"INSERT INTO readings ({_READING}) VALUES (?, ?, ?, ?)", rows)
        database.execute("COMMIT")
        database.close()  # merges the WAL into the file
        os.link(partial, file)  # unlike a rename, fails if there is such a review
    except FileExistsError as error:
        raise ReviewRefusal(f"There is already a review {file.stem}", "Choose another name.") from error
    except (OSError, *_WRITE_ERRORS) as error:
        raise _not_made(error) from error
    finally:
        if database is not None:
            database.close()
        partial.unlink(missing_ok=True)


def _exchange(database: sqlite3.Connection, reader: int, one: int, other: int) -> None:
    """Exchange two films in a reader's sequence, repeats included; neither has a vote."""
    if one == other:
        return
    films = (reader, one, other)
    rows = database.execute(f"SELECT {_READING} FROM readings WHERE reader = ? AND film IN (?, ?)", films).fetchall()
    database.execute("DELETE FROM readings WHERE reader = ? AND film IN (?, ?)", films)
    database.executemany(
        f"INSERT INTO readings ({_READING}) VALUES (?, ?, ?, ?)",
        [(who, place, other if film == one else one, again) for who, place, film, again in rows],
    )


def _connected(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    database.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    database.execute("PRAGMA journal_mode = WAL")
    # COMMIT returns once the data is on disk, not only in the system's cache
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA fullfsync = ON")  # macOS: flush the disk's own cache too
    database.execute("PRAGMA foreign_keys = ON")
    return database


def _review(about: dict[str, object], films: Sequence[_FilmRow]) -> Review:
    rules = ReviewRules(**about.pop("rules"))  # type: ignore[arg-type]
    kept = tuple(
        ReviewFilm(
            case,
            root,
            file,
            None if suggested is None else tuple(json.loads(suggested)),
            tuple(json.loads(uncertain)),
            doubt,
        )
        for case, root, file, suggested, uncertain, doubt in films
    )
    return Review(**{**about, "findings": tuple(about["findings"]), "rules": rules, "films": kept})  # type: ignore


def _vote(verdict: str, added: str, removed: str, certainty: int | None, note: str, sites: str) -> Vote:
    where = {name: Site(**site) for name, site in json.loads(sites).items()}
    return Vote(verdict, frozenset(json.loads(added)), frozenset(json.loads(removed)), certainty, note, where)  # type: ignore[arg-type]


def _not_made(error: Exception) -> ReviewRefusal:
    return ReviewRefusal(
        "The review cannot be saved", f"{error}. Free some disk space, or make TAILSCOPE_HOME writable.", 507
    )
