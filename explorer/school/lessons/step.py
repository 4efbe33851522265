"""What lessons are made of: steps, each a film with a question, what is said before and after, and a number."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from explorer.school.lessons.fact import Fact
from explorer.school.playlists.playlist import PlaylistFilm
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.school.lessons.counted import LessonFacts

# Of Explore: its table, two slices compared, prevalence against precision. board: Evaluate's means by model. Of the
# film itself in Simulate: its scores, the share of its heat in the mask, what is said of its map, its score at the
# other center.
Place = Literal["table", "compared", "scatter", "board", "score", "heat", "map", "elsewhere"]
Measure = Literal["sensitivity", "specificity", "precision", "auroc"]


@dataclass(frozen=True, slots=True)
class Number:
    """Where on the page the number stands that a note speaks of; `go` is what the link is called.

    `center` is one of the slice's; `models` and `part` are the leaderboard's (`part`: `analysis.leaderboard.groups`).
    """

    place: Place
    go: str
    slice: Slice | None = None
    beside: Slice | None = None
    finding: str = ""
    measure: Measure = "sensitivity"
    center: str | None = None
    models: tuple[str, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step; `film.case` is an address of the simulator wherever `film.cohort` is empty.

    `facts` are what `film.before` and `film.note` say of the film. After the reveal Simulate shows the film itself, or
    that of the address `shown`, in a `view`: words of `show=`.
    """

    film: PlaylistFilm
    number: Number
    facts: tuple[Fact, ...]
    shown: str = ""
    view: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; its steps are made when it is opened. A step whose film a cohort does not have is left out."""

    title: str
    about: str
    closing: str
    minutes: int
    steps: Callable[[LessonFacts], Iterable[LessonStep | None]] = field(repr=False)

    def made(self, facts: LessonFacts) -> tuple[LessonStep, ...]:
        """The steps with what was counted filled in."""
        return tuple(step for step in self.steps(facts) if step is not None)
