"""What slice discovery finds where the truth is known: `python -m tests.benchmarks.slice_discovery [--spectra]`.

Of the shipped cohort `phantom` the calls of a finding are dealt out anew among the films with it and among those
without it: the model then fails by chance alone. Into that null failures are planted, one at a time: a rare severity is
missed, a marker brings false alarms, the labels of one view at one center are noisy; with `--spectra`, which reads all
films, those at one end of their spectra are missed too. Printed for each way to look: how often the planted slice is
the first row, and among the ten first, with adjusted p below 0.05; precision at 10, the share of planted films among
the ten first of that listed slice which has most; how many words that were not planted the first row has, where that
is worse and of facets; of the null, slices called worse, and how often the interval of the cost reaches down to 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.analysis.slice_discovery.candidate_facets import Facet, FacetCandidates, facet_candidates, open_facets
from explorer.analysis.slice_discovery.cluster_candidates import FilmPoints, cluster_candidates, embedding_points
from explorer.analysis.slice_discovery.discovered_slices import (
    MAX_SLICES,
    CandidateSource,
    cost_samples,
    count_slices,
    cover_costs,
    propose_slices,
    rank_slices,
)
from explorer.analysis.slice_discovery.failure_cost import slice_costs
from explorer.analysis.slice_discovery.film_clusters import ERROR_WEIGHT
from explorer.analysis.slice_discovery.film_spectra import film_spectra
from explorer.analysis.slice_discovery.finding_films import FAILURE_KINDS, Failure, FindingFilms
from explorer.cohorts.images import Images
from explorer.cohorts.layout import cohort_folder
from explorer.core.arrays import Floats
from explorer.core.rates import Rate
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.array_types import Bools
from tests.benchmarks.command_line import command, report

FINDINGS = ("Pleural Effusion", "Cardiomegaly", "Aortic Elongation", "Pneumothorax")
COHORT = Slice("phantom", "phantom")
RESAMPLES, WORSE, TEN, END = 1000, 0.05, 10, 0.15
Scores = defaultdict[tuple[str, str], list[float]]


@dataclass(frozen=True)
class Plant:
    """This share of the films in the slice that `facets` name, or at one end of the spectra, is misread."""

    name: str
    facets: Mapping[str, object]
    share: float
    failing: str


PLANTS = (
    Plant("rare severity", {"severity": "faint"}, 0.5, "miss"),
    Plant("severity at a center", {"severity": "faint", "center": "B"}, 0.7, "miss"),
    Plant("spurious marker", {"also_present": "Support Devices"}, 0.3, "false alarm"),
    Plant("marker on one view", {"also_present": "Support Devices", "view": "AP"}, 0.4, "false alarm"),
    Plant("noisy labels", {"view": "AP", "center": "B"}, 0.15, "labels"),
    Plant("one sex", {"sex": "F"}, 0.35, "miss"),
    Plant("an end of the spectra", {}, 0.5, "miss"),
)


@dataclass(frozen=True)
class Listed:
    """A slice as it is listed: its failure, its films, with how certainly each is of it, its adjusted p, its words."""

    failure: Failure
    inside: Bools
    certainty: Floats
    adjusted: float
    covers: bool  # its interval holds 0
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True)
class Ground:
    """A finding's films, and what is looked by: facets and points of films. `single`: words of clusters."""

    one: FindingFilms
    facets: FacetCandidates
    points: Mapping[CandidateSource, FilmPoints]
    end: Bools
    single: tuple[tuple[Facet, Bools], ...]

    def planted(self, plant: Plant) -> Bools | None:
        """The films of the planted slice; None where there is none such."""
        if not plant.facets:
            return self.end if "spectra" in self.points else None
        for facets, inside in zip(self.facets.facets, self.facets.inside, strict=True):
            if {each.field: str(each.value) for each in facets} == {key: str(v) for key, v in plant.facets.items()}:
                return inside
        return None

    def look(self, bad: FindingFilms, source: CandidateSource) -> list[Listed]:
        """What is listed of the films with a failure in them."""
        if source == "facets":
            sets, certainty = self.facets.inside, np.ones(len(bad.films))
        else:
            weigh = 0.0 if source == "spectra" else ERROR_WEIGHT
            found = cluster_candidates(bad, self.points[source], weigh=weigh)
            sets, certainty = found.inside, found.certainty
        rows = rank_slices(count_slices(bad, propose_slices(bad, [(source, sets)])[0], RESAMPLES, 0))
        return [
            Listed(
                row.proposal.failure,
                row.proposal.inside,
                certainty,
                row.adjusted,
                row.interval is None or row.interval[0] <= 0,
                self.facets.facets[row.proposal.place] if source == "facets" else (),
            )
            for row in rows
        ]

    def on_all_films(self, bad: FindingFilms) -> list[Listed]:
        """The other way: chosen and counted on the same films, p adjusted over all looks."""
        sets, rows, p = self.facets.inside, [], []
        for failure in FAILURE_KINDS:
            films, wrong = bad.rows(failure), bad.wrong()
            inside = sets[:, films]
            wide = np.flatnonzero((inside.sum(axis=1) >= TEN) & (len(films) - inside.sum(axis=1) >= TEN))
            known = slice_costs(inside[wide], wrong[films], bad.patients[films])
            for place, low in cover_costs(inside[wide], wrong[films], bad.patients[films], MAX_SLICES):
                samples = cost_samples(inside[wide[[place]]], wrong[films], bad.patients[films], RESAMPLES, 0)
                end = percentile_interval(samples[:, 0], len(films))[0]
                rows.append((low, wide[place], len(p) + place, bool(end <= 0), failure))
            for n, hits in zip(known.inside.tolist(), known.failed.tolist(), strict=True):
                p.append(more_often_p(Rate(hits, n), Rate(int(wrong[films].sum()) - hits, len(films) - n)))
        adjusted, ones = benjamini_hochberg(np.array(p)), np.ones(len(bad.films))
        rows.sort(key=lambda row: -row[0])
        return [Listed(kind, sets[place], ones, float(adjusted[at]), holds) for _, place, at, holds, kind in rows]


