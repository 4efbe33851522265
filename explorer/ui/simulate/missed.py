"""How often a phantom model misses a finding at a center, counted on the simulated cohort that it has scored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.analysis.performance.performance_table import counted
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.in_sample import Origin
from explorer.core.rates import Rate
from explorer.school.lessons.counted import simulated_cohorts
from explorer.store.slices import Slice
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class Missed:
    """Misses of the films of one center with the finding, by finding; `origin`: of these films for the model."""

    cohort: Manifest
    model: ModelManifest
    center: str
    findings: Mapping[str, Rate]

    @property
    def origin(self) -> Origin | None:
        found = (origin for name, origin in self.model.origins.items() if name.split()[-1] == self.center)
        return next(found, None)


def missed(store: Store, name: str, sha256: str | None, center: str) -> Missed | None:
    """The misses of the very same weights at center A or B; None where they have scored no simulated cohort."""
    try:
        found = scored_cohort(store, name, sha256)
        if found is None:
            return None
        cohort, model = found
        lines = counted(store, Slice(cohort.name, model.model)).lines
    except Refusal:
        return None
    rates = {
        line.finding: cell.sensitivity.rest
        for line in lines
        for cell in line.cells
        if cell.center.split()[-1] == center  # it may be called "phantom A"
    }
    return Missed(cohort, model, center, rates)


def scored_cohort(store: Store, name: str, sha256: str | None) -> tuple[Manifest, ModelManifest] | None:
    """The first simulated cohort with scores of these weights. Raises StoreError and NoCohort as the store does."""
    found = ((cohort, model) for cohort, models in simulated_cohorts(store) for model in models)
    return next((each for each in found if (each[1].model, each[1].sha256) == (name, sha256)), None)
