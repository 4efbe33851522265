"""The numbers in the lessons, all counted on the simulated cohort when a lesson is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from explorer.analysis.performance.performance_table import FindingLine, count_table
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.schema import Unit
from explorer.core.figures import figure_text, rate_text
from explorer.core.findings import FINDINGS
from explorer.core.rates import Rate
from explorer.school.lessons.film_search import FilmSearch
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

TRAINED_FINDINGS = tuple(name for name, finding in FINDINGS.items() if finding.task == "seen" and name != "Normal")
LESSON_RECIPES = ("bce", "class-aware", "center-a")  # lab recipes, with seed 0
UNSEEN_FINDINGS = tuple(name for name, finding in FINDINGS.items() if finding.task == "unseen")


@dataclass(frozen=True, slots=True)
class ScoredCohort:
    """A model's scores of the simulated cohort, with a line of figures for each finding that has positives there."""

    cohort: Manifest
    model: ModelManifest
    lines: Mapping[str, FindingLine]

    @property
    def slice(self) -> Slice:
        return Slice(self.cohort.name, self.model.model)

    @property
    def name(self) -> str:
        return self.model.model

    def center(self, letter: str) -> str | None:
        """Return the cohort's name for the center of this letter; it may be "phantom A"."""
        known = (cell.center for line in self.lines.values() for cell in line.cells)
        return next((name for name in known if name.split()[-1] == letter), None)


class LessonFacts:
    """The figures on a simulated cohort, computed on demand; the store may have no such cohort.

    `classifier` and `text_model` are the named models, else the first of their kind; `recipes` are lab networks, by the
    keys in RECIPES. Each is None if the cohort lacks its scores. `search` finds films of the cohort.
    """

    def __init__(
        self, store: Store, cohort: Manifest | None, models: Sequence[ModelManifest], names: tuple[str, str]
    ) -> None:
        self._store, self._cohort, self._models, self._names = store, cohort, models, names
        self.search = None if cohort is None else FilmSearch(store, cohort.name)

    @cached_property
    def classifier(self) -> ScoredCohort | None:
        return self._scored(self._preferred("score", self._names[0]))

    @cached_property
    def text_model(self) -> ScoredCohort | None:
        return self._scored(self._preferred("margin", self._names[1]))

    @cached_property
    def recipes(self) -> Mapping[str, ScoredCohort | None]:
        named = {each.model: each for each in self._models}
        return {recipe: self._scored(named.get(f"lab-{recipe}-0")) for recipe in LESSON_RECIPES}

    @property
    def rarest(self) -> str:
        """The rarest finding in PadChest among those the classifier was trained on."""
        return min(self._trained_on, key=lambda name: FINDINGS[name].padchest_frontal or 0)

    @property
    def most_common(self) -> str:
        """The most common finding in PadChest among those the classifier was trained on."""
        return max(self._trained_on, key=lambda name: FINDINGS[name].padchest_frontal or 0)

    @property
    def widest_gap(self) -> FindingLine | None:
        """The finding whose sensitivity differs most between centers; None if no two centers can be compared."""
        lines = self.classifier.lines.values() if self.classifier else ()
        return max(filter(_gap, lines), key=_gap, default=None)

    @property
    def _trained_on(self) -> Sequence[str]:
        return [
            name for name in TRAINED_FINDINGS if self.classifier is None or name in self.classifier.lines
        ] or TRAINED_FINDINGS

    def _preferred(self, unit: Unit, wanted: str) -> ModelManifest | None:
        """Return the page's model for simulated films, else the first; lab networks are for comparison only."""
        there = [each for each in self._models if each.unit == unit]
        return next((each for each in there if each.model == wanted), there[0] if there else None)

    def _scored(self, model: ModelManifest | None) -> ScoredCohort | None:
        if model is None or self._cohort is None:
            return None
        try:
            lines = count_table(self._store, Slice(self._cohort.name, model.model)).lines
        except Refusal:
            return None
        return ScoredCohort(self._cohort, model, {line.finding: line for line in lines if line.pooled.sensitivity.n})


def lesson_facts(store: Store, classifier: str, text_model: str) -> LessonFacts:
    """Return the figures on the first simulated cohort with scores, preferably of the two named models."""
    try:
        cohort, models = next(simulated_cohorts(store), (None, ()))
    except Refusal:
        cohort, models = None, ()
    return LessonFacts(store, cohort, models, (classifier, text_model))


def simulated_cohorts(store: Store) -> Iterator[tuple[Manifest, Sequence[ModelManifest]]]:
    """Yield the simulated cohorts that a model has scored, each with those models. Raises StoreError and NoCohort."""
    for cohort in store.cohorts():
        if cohort.simulated and (models := store.models(cohort.name)):
            yield cohort, models


def figure_words(value: float, interval: tuple[float, float] | None) -> str:
    """Return a figure from 0 to 1 with its 95 % interval, in the page's notation."""
    return figure_text(value, *(interval or ()), digits=2) + ("" if interval else " without an interval")


def counts_and_rate(rate: Rate) -> str:
    """Return a rate with its counts: 10 of 24: 0.42 [0.24\N{EN DASH}0.61]."""
    return f"{rate.hits:,} of {rate.n:,}: {rate_text(rate)}"


def center_words(name: str) -> str:
    """Return a center's name for use in a sentence; it may be "A" or "phantom A"."""
    return name if " " in name else f"center {name}"


def intervals_apart(one: Rate, other: Rate) -> bool:
    """Return whether two intervals do not overlap."""
    if one.interval is None or other.interval is None:
        return False
    return one.interval[0] > other.interval[1] or other.interval[0] > one.interval[1]


def _gap(line: FindingLine) -> float:
    return line.gap.value if line.gap else 0.0
