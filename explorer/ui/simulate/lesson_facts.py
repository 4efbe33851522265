"""The numbers in the lessons: none is written down, all are counted on the simulated cohort when a lesson is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.performance_table import Cell, FindingLine, counted
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.schema import Unit
from explorer.core.findings import FINDINGS
from explorer.core.rates import Rate
from explorer.reading.model_routing import ByProvenance
from explorer.settings import CLASSIFIERS, VLMS
from explorer.store.slices import Slice
from explorer.ui.simulate.missed import simulated_cohorts
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

SEEN = tuple(name for name, finding in FINDINGS.items() if finding.task == "seen" and name != "Normal")
RECIPES = ("bce", "class-aware", "center-a")  # of the lab, with seed 0
UNSEEN = tuple(name for name, finding in FINDINGS.items() if finding.task == "unseen")


@dataclass(frozen=True, slots=True)
class ScoredCohort:
    """A model on the simulated cohort: what it was counted on, and a line for each finding that has positives there."""

    cohort: Manifest
    model: ModelManifest
    lines: Mapping[str, FindingLine]

    @property
    def slice(self) -> Slice:
        return Slice(self.cohort.name, self.model.model)


@dataclass(frozen=True, slots=True)
class LessonFacts:
    """Those of the classifier, of the image-text model, and of networks of the lab by their RECIPES.

    None where no simulated cohort has their scores.
    """

    classifier: ScoredCohort | None
    text_model: ScoredCohort | None
    recipes: Mapping[str, ScoredCohort | None]

    @property
    def rarest(self) -> str:
        """The finding that the fewest films of PadChest have, of those that the classifier was taught."""
        taught = [name for name in SEEN if self.classifier is None or name in self.classifier.lines]
        return min(taught or SEEN, key=lambda name: FINDINGS[name].padchest_frontal or 0)

    @property
    def widest(self) -> FindingLine | None:
        """The finding whose sensitivity differs most between centers; None where there are no two to compare."""
        lines = self.classifier.lines.values() if self.classifier else ()
        return max(filter(_gap, lines), key=_gap, default=None)

    @property
    def surest(self) -> str | None:
        """The local finding that the classifier misses least: one with a map to look at."""
        lines = self.classifier.lines if self.classifier else {}
        rated = [(line.pooled.sensitivity.value or 0, name) for name, line in lines.items() if name in LOCAL]
        return max(rated)[1] if rated else None


# Findings whose place is small beside the film, so that a share of the heat inside says something.
LOCAL = frozenset({"Pleural Effusion", "Mass", "Alveolar Pattern", "Atelectasis", "Pneumothorax", "Nodule", "Hernia"})


def facts(store: Store) -> LessonFacts:
    """What is counted on the first simulated cohort that has scores."""
    try:
        for cohort, models in simulated_cohorts(store):
            of = [_main_model(models, *asked) for asked in (("score", CLASSIFIERS), ("margin", VLMS))]
            named = {each.model: each for each in models}
            recipes = [named.get(f"lab-{recipe}-0") for recipe in RECIPES]
            classifier, text_model, *others = (_scored(store, cohort, model) for model in (*of, *recipes))
            return LessonFacts(classifier, text_model, dict(zip(RECIPES, others, strict=True)))
    except Refusal:
        pass
    return LessonFacts(None, None, dict.fromkeys(RECIPES))


def _main_model(models: Sequence[ModelManifest], unit: Unit, read_by: ByProvenance[str]) -> ModelManifest | None:
    """The one that the page reads simulated films with, else the first; the lab's are there to be compared."""
    there = [each for each in models if each.unit == unit]
    return next((each for each in there if each.model == read_by.simulated), there[0] if there else None)


def _scored(store: Store, cohort: Manifest, model: ModelManifest | None) -> ScoredCohort | None:
    if model is None:
        return None
    lines = counted(store, Slice(cohort.name, model.model)).lines
    return ScoredCohort(cohort, model, {line.finding: line for line in lines if line.pooled.sensitivity.n})


def rate_words(rate: Rate) -> str:
    """A rate as the page writes it: 0.39 [0.24-0.56]."""
    if rate.value is None or rate.interval is None:
        return "no films"
    low, high = rate.interval
    return f"{rate.value:.2f} [{low:.2f}\N{EN DASH}{high:.2f}]"


def missed_words(cell: Cell) -> str:
    """How many of the films with the finding were missed."""
    missed = cell.sensitivity.rest
    return f"missed {missed.hits:,} of {missed.n:,} films with {cell.finding}: {rate_words(missed)}"


def apart(one: Rate, other: Rate) -> bool:
    """Whether two intervals have nothing in common."""
    if one.interval is None or other.interval is None:
        return False
    return one.interval[0] > other.interval[1] or other.interval[0] > one.interval[1]


def _gap(line: FindingLine) -> float:
    return line.gap.value if line.gap else 0.0