def grounds(spectra: bool, findings: Sequence[str]) -> Iterator[Ground]:
    store = Store()
    points: dict[CandidateSource, FilmPoints] = {"embeddings": embedding_points(store, COHORT.cohort, COHORT.model)}
    first = np.zeros(len(store.film_facts(COHORT.cohort).center))
    if spectra:
        points["spectra"] = film_spectra(store, Images(), cohort_folder(COHORT.cohort))
        first = points["spectra"].points[:, 0]
    for finding in findings:
        one = FindingFilms.of(store.column(COHORT, finding), finding)
        end = first[one.films] >= np.quantile(first[one.films], 1 - END)
        single = [*open_facets(store, COHORT, one)]
        for each in points.values():
            single += [(facet, has[one.films]) for facet, has in each.traits]
        yield Ground(one, facet_candidates(store, COHORT, one), points, np.asarray(end), tuple(single))


def shuffled(one: FindingFilms, seed: int) -> FindingFilms:
    """The same films, with calls dealt out anew among those with the finding, and among those without."""
    dice, order = np.random.default_rng([seed, 1]), np.arange(len(one.films))
    for rows in (one.rows(failure) for failure in FAILURE_KINDS):
        order[rows] = dice.permutation(rows)
    return replace(one, called=one.called[order])


def with_failure(one: FindingFilms, inside: Bools, plant: Plant, seed: int) -> FindingFilms:
    """The failure in the films inside."""
    struck = inside & (np.random.default_rng([seed, 2]).random(len(inside)) < plant.share)
    if plant.failing == "labels":
        return replace(one, present=one.present ^ struck)
    missed = plant.failing == "miss"
    return replace(one, called=np.where(struck & (one.present == missed), not missed, one.called))


def note(scores: Scores, name: str, rows: Sequence[Listed], wanted: Bools, plant: Plant) -> None:
    first = rows[:TEN]
    if first and first[0].facets and first[0].adjusted < WORSE:
        words = [each for each in first[0].facets if str(plant.facets.get(each.field)) != str(each.value)]
        scores[name, "words that were not planted"].append(len(words))
    named = [bool((row.inside & wanted).sum() >= 0.8 * (row.inside | wanted).sum()) for row in first]
    sure = [row.adjusted < WORSE for row in first]
    scores[name, "is the first row"].append(named[:1] == [True])
    scores[name, "is among ten, q < 0.05"].append(any(map(min, named, sure)))
    scores[name, "precision at 10"].append(max((precision_at_10(row, wanted) for row in first), default=0.0))


def precision_at_10(row: Listed, wanted: Bools) -> float:
    """Of equally certain films, as all of a facet are, any ten: the share of all of them."""
    films = np.flatnonzero(row.inside)
    last = np.sort(row.certainty[films])[::-1][: min(TEN, len(films))][-1]
    sure, tied = films[row.certainty[films] > last], films[row.certainty[films] == last]
    return float((wanted[sure].sum() + (TEN - len(sure)) * wanted[tied].mean()) / TEN)


def note_null(scores: Scores, name: str, rows: Sequence[Listed]) -> None:
    scores[name, "slices called worse"].append(sum(row.adjusted < WORSE for row in rows))
    scores[name, "intervals down to 0"] += [float(row.covers) for row in rows]


def measured(spectra: bool, findings: Sequence[str], seeds: range) -> Scores:
    scores: Scores = defaultdict(list)
    for ground in grounds(spectra, findings):
        sources: tuple[CandidateSource, ...] = ("facets", *ground.points)
        for seed in seeds:
            null = shuffled(ground.one, seed)
            for source in sources:
                note_null(scores, f"null: {source}", ground.look(null, source))
            note_null(scores, "null: facets on all films", ground.on_all_films(null))
            for plant in PLANTS:
                wanted = ground.planted(plant)
                if wanted is None:
                    continue
                bad = with_failure(null, wanted, plant, seed)
                for source in sources:
                    note(scores, f"{plant.name}: {source}", ground.look(bad, source), wanted, plant)
                note(scores, f"{plant.name}: facets on all films", ground.on_all_films(bad), wanted, plant)
    return scores


def means(scores: Scores) -> Iterator[str]:
    """Yield a line for each name and figure."""
    for (name, what), values in scores.items():
        mean = f"{np.mean(values):.2f}" if values else "none"
        yield f"{name:42s} {what:34s} {mean}  of {len(values)}"


def run(
    measured: Callable[[bool, Sequence[str], range], Scores], about: str | None, words: Sequence[str] | None
) -> int:
    """Measure as the command line asks and print the means."""
    parser = command(about)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--spectra", action="store_true", help="read all films: minutes, the first time")
    asked = parser.parse_args(words)
    findings, seeds = (FINDINGS[:1], 1) if asked.small else (FINDINGS, asked.seeds)
    return report(means(measured(asked.spectra, findings, range(seeds))), asked)


def main(words: Sequence[str] | None = None) -> int:
    """Print a line for each name and figure."""
    return run(measured, __doc__, words)


if __name__ == "__main__":
    raise SystemExit(main())
