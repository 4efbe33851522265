"""How often 95 % intervals of rates hold the truth, and how wide they are: `python -m tests.benchmarks.rate_intervals`.

Films are simulated as in NIH: patients have as many films as those of nih-oof, from 100 films on one has 66, and a
patient's rate is drawn from a beta distribution whose intraclass correlation is 0, 0.2 or 0.5. `--draws` sets how many
times each cell is drawn. 200 random cells of nih-oof, of 30 films or more, are then compared with the bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.special import betaincinv, expit, logit

from explorer.cohorts.layout import shipped_with
from explorer.core.arrays import Floats
from explorer.metrics import sensitivity, specificity
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.clustered_rates import NORMAL_95, RateSums, clustered_rate, wilson_bounds
from explorer.metrics.patient_ids import patient_numbers
from explorer.store.results import Column
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.command_line import command

SIZES = (5, 10, 30, 100, 300, 1000)  # films
RATES = (0.005, 0.05, 0.2, 0.5, 0.8, 0.95, 0.995)
CORRELATIONS = (0.0, 0.2, 0.5)
LARGEST = 66  # films of one patient
COHORT, MODEL, CELLS, FEWEST = "nih-oof", "nih-mini", 200, 30
CLEAR_PATIENTS = 60  # as many patients of equal size would be as informative

Limits = Callable[[Floats, Floats], tuple[Floats, Floats]]  # rates, numbers of independent films -> low, high


def clopper_pearson(rate: Floats, films: Floats) -> tuple[Floats, Floats]:
    hits = rate * films
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1e-9), films - hits + 1, 0.025), 0)
    return low, np.where(hits < films, betaincinv(hits + 1, np.maximum(films - hits, 1e-9), 0.975), 1)


def agresti_coull(rate: Floats, films: Floats) -> tuple[Floats, Floats]:
    more = films + NORMAL_95**2
    center = (rate * films + NORMAL_95**2 / 2) / more
    half = NORMAL_95 * np.sqrt(center * (1 - center) / more)
    return np.maximum(0, center - half), np.minimum(1, center + half)


def logit_limits(rate: Floats, films: Floats) -> tuple[Floats, Floats]:
    with np.errstate(divide="ignore", invalid="ignore"):
        half = NORMAL_95 / np.sqrt(films * rate * (1 - rate))
        return expit(logit(rate) - half), expit(logit(rate) + half)


METHODS: dict[str, tuple[Limits, bool]] = {  # its limits, and whether films of one patient count together
    "Wilson, films independent": (wilson_bounds, False),
    "Wilson": (wilson_bounds, True),
    "Agresti-Coull": (agresti_coull, True),
    "Clopper-Pearson": (clopper_pearson, True),
    "logit": (logit_limits, True),
}


def patient_sizes() -> NDArray[np.int64]:
    """How many films each patient of nih-oof has, the largest left out."""
    (folder,) = (each for each in shipped_with(MODEL) if each.name == COHORT)
    sizes = np.array(pq.read_table(folder.cases, columns=["patient"])["patient"].value_counts().field("counts"))
    return sizes[sizes < LARGEST]


def simulated(
    dice: np.random.Generator, sizes: NDArray[np.int64], films: int, rate: float, correlation: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Films and hits of each patient of one cell."""
    drawn = np.minimum(dice.choice(sizes, films), max(1, films // 3))
    if films >= 100:
        drawn[0] = min(LARGEST, films // 3)
    drawn = np.diff(np.minimum(np.cumsum(drawn), films), prepend=0)
    drawn = drawn[drawn > 0]
    spread = (1 - correlation) / correlation if correlation else 0
    own = dice.beta(rate * spread, (1 - rate) * spread, len(drawn)) if spread else np.full(len(drawn), rate)
    return drawn, dice.binomial(drawn, own)


def sums_of(films: NDArray[np.int64], hits: NDArray[np.int64]) -> RateSums:
    """One rate's sums, of each patient's films and hits."""
    counts = np.stack([hits, films - hits], axis=1)
    products = (counts.T @ counts).astype(np.float64).reshape(1, 2, 1, 2)
    return RateSums(counts.sum(axis=0, keepdims=True), products, np.array([len(films)]))


def coverage(films: int, rate: float, draws: int) -> dict[str, tuple[float, float]]:
    """By method, the share of intervals that hold the rate, and their mean width, over the correlations."""
    dice, sizes = np.random.default_rng([films, round(1000 * rate)]), patient_sizes()
    cells = [
        sums_of(*simulated(dice, sizes, films, rate, correlation))
        for correlation in CORRELATIONS
        for _ in range(draws // len(CORRELATIONS))
    ]
    found, effective = (np.concatenate(each) for each in zip(*((c.values, c.effective) for c in cells), strict=True))
    result = {}
    for name, (limits, clustered) in METHODS.items():
        low, high = limits(found, effective if clustered else np.full(len(found), float(films)))
        result[name] = float(((low <= rate) & (rate <= high)).mean()), float(np.nanmean(high - low))
    return result


def difference_coverage(films: int, rate: float, other: float, draws: int) -> tuple[float, float]:
    """The share of intervals that hold the difference of two centers that share half their patients, and of p < .05."""
    dice, sizes = np.random.default_rng([films, round(1000 * rate)]), patient_sizes()
    held, called = 0, 0
    for _ in range(draws):
        numbers = np.repeat(np.arange(films), np.minimum(dice.choice(sizes, films), films // 3))[:films]
        patient, center = np.concatenate([numbers, numbers + films // 8]), np.repeat([0, 1], films)
        bad = dice.standard_normal(patient.max() + 1)[patient]  # shared by a patient's films at both centers
        score = 0.6 * bad + 0.8 * dice.standard_normal(len(patient))
        cut = np.quantile(0.6 * dice.standard_normal(20000) + 0.8 * dice.standard_normal(20000), [rate, other])
        there = np.stack([center == 0, center == 1], axis=1)
        found = RateSums.of((score < cut[center])[:, None] & there, there, patient)
        difference = found.differences(np.array([0]), np.array([1]))
        held += int(difference.low[0] <= rate - other <= difference.high[0])
        called += int(difference.p[0] < 0.05)
    return held / draws, called / draws


def cells_of(store: Store, many: int) -> Iterator[tuple[str, Column]]:
    """Random cells of the cohort: a rate, and the films of one finding, sex and view."""
    dice = np.random.default_rng(0)
    findings = sorted(store.facets(COHORT, MODEL).findings)
    made = 0
    while made < many:
        kind, finding = dice.choice(["sensitivity", "specificity"]), findings[dice.integers(len(findings))]
        sex, view = dice.choice(["", "F", "M"]), dice.choice(["", "PA", "AP"])
        chosen = replace(Slice(COHORT, MODEL), sex=str(sex) or None, view=str(view) or None)
        column = store.column(chosen, finding)
        kept = (column.label == (kind == "sensitivity")) & ~np.isnan(column.threshold)
        if kept.sum() >= FEWEST:
            made += 1
            yield str(kind), Column(*(getattr(column, name)[kept] for name in Column.__slots__))


def widths(many: int, resamples: int) -> Floats:
    """Of each cell: its rate, its effective number of patients, and our interval's width over the bootstrap's."""
    store, rows = Store(), []
    try:
        for kind, cell in cells_of(store, many):
            patients, called = patient_numbers(cell.patient), cell.score >= cell.threshold
            rate = clustered_rate(called if kind == "sensitivity" else ~called, patients)
            metric = sensitivity if kind == "sensitivity" else specificity
            drawn = bootstrap(
                cell.label[:, None], called[:, None].astype(float), metric, resamples, 0, patients, threshold=0.5
            )
            films = np.bincount(patients)
            low, high = rate.interval or (np.nan, np.nan)
            rows.append(
                (rate.value, rate.n**2 / (films**2).sum(), (high - low) / float(drawn.high[0] - drawn.low[0] or np.nan))
            )
    finally:
        store.close()
    return np.array(rows, dtype=np.float64)


def main(words: Sequence[str] | None = None) -> int:
    parser = command(__doc__)
    parser.add_argument("--draws", type=int, default=3000)
    asked = parser.parse_args(words)
    draws = 300 if asked.small else asked.draws
    print("| n | rate | " + " | ".join(METHODS) + " |")
    print("|" + "---|" * (len(METHODS) + 2))
    for films, rate in product(SIZES, RATES):
        cells = [f"{100 * share:.1f} % ({width:.3f})" for share, width in coverage(films, rate, draws).values()]
        print(f"| {films} | {rate} | {' | '.join(cells)} |", flush=True)
    for films, (rate, other) in product((20, 100, 300), ((0.5, 0.5), (0.9, 0.8), (0.95, 0.95))):
        held, called = difference_coverage(films, rate, other, draws // 3)
        print(f"difference, n {films} twice, {rate} and {other}: holds {held:.1%}, p < 0.05 {called:.1%}", flush=True)
    found = widths(10 if asked.small else CELLS, 200 if asked.small else 2000)
    clear = (found[:, 0] > 0.1) & (found[:, 0] < 0.9) & (found[:, 1] >= CLEAR_PATIENTS)
    named = f"rates of 0.1 to 0.9, {CLEAR_PATIENTS} effective patients or more"
    for name, ratio in (("all cells", found[:, 2]), (named, found[clear, 2])):
        known = ratio[~np.isnan(ratio)]
        low, middle, high = np.quantile(known, (0.05, 0.5, 0.95))
        within = (np.abs(known - 1) <= 0.05).mean()
        print(f"width over the bootstrap's, {name} ({len(known)}): median {middle:.3f}, within 5 % {within:.0%}")
        print(f"    nine in ten from {low:.3f} to {high:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
