"""The parts of a lesson: steps, each of which is a film with a question, words before and after, and a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from explorer.school.lessons.fact import FilmFact
from explorer.school.playlists.playlist import PlaylistFilm
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.school.lessons.counted import LessonFacts

# table, compared and scatter are in Explore: the table, a comparison of two slices, prevalence against precision. board
# is Evaluate's means by model. score, heat and map are about the film in Simulate: its scores, the share of heat in the
# mask, the evidence on its map; elsewhere is its score at the other center.
NumberPlace = Literal["table", "compared", "scatter", "board", "score", "heat", "map", "elsewhere"]
NumberMeasure = Literal["sensitivity", "specificity", "precision", "auroc"]


@dataclass(frozen=True, slots=True)
class NumberLink:
    """Where on the page a note's number is found; `go` is the link's label.

    `center` is one of the slice's centers; `models` and `part` belong to the leaderboard (`part`: see
    `analysis.leaderboard.groups`).
    """

    place: NumberPlace
    go: str
    slice: Slice | None = None
    beside: Slice | None = None
    finding: str = ""
    measure: NumberMeasure = "sensitivity"
    center: str | None = None
    models: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step; if `film.cohort` is empty, `film.case` is the address of a simulated film.

    `facts` are the claims of `film.before` and `film.note` about the film. After the reveal, Simulate shows the film,
    or the one at the address `shown`, in a `view` given as in `show=`.
    """

    film: PlaylistFilm
    number: NumberLink
    facts: tuple[FilmFact, ...]
    shown: str = ""
    view: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; its steps are made when it is opened. Steps for which the cohort has no film are omitted."""

    title: str
    about: str
    closing: str
    minutes: int
    steps: Callable[[LessonFacts], Iterable[LessonStep | None]] = field(repr=False)

    def make_steps(self, facts: LessonFacts) -> tuple[LessonStep, ...]:
        """Return the steps, with the counted figures filled in."""
        return tuple(step for step in self.steps(facts) if step is not None)
