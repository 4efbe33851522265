"""What the store answers, and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from explorer.core.findings import Outcome
from models.refusal import Refusal

if TYPE_CHECKING:  # the commands' help needs the refusals, and neither of these packages
    import numpy as np
    from numpy.typing import NDArray

    from explorer.cohorts.schema import Label
    from explorer.core.appearance_bands import Side


class StoreError(Refusal):
    """A question that has no answer: `title` says what happened, `detail` why and what to do.

    StoreError
    +-- ClosedStore     it was asked, or still being answered, when the program ended
    +-- SlowQuestion    it took longer than the store's limit
    +-- TooManyRows     more than an export holds
    """


class ClosedStore(StoreError):
    """A question that is asked, or still being answered, when the database closes."""


class SlowQuestion(StoreError):
    """A question that took longer than the store's limit."""


class TooManyRows(StoreError):
    """A slice of more pairs than an export holds."""


@dataclass(frozen=True, slots=True)
class Facets:
    """What can be chosen of a cohort and a model: each value with its films, in the order to show them.

    `findings` are those scored, with their scored films; `of_films` the values of the columns that films are filtered
    by, `appearances` those of how a finding looks; `label_sources` those who label a scored finding of a film. `score`
    is the least and the greatest, None where there is none.
    """

    version: str
    films: int
    findings: Mapping[str, int]
    of_films: Mapping[str, Mapping[str, int]]
    appearances: Mapping[str, Mapping[str, int]]
    label_sources: Mapping[str, int]
    score: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Count:
    """(film, finding) pairs of a slice, and the films that they are of."""

    pairs: int
    films: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A film of a slice with its worst pair there. `id` is opaque, `present` its findings labeled present.

    `chosen`: the threshold was, for its finding. `none_of_these`: it has labels, and every one is absent.
    """

    case: str
    id: str
    finding: str
    score: float
    threshold: float | None
    chosen: bool
    label: Label
    outcome: Outcome | None
    center: str
    view: str
    sex: str
    age: int | None
    root: str | None
    file: str | None
    present: tuple[str, ...]
    none_of_these: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs of a finding at a center. `unlabelled`: scored, but no outcome can be said.

    `positives` and `negatives` are those labeled present and absent, with a threshold or not.
    """

    finding: str
    center: str
    hits: int
    misses: int
    false_alarms: int
    correct_rejections: int
    unlabelled: int
    positives: int
    negatives: int


@dataclass(frozen=True, slots=True)
class ScoredAlike:
    """Of a cohort's films with a known label of a finding: those that score as high as one score, and those as low.

    Each count is (labeled present, labeled present or absent); a film with just that score is in both. `labeled` counts
    the films of every score.
    """

    as_high: tuple[int, int]
    as_low: tuple[int, int]
    labeled: tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One finding's pairs in a population, a row for each film in the order of the case names, each array (n,)."""

    case: NDArray[np.int32]  # the film's place among the cohort's case names
    label: NDArray[np.float64]  # 1 present, 0 absent, NaN neither
    score: NDArray[np.float32]
    threshold: NDArray[np.float64]  # NaN: none
    center: NDArray[np.object_]  # str
    patient: NDArray[np.object_]  # str, None where unknown
    weight: NDArray[np.float64]  # nature's share of the film; 1 where the cohort has no weights

    def at(self, center: str) -> Column:
        """The rows of one center."""
        here = self.center == center
        return Column(*(getattr(self, each.name)[here] for each in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """What a model says of every film of a cohort, a row for each in the order of the case names."""

    findings: tuple[str, ...]  # those scored
    label: NDArray[np.float64]  # (n, findings): 1 present, 0 absent, NaN neither
    score: NDArray[np.float32]  # (n, findings); NaN: not scored
    called: NDArray[np.int8]  # (n, findings): 1 called present, 0 not, -1 without a threshold


@dataclass(frozen=True, slots=True, eq=False)
class FilmFacts:
    """Where every film of a cohort is from, in the order of the case names, each array (n,)."""

    center: NDArray[np.object_]  # str
    patient: NDArray[np.object_]  # str, None where unknown
    weight: NDArray[np.float64]  # nature's share of the film; 1 where the cohort has no weights
    split: NDArray[np.object_]  # str, None where the film is in none


@dataclass(frozen=True, slots=True)
class Called:
    """How often a finding is called present among the misses of another one, and among all films.

    `misses` and `films` are those scored for the finding with a threshold.
    """

    finding: str
    called_in_misses: int
    misses: int
    called: int
    films: int


@dataclass(frozen=True, slots=True)
class SourcedLabel:
    """A label, who says so, and whether it counts where no source is asked for."""

    finding: str
    label: Label
    source: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class FindingScore:
    """What a model says of a finding on one film.

    `above` is how far the score lies above its threshold, or above what is usual where none was chosen: by it the worst
    come first, see `explorer.core.worst_first`. As exact as the store's tables keep it: what ties there must tie here.
    """

    model: str
    finding: str
    score: float
    threshold: float | None
    label: Label
    outcome: Outcome | None
    above: float


@dataclass(frozen=True, slots=True)
class Box:
    """Where a finding is, in fractions of the film's sides."""

    finding: str
    x: float
    y: float
    width: float
    height: float
    source: str


@dataclass(frozen=True, slots=True)
class Appearance:
    """How a finding that is present looks: severity from 0 to 1, area as a share of the film; None: not stated."""

    finding: str
    severity: float | None
    side: Side | None
    area: float | None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A film in a line; `present` and `none_of_these` as in `Ranked`."""

    case: str
    id: str
    center: str
    view: str
    sex: str
    age: int | None
    patient: str | None
    root: str | None
    file: str | None
    present: tuple[str, ...]
    none_of_these: bool


@dataclass(frozen=True, slots=True)
class Case:
    """Everything that a cohort holds of one film; `width` and `height` in pixels.

    `scores` are of every model but those whose files cannot be read: `left_out` says why, a sentence each. `same_study`
    are the first other films of the patient's study, such as its lateral.
    """

    case: str
    id: str
    center: str
    view: str
    sex: str
    age: int | None
    patient: str | None
    root: str | None
    file: str | None
    present: tuple[str, ...]
    none_of_these: bool
    study: str | None
    split: str | None
    width: int | None
    height: int | None
    labels: tuple[SourcedLabel, ...]
    scores: tuple[FindingScore, ...]
    boxes: tuple[Box, ...]
    appearances: tuple[Appearance, ...] = ()
    left_out: tuple[str, ...] = ()
    same_study: tuple[CaseLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Labels that cannot all be true. `normal`: `findings` beside Normal on one film; `sources`: the first says
    present, the second absent; `study`: present on the first film, absent on the second.
    """

    kind: Literal["normal", "sources", "study"]
    cases: tuple[str, ...]
    findings: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Feature vectors (n, d) of films, a row for each case."""

    cases: tuple[str, ...]
    vectors: NDArray[np.float32]
