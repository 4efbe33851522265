"""A phantom model's rate of misses for each finding at a center, counted on a simulated cohort."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.performance.performance_table import count_table
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.school.lessons.counted import simulated_cohorts
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class MissRates:
    """Miss rates by finding, over one center's films with it; `origin` relates them to the model's training."""

    cohort: Manifest
    model: ModelManifest
    center: str
    findings: Mapping[str, Rate]

    @property
    def origin(self) -> Origin | None:
        found = (origin for name, origin in self.model.origins.items() if name.split()[-1] == self.center)
        return next(found, None)


def miss_rates(store: Store, name: str, sha256: str | None, center: str) -> MissRates | None:
    """The misses of exactly these weights at center A or B; None if they have scored no simulated cohort."""
    try:
        found = scored_cohort(store, name, sha256)
        if found is None:
            return None
        cohort, model = found
        lines = count_table(store, Slice(cohort.name, model.model)).lines
    except Refusal:
        return None
    rates = {
        line.finding: cell.sensitivity.rest
        for line in lines
        for cell in line.cells
        if cell.center.split()[-1] == center  # a center may be named "phantom A"
    }
    return MissRates(cohort, model, center, rates)


def scored_cohort(store: Store, name: str, sha256: str | None) -> tuple[Manifest, ModelManifest] | None:
    """The first simulated cohort that these weights have scored. Raises StoreError and NoCohort like the store."""
    found = ((cohort, model) for cohort, models in simulated_cohorts(store) for model in models)
    return next((each for each in found if (each[1].model, each[1].sha256) == (name, sha256)), None)
