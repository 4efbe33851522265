"""Do the words of a cluster name what its films fail by? `python -m tests.benchmarks.cluster_words [--spectra]`.

Failures are planted as in `slice_discovery.py`. The films of the planted slice, of which three in ten are exchanged for
others, stand for a cluster that holds it nearly: do the words name all facets of the slice, one of them, or others? As
many films at random stand for one without a cause. Then the clusters that are called worse, of which most of the ten
most certain films are planted: how often their words name a planted facet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from explorer.analysis.slice_discovery.cluster_words import OverrepresentedFacet, overrepresented_facets
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS, Failure, FindingFilms
from models.array_types import Bools
from tests.benchmarks.slice_discovery import (
    PLANTS,
    TEN,
    WORSE,
    Ground,
    Plant,
    Scores,
    grounds,
    precision_at_10,
    run,
    shuffled,
    with_failure,
)

OTHERS, SURE = 0.3, 0.5


def words(
    ground: Ground, bad: FindingFilms, inside: Bools, failure: Failure, *, detail: bool
) -> tuple[OverrepresentedFacet, ...]:
    """What a cluster of these films is called, as the page does; `detail`: of spectra."""
    rows = bad.rows(failure)
    known = ((facet, has[rows]) for facet, has in ground.single if detail or facet.field != "detail")
    return overrepresented_facets(inside[rows], known)


def named(plant: Plant, marks: Sequence[OverrepresentedFacet]) -> list[bool]:
    """Which facets of a planted slice the words name."""
    said = {(each.facet.field, str(each.facet.value)) for each in marks}
    if not plant.facets:
        return [any(field == "detail" for field, _ in said)]
    return [(field, str(value)) in said for field, value in plant.facets.items()]


def blurred(inside: Bools, rows: np.ndarray, dice: np.random.Generator) -> Bools:
    """The films inside, three in ten of those among `rows` exchanged for others of them."""
    there, others = rows[inside[rows]], rows[~inside[rows]]
    count = min(round(OTHERS * len(there)), len(others))
    found = np.zeros(len(inside), dtype=np.bool_)
    found[dice.permutation(there)[: len(there) - count]] = True
    found[dice.permutation(others)[:count]] = True
    return found


def note(scores: Scores, ground: Ground, plant: Plant, wanted: Bools, seed: int) -> None:
    """Of the planted slice itself, and of as many films at random."""
    dice = np.random.default_rng([seed, 3])
    for failure in [each for each in FAILURE_KINDS if plant.failing in (each, "labels")]:
        rows = ground.one.rows(failure)
        near = blurred(wanted, rows, dice)
        marks = words(ground, ground.one, near, failure, detail=not plant.facets)
        those = named(plant, marks)
        scores[plant.name, "all of its facets named"].append(float(all(those)))
        scores[plant.name, "one of them named"].append(float(any(those)))
        scores[plant.name, "words that are not its facets"].append(len(marks) - sum(those))
        chance = np.zeros(len(near), dtype=np.bool_)
        chance[dice.permutation(rows)[: int(near.sum())]] = True
        random = words(ground, ground.one, chance, failure, detail=not plant.facets)
        scores[plant.name, "films at random: words"].append(len(random))


def measured(spectra: bool, findings: Sequence[str], seeds: range) -> Scores:
    scores: Scores = defaultdict(list)
    for ground in grounds(spectra, findings):
        for seed in seeds:
            null = shuffled(ground.one, seed)
            for plant in PLANTS:
                wanted = ground.planted(plant)
                if wanted is None:
                    continue
                note(scores, ground, plant, wanted, seed)
                bad = with_failure(null, wanted, plant, seed)
                for source in ground.points:
                    for row in ground.look(bad, source)[:TEN]:
                        if row.adjusted < WORSE and precision_at_10(row, wanted) > SURE:
                            marks = words(ground, bad, row.inside, row.failure, detail=source == "spectra")
                            those = named(plant, marks)
                            scores[plant.name, f"{source}: one of them named"].append(float(any(those)))
    return scores


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each name and figure."""
    return run(measured, __doc__, words)


if __name__ == "__main__":
    raise SystemExit(main())
