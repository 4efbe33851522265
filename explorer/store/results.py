"""The store's results and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

from explorer.core.findings import Outcome
from explorer.core.rates import PatientSums
from models.refusal import Refusal

if TYPE_CHECKING:  # command help needs the refusals, but neither of these packages
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from explorer.cohorts.schema import Label
    from explorer.core.appearance_bands import Side


class StoreError(Refusal):
    """A query without an answer: `title` says what happened, `detail` why and what to do.

    StoreError
    +-- ClosedStore     the program ended before or during the query
    +-- DamagedFile     a prepared file cannot be read; it is made anew
    +-- SlowQuestion    it took longer than the store's limit
    +-- TooManyRows     more than an export can hold
    """


class ClosedStore(StoreError):
    """A query before or during which the database was closed."""


class DamagedFile(StoreError):
    """A prepared file that cannot be read."""


class SlowQuestion(StoreError):
    """A query that took longer than the store's limit."""


class TooManyRows(StoreError):
    """A slice with more pairs than an export can hold."""


def no_room(place: Path) -> StoreError:
    """Return the refusal of a query whose tables do not fit on the disk."""
    return StoreError(
        "There is no room on the disk to prepare this cohort",
        f"Free some in {place.name} or beside it; deleting {place.name} itself loses nothing. Then ask again.",
    )


@dataclass(frozen=True, slots=True)
class Facets:
    """The choices for a cohort and a model: each value with its number of films, in display order.

    `findings` are the scored ones, with their scored films; `of_films` are the values of the columns by which films are
    filtered, `appearances` those that describe how findings look; `label_sources` are the sources that label a scored
    finding of a film, `uncertain` the uncertain labels by source ("": those that count), without zeros. `score` is the
    lowest and the highest score, None without scores. `several`: studies that have more than one film.
    """

    version: str
    films: int
    findings: Mapping[str, int]
    of_films: Mapping[str, Mapping[str, int]]
    appearances: Mapping[str, Mapping[str, int]]
    label_sources: Mapping[str, int]
    score: tuple[float, float] | None
    several: int = 0
    uncertain: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Count:
    """The (film, finding) pairs of a slice, and their films."""

    pairs: int
    films: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """A film of a slice with its worst pair there. `id` is opaque, `present` lists findings labeled present.

    `chosen`: the threshold was chosen for its finding. `none_of_these`: it has labels, and all are absent.
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
    """Pairs of a finding at a center. `unlabelled`: scored, but without an outcome.

    `positives` and `negatives` are those labeled present and absent, with or without a threshold.
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
    """Films with a known label of a finding, counted if they score at least, or at most, as high as one score.

    Hits are labeled present, the rest absent; a film with exactly that score counts in both. `labeled` counts films
    with any score.
    """

    as_high: PatientSums
    as_low: PatientSums
    labeled: PatientSums


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One finding's pairs in a population, one row per film sorted by case name, arrays (n,)."""

    case: NDArray[np.int32]  # the film's rank among the cohort's case names
    label: NDArray[np.float64]  # 1 present, 0 absent, NaN neither
    score: NDArray[np.float32]
    threshold: NDArray[np.float64]  # NaN: none
    center: NDArray[np.object_]  # str
    patient: NDArray[np.object_]  # str, None where unknown
    weight: NDArray[np.float64]  # to restore natural prevalence; 1 if the cohort has no weights

    def at(self, center: str) -> Column:
        """Return the rows of one center."""
        here = self.center == center
        return Column(*(getattr(self, each.name)[here] for each in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A model's results on every film of a cohort, one row per film sorted by case name."""

    findings: tuple[str, ...]  # scored ones
    label: NDArray[np.float64]  # (n, findings): 1 present, 0 absent, NaN neither
    score: NDArray[np.float32]  # (n, findings); NaN: not scored
    called: NDArray[np.int8]  # (n, findings): 1 called present, 0 not, -1 without a threshold


@dataclass(frozen=True, slots=True, eq=False)
class FilmFacts:
    """The origin of every film of a cohort, sorted by case name, arrays (n,)."""

    center: NDArray[np.object_]  # str
    patient: NDArray[np.object_]  # str, None where unknown
    weight: NDArray[np.float64]  # to restore natural prevalence; 1 if the cohort has no weights
    split: NDArray[np.object_]  # str, None if the film has none


@dataclass(frozen=True, slots=True)
class Called:
    """How often a finding is called present among the misses of another one, and on other films.

    `rest` are the other films; films without a score or a threshold for the finding are left out everywhere.
    """

    finding: str
    misses: PatientSums
    rest: PatientSums
    films: PatientSums


@dataclass(frozen=True, slots=True)
class SourcedLabel:
    """A label, its source, and whether it counts by default."""

    finding: str
    label: Label
    source: str
    counts: bool = True


@dataclass(frozen=True, slots=True)
class FindingScore:
    """A model's score of a finding on one film.

    `above` is the distance above the threshold, or above the usual score if no threshold was chosen; it sorts the worst
    first, see `explorer.core.worst_first`. It has the precision of the store's tables, so that ties agree.
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
    """The location of a finding, in fractions of the film's sides."""

    finding: str
    x: float
    y: float
    width: float
    height: float
    source: str


@dataclass(frozen=True, slots=True)
class Appearance:
    """The appearance of a present finding: severity from 0 to 1, area as a share of the film; None: not stated."""

    finding: str
    severity: float | None
    side: Side | None
    area: float | None


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A film's summary; `present` and `none_of_these` as in `Ranked`."""

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
    """Everything that a cohort stores about one film; `width` and `height` in pixels.

    `scores` are those of every readable model; `left_out` has a sentence for each of the others. `same_study` are
    other films of the patient's study, such as the lateral.
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
    """Labels that contradict one another. `normal`: Normal and `findings` on the same film; `sources`: present
    according to the first, absent according to the second; `study`: present on the first film, absent on the second.
    """

    kind: Literal["normal", "sources", "study"]
    cases: tuple[str, ...]
    findings: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Feature vectors (n, d) of films, one row per case."""

    cases: tuple[str, ...]
    vectors: NDArray[np.float32]
