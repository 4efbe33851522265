"""What readers of a review may see and do: their own films in order, one at a time, and a vote on each."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping
from threading import Lock
from typing import TypedDict

from explorer.cohorts.film_queue import DECODERS
from explorer.cohorts.film_source import SimulatedFilm
from explorer.cohorts.images import Images
from explorer.runtime.cached import RecentAnswers
from explorer.school.classroom.join_code import is_code
from explorer.school.preparing.film_picture import FilmPicture, film_picture
from explorer.school.reviews.helpful_order import open_next
from explorer.school.reviews.review import PLACES, SIDES, Reading, ReviewFilm, ReviewRefusal, Vote, checked_vote
from explorer.school.reviews.review_database import ReviewDatabase

MAX_PICTURES = 64
MAX_DEVICES = 1_000
_ID = re.compile(r"[0-9a-f]{16,64}")


class ReviewReaderPayload(TypedDict):
    """A reader's work: `next` is the place of the film to read now; `done` of `films`, hidden repeats included.

    `sides` and `places` are where a finding can be.
    """

    title: str
    films: int
    done: int
    next: int
    findings: list[str]
    sides: list[str]
    places: list[str]
    suggests: bool


class ReviewSitePayload(TypedDict):
    """Where a finding is; null where the reader does not say."""

    side: str | None
    place: str | None


class ReviewVotePayload(TypedDict):
    """A vote, to be changed; `certainty` is 1 a guess, 2 probable, 3 certain, or null; `sites` by finding."""

    verdict: str
    added: list[str]
    removed: list[str]
    certainty: int | None
    note: str
    sites: dict[str, ReviewSitePayload]


class ReviewFilmPayload(TypedDict):
    """A film to read, by its place in the reader's sequence; `suggested` is null if no labels are suggested.

    `uncertain` are findings suggested as uncertain.
    """

    film: int
    pictures: list[str]
    width: int
    height: int
    simulated: bool
    suggested: list[str] | None
    uncertain: list[str]
    vote: ReviewVotePayload | None


class NotEntered(ReviewRefusal):
    """Raised for a device that has not entered a code."""

    def __init__(self) -> None:
        super().__init__("Enter your code", "This device is not in the review.", 401)


class ReviewDesk:
    """An open review for its readers' devices. Thread-safe; every method raises ReviewRefusal."""

    def __init__(self, database: ReviewDatabase, images: Images) -> None:
        self._database = database
        self._images = images
        self._devices: dict[str, int] = {}  # SHA-256 of a token -> reader; only in memory
        self._lock = Lock()
        self._pictures: RecentAnswers[FilmPicture] = RecentAnswers(MAX_PICTURES)

    def enter(self, code: object) -> str:
        """Return a new token for the reader of this code."""
        reader = next((number for number, each in enumerate(self._database.codes) if is_code(code, each)), None)
        if reader is None:
            raise ReviewRefusal("This code does not belong to the review", "Type the code that you were given.", 403)
        token = secrets.token_urlsafe(32)
        with self._lock:
            while len(self._devices) >= MAX_DEVICES:
                self._devices.pop(next(iter(self._devices)))  # the oldest enters its code again
            self._devices[_digest(token)] = reader
        return token

    def reader(self, token: str) -> int:
        """Return the reader of a device."""
        with self._lock:
            if (reader := self._devices.get(_digest(token))) is None:
                raise NotEntered
        return reader

    def me(self, reader: int) -> ReviewReaderPayload:
        """Return how far a reader is."""
        readings, at = self._sequence(reader)
        review = self._database.review
        return {
            "title": review.name,
            "films": len(readings),
            "done": len(self._database.voted(reader)),
            "next": at,
            "findings": list(review.findings),
            "sides": list(SIDES),
            "places": list(PLACES),
            "suggests": review.suggests,
        }

    def film(self, reader: int, place: int) -> ReviewFilmPayload:
        """Return the film to read now, or the one read last with its vote."""
        film = self._database.review.films[self._open(reader, place).film]
        picture = self._picture(self._open(reader, place).film)
        vote = self._database.last_vote(reader, place)
        return {
            "film": place,
            "pictures": [f"/picture/{place}"],
            "width": picture.width,
            "height": picture.height,
            "simulated": self._database.review.simulated,
            "suggested": None if film.suggested is None else list(film.suggested),
            "uncertain": list(film.uncertain),
            "vote": None if vote is None else _vote_payload(vote),
        }

    def picture(self, reader: int, place: int) -> bytes:
        """Return the picture of a film that is open to the reader: WebP without metadata."""
        return self._picture(self._open(reader, place).film).webp

    def vote(self, reader: int, sent: Mapping[str, object]) -> ReviewReaderPayload:
        """Store a vote and return how far the reader is; the return means that it is durable."""
        place, vote_id = sent.get("film"), sent.get("id")
        if type(place) is not int or not isinstance(vote_id, str) or not _ID.fullmatch(vote_id):
            raise ReviewRefusal("The vote does not name its film", "Reload the page, then vote again.", 400)
        reading = self._open(reader, place)
        review = self._database.review
        self._database.vote(reader, place, vote_id, checked_vote(sent, review.films[reading.film], review.findings))
        return self.me(reader)

    def _sequence(self, reader: int) -> tuple[tuple[Reading, ...], int]:
        """Return a reader's readings, and the place of the first without a vote."""
        readings, voted = self._database.readings_of(reader), self._database.voted(reader)
        return readings, next((each.place for each in readings if each.place not in voted), len(readings))

    def _open(self, reader: int, place: int) -> Reading:
        """Return a reading that is open: the next one, or the last voted one, which may still be changed.

        Older ones are closed, so that a hidden repeat cannot be set beside the first vote.
        """
        readings, at = self._sequence(reader)
        if place == at < len(readings):
            open_next(self._database, reader, place)
            readings, at = self._sequence(reader)
        if not 0 <= place < len(readings):
            raise ReviewRefusal("There is no such film", "Reload the page.", 404)
        if place not in (at, at - 1):
            raise ReviewRefusal("This film is not open", "Films come one after another; the last vote may be changed.")
        return readings[place]

    def _picture(self, film: int) -> FilmPicture:
        return self._pictures.get(film, lambda: self._read(self._database.review.films[film]))

    def _read(self, film: ReviewFilm) -> FilmPicture:
        """Return the canonical film as a picture. Raises UnreadableRadiograph, QueueFull."""
        source = self._images.film(film.root, film.file)
        if source is None:
            raise ReviewRefusal("The image of this film is missing", "Tell the person who gave you the code.", 410)
        if isinstance(source, SimulatedFilm):  # does its own queueing
            return film_picture(source.radiograph().pixels)
        with DECODERS.turn(str(source), low_priority=True):
            return film_picture(source.radiograph().pixels)


def _vote_payload(vote: Vote) -> ReviewVotePayload:
    return {
        "verdict": vote.verdict,
        "added": sorted(vote.added),
        "removed": sorted(vote.removed),
        "certainty": vote.certainty,
        "note": vote.note,
        "sites": {name: {"side": site.side, "place": site.place} for name, site in vote.sites.items()},
    }


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
