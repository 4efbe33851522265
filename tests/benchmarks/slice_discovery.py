"""What slice discovery finds where the truth is known: `python -m tests.benchmarks.slice_discovery [--spectra]`.

Of the shipped cohort `phantom` the calls of a finding are shuffled among the films with it and among those without it:
the model then fails by chance alone. That is the null. Into it failures are planted, one at a time: a rare severity is
missed, a marker brings false alarms, the labels of one view at one center are noisy. Printed for each way to look: how
often the planted slice is the first row and among the ten first; Domino's precision at 10, the share of planted films
among the ten first of that listed slice which has most; slices called worse at q < 0.05 without any planted failure.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.analysis.slice_discovery.candidate_facets import Candidates, candidates
from explorer.analysis.slice_discovery.discovered_slices import (
    Counted,
    Source,
    cost_samples,
    counted,
    covering,
    proposals,
    ranked,
)
from explorer.analysis.slice_discovery.failure_cost import costs
from explorer.analysis.slice_discovery.film_clusters import CLUSTERS, clusters
from explorer.analysis.slice_discovery.finding_films import FAILURES, Booleans, FindingFilms
from explorer.core.arrays import Floats
from explorer.core.rates import Rate
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.store.slices import Slice
from explorer.store.store import Store

FINDINGS = ("Pleural Effusion", "Cardiomegaly", "Aortic Elongation", "Pneumothorax")
SEEDS, RESAMPLES, WORSE = range(20), 1000, 0.05
TEN = 10
COHORT = Slice("phantom", "phantom")


@dataclass(frozen=True)
class Made:
    """Films of a finding with the vectors of their embeddings and the candidates of their facets."""

    one: FindingFilms
    facets: Candidates
    vectors: Floats


@dataclass(frozen=True)
class Plant:
    """A failure: in the films of the planted slice this share of `failing` is misread."""

    name: str
    facets: tuple[tuple[str, object], ...]
    share: float
    failing: str


PLANTS = (
    Plant("rare severity", (("severity", "faint"),), 0.5, "miss"),
    Plant("severity at a center", (("severity", "faint"), ("center", "B")), 0.7, "miss"),
    Plant("spurious marker", (("also_present", "Support Devices"),), 0.3, "false alarm"),
    Plant("marker on one view", (("also_present", "Support Devices"), ("view", "AP")), 0.4, "false alarm"),
    Plant("noisy labels", (("view", "AP"), ("center", "B")), 0.15, "labels"),
)


def shuffled(one: FindingFilms, seed: int) -> FindingFilms:
    """The same films, with calls and scores dealt out anew among those with the finding and those without."""
    dice, order = np.random.default_rng([seed, 1]), np.arange(len(one.films))
    for rows in (one.rows(failure) for failure in FAILURES):
        order[rows] = dice.permutation(rows)
    return replace(one, called=one.called[order], scores=one.scores[order])


def planted(one: FindingFilms, inside: Booleans, plant: Plant, seed: int) -> FindingFilms:
    """The failure in the films inside."""
    struck = inside & (np.random.default_rng([seed, 2]).random(len(inside)) < plant.share)
    if plant.failing == "labels":
        return replace(one, present=np.where(struck, ~one.present, one.present))
    return replace(
        one, called=np.where(struck & (one.present == (plant.failing == "miss")), plant.failing != "miss", one.called)
    )


def facet_place(found: Candidates, wanted: Sequence[tuple[str, object]]) -> int | None:
    for place, facets in enumerate(found.facets):
        if sorted((each.field, str(each.value)) for each in facets) == sorted((a, str(b)) for a, b in wanted):
            return place
    return None


def by_halves(made: Made, one: FindingFilms, source: Source) -> tuple[Counted, ...]:
    sets = made.facets.inside if source == "facets" else clustered(made.vectors, one)
    found, _ = proposals(one, [(source, sets)])
    return ranked(counted(one, found, RESAMPLES, 0))


def clustered(vectors: Floats, one: FindingFilms) -> Booleans:
    found = clusters(vectors, one.present.astype(float), one.called.astype(float), one.looked)
    return np.stack([found.number == number for number in range(CLUSTERS)])


def on_all(made: Made, one: FindingFilms) -> tuple[list[tuple[Booleans, float]], list[bool]]:
    """The other way: chosen and counted on the same films, p adjusted over all looks. Films and adjusted p; whether
    each interval holds 0."""
    sets = made.facets.inside
    p, places, low, held = [], [], [], []
    for failure in FAILURES:
        rows, wrong = one.rows(failure), one.wrong()
        counts = sets[:, rows].sum(axis=1)
        wide = np.flatnonzero((counts >= 10) & (len(rows) - counts >= 10))
        known = costs(sets[wide][:, rows], wrong[rows], one.patients[rows])
        found = dict(covering(sets[wide][:, rows], wrong[rows], one.patients[rows]))
        samples = cost_samples(sets[wide[list(found)]][:, rows], wrong[rows], one.patients[rows], 300, 0)
        for at, end in found.items():
            places.append((len(p) + at, wide[at]))
            low.append(end)
        held += [bool(np.quantile(each, 0.025) <= 0) for each in samples.T]
        for at in range(len(wide)):
            n, hits = int(known.inside[at]), int(known.failed[at])
            p.append(more_often_p(Rate(hits, n), Rate(int(wrong[rows].sum()) - hits, len(rows) - n)))
    adjusted = benjamini_hochberg(np.array(p))
    order = np.argsort(-np.array(low), kind="stable")
    return [(sets[places[at][1]], float(adjusted[places[at][0]])) for at in order], held


def same(inside: Booleans, wanted: Booleans) -> bool:
    return int((inside & wanted).sum()) >= 0.8 * int((inside | wanted).sum())


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=len(SEEDS))
    seeds = range(parser.parse_args().seeds)
    store = Store()
    store.facets("phantom", "phantom")
    features = store.features("phantom", "phantom")
    place = {case: number for number, case in enumerate(store.patients("phantom"))}
    order = np.argsort([place[case] for case in features.cases])
    vectors = features.vectors[order].astype(np.float64)
    score: dict[tuple[str, str], list[float]] = defaultdict(list)
    for finding in FINDINGS:
        one = FindingFilms.of(store.column(COHORT, finding), finding)
        made = Made(one, candidates(store, COHORT, one), vectors[one.films])
        for seed in seeds:
            null = shuffled(one, seed)
            for source in ("facets", "embeddings"):
                rows = by_halves(made, null, source)
                score[f"null {source}", "worse"].append(sum(each.adjusted < WORSE for each in rows))
                score[f"null {source}", "covered"] += [
                    each.interval[0] <= 0 <= each.interval[1] for each in rows if each.interval
                ]
            every, held = on_all(made, null)
            score["null on all films", "covered"] += held
            score["null on all films", "worse"].append(sum(p < WORSE for _, p in every))
            for plant in PLANTS:
                at = facet_place(made.facets, plant.facets)
                if at is None:
                    continue
                wanted = made.facets.inside[at]
                bad = planted(null, wanted, plant, seed)
                for source in ("facets", "embeddings"):
                    rows = by_halves(made, bad, source)
                    note(
                        score,
                        f"{plant.name}: {source}",
                        [(each.proposal.inside, each.adjusted) for each in rows],
                        bad,
                        wanted,
                    )
                note(score, f"{plant.name}: facets on all films", on_all(made, bad)[0], bad, wanted)
    for (name, what), values in score.items():
        print(f"{name:45s} {what:22s} {np.mean(values):.3f}  of {len(values)}")
    return 0


def note(score, name, rows, bad: FindingFilms, wanted: Booleans) -> None:
    first = [same(inside, wanted) for inside, _ in rows[:TEN]]
    score[name, "first row"].append(bool(first[:1] == [True]))
    score[name, "among ten"].append(any(first))
    score[name, "among ten, q < 0.05"].append(
        any(p < WORSE and here for here, (_, p) in zip(first, rows, strict=False))
    )
    score[name, "touches, q < 0.05"].append(
        any(p < WORSE and (inside & wanted).sum() >= 0.5 * min(inside.sum(), wanted.sum()) for inside, p in rows[:TEN])
    )
    score[name, "precision at 10"].append(
        max((ten_first(bad, inside, wanted) for inside, _ in rows[:TEN]), default=0.0)
    )


def ten_first(bad: FindingFilms, inside: Booleans, wanted: Booleans) -> float:
    failed = np.flatnonzero(inside & bad.wrong())
    ten = failed[np.argsort(-np.abs(bad.scores[failed] - 0.5), kind="stable")][:TEN]
    return float(wanted[ten].sum() / TEN)


if __name__ == "__main__":
    sys.exit(main())
