"""A review as data: its films with suggested labels, its rules, and one reader's vote."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from explorer.core.word_lists import and_list
from explorer.school.classroom.refusal import ClassRefusal

Verdict = Literal["agree all", "agree mostly", "disagree", "own findings"]
Certainty = Literal[1, 2, 3]  # a guess, probable, certain
Allocation = Literal["everyone", "blocks"]
Order = Literal["random", "helpful"]
Side = Literal["right", "left", "both"]  # of the patient
Place = Literal["upper zone", "mid zone", "base", "several zones", "hilum", "mediastinum"]

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
SUGGESTED_VERDICTS = VERDICTS[:3]  # "own findings" is the only verdict where nothing was suggested
ORDERS: tuple[Order, ...] = get_args(Order)
ALLOCATIONS: tuple[Allocation, ...] = get_args(Allocation)
SIDES: tuple[Side, ...] = get_args(Side)
PLACES: tuple[Place, ...] = get_args(Place)
MAX_NOTE = 500  # characters
MAX_FILMS = 5_000
MAX_READERS = 50


class ReviewRefusal(ClassRefusal):
    """`title` says what a review cannot do, `detail` what to do; `status` is the HTTP status for a reader's device."""


@dataclass(frozen=True, slots=True)
class ReviewFilm:
    """A film of the review's cohort and where its image is.

    `suggested` are findings suggested as present, None if nothing is suggested; `uncertain` are suggested as uncertain.
    `doubt` is on how many findings the suggestion and a model differ, which no reader sees.
    """

    case: str
    root: str | None
    file: str | None
    suggested: tuple[str, ...] | None = None
    uncertain: tuple[str, ...] = ()
    doubt: int = 0


@dataclass(frozen=True, slots=True)
class ReviewRules:
    """How films are shared among readers.

    Each film gets `per_film` readers, each reader at most `most` films. With `blocks`, `anchors` films go to every
    reader; `repeats` is the share of a reader's films that come again, unannounced. With the order
    `helpful`, a reader's next film is the one of theirs that helps most (`helpful_order.py`).
    """

    allocation: Allocation = "blocks"
    per_film: int = 3
    most: int = 300
    anchors: int = 0
    repeats: float = 0.2
    seed: int = 0
    order: Order = "random"


@dataclass(frozen=True, slots=True)
class Review:
    """A review: `findings` are those that readers may name; `about` and `suggested_from` say where films and labels
    come from. `model` scored the films; `by_model`: they were chosen by what it says of them. Empty in reviews made
    before these were kept.
    """

    name: str
    cohort: str
    about: str
    suggested_from: str
    simulated: bool
    findings: tuple[str, ...]
    rules: ReviewRules
    films: tuple[ReviewFilm, ...]
    model: str = ""
    by_model: bool = False

    @property
    def public_name(self) -> str:
        """The review's name in titles, marked if its films are simulated."""
        return f"{self.name}, SIMULATED films" if self.simulated else self.name

    @property
    def suggests(self) -> bool:
        """Whether readers see suggested labels."""
        return any(film.suggested is not None for film in self.films)


@dataclass(frozen=True, slots=True)
class Reading:
    """A film at a `place` of a reader's sequence; `again` marks a hidden repeat. All are counted from 0."""

    reader: int
    place: int
    film: int
    again: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """Where a reader sees a finding; None where they do not say."""

    side: Side | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """One vote. `added` and `removed` correct the suggested labels; without these, `added` are the findings seen.

    An uncertain suggestion is decided by adding or removing it, and stays uncertain otherwise. `sites` say where a
    finding is, by its name, for some of the findings that the reader holds present.
    """

    verdict: Verdict
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    certainty: Certainty | None = None
    note: str = ""
    sites: Mapping[str, Site] = field(default_factory=dict)

    def findings(self, suggested: Collection[str] | None) -> frozenset[str] | None:
        """Return the findings that the reader holds present; None if they disagree without saying what is right."""
        if self.verdict == "disagree" and not (self.added or self.removed):
            return None
        return (frozenset(suggested or ()) | self.added) - self.removed

    def left_uncertain(self, uncertain: Collection[str]) -> frozenset[str]:
        """Return the uncertain suggestions that the reader leaves uncertain."""
        return frozenset(uncertain) - self.added - self.removed


def checked_vote(sent: Mapping[str, object], film: ReviewFilm, findings: Collection[str]) -> Vote:
    """Return the vote on a film that a reader sent. Raises ReviewRefusal for one that contradicts itself."""
    verdict, certainty, note = sent.get("verdict"), sent.get("certainty"), sent.get("note", "")
    added, removed = _names(sent, "added"), _names(sent, "removed")
    allowed = VERDICTS[3:] if film.suggested is None else SUGGESTED_VERDICTS
    if verdict not in allowed:
        raise _wrong(f"The verdict is one of: {', '.join(allowed)}.")
    if certainty not in (None, 1, 2, 3) or isinstance(certainty, bool):
        raise _wrong("The certainty is 1, 2, 3 or left out.")
    if not isinstance(note, str) or len(note) > MAX_NOTE or not note.isprintable():
        raise _wrong(f"A note is one line of at most {MAX_NOTE} characters.")
    suggested = frozenset(film.suggested or ())
    if unknown := sorted((added | removed) - set(findings)):
        raise _wrong(f"This review does not ask about {and_list(unknown)}.")
    if wrong := sorted((added & suggested) | (removed - suggested - set(film.uncertain)) | (added & removed)):
        raise _wrong(f"Add findings that are not suggested, and remove suggested ones: {and_list(wrong)}.")
    if verdict == "agree all" and (added or removed):
        raise _wrong("Agree all has no corrections. Choose Agree mostly or Disagree.")
    vote = Vote(verdict, added, removed, certainty, note.strip())
    seen = vote.findings(film.suggested) or frozenset()
    return replace(vote, sites=_sites(sent.get("sites", {}), seen))


def _sites(given: object, seen: Collection[str]) -> dict[str, Site]:
    """Return the sites that a reader sent for findings `seen`. Raises ReviewRefusal."""
    if not isinstance(given, dict):
        raise _wrong("Sites are given by finding.")
    found: dict[str, Site] = {}
    for name, site in given.items():
        if name not in seen:
            raise _wrong(f"This vote does not hold {name} present, so it has no site.")
        if not isinstance(site, dict) or not site or not set(site) <= {"side", "place"}:
            raise _wrong("A site has a side, a place or both.")
        side, place = site.get("side"), site.get("place")
        if side not in (None, *SIDES) or place not in (None, *PLACES):
            raise _wrong(f"A side is {', '.join(SIDES)}; a place is {', '.join(PLACES)}.")
        if side or place:
            found[name] = Site(side, place)
    return found


def _names(sent: Mapping[str, object], key: str) -> frozenset[str]:
    given = sent.get(key, [])
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise _wrong("Corrections are lists of findings.")
    if len(set(given)) < len(given):
        raise _wrong("A correction names a finding twice.")
    return frozenset(given)


def _wrong(why: str) -> ReviewRefusal:
    return ReviewRefusal("This vote cannot be counted", why, 400)
