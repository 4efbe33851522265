"""Samples the phantom's cohort: films of two centers from PadChest's label combinations, one per patient.

Training films have natural prevalence, except for a floor under the rarest seen findings; validation and test films
have more of every rare finding, and each film's weight gives its natural share. The films of a center are drawn in
parts: a natural one, and one for each enriched finding with films that have it. So a film with the findings F in view v
is drawn n_0 / n + sum over f in F of n_f / (n p(f | v)) times as often as naturally, where n_0 of the center's n films
are in the natural part and n_f in the part for f. Its weight is the inverse, which is exact rather than estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import FINDINGS
from explorer.simulator.address import PhantomFilm, make_address, parse_film_address
from explorer.simulator.combinations import Combination
from explorer.simulator.draws import draws
from explorer.simulator.natural import natural_frequencies, trait_ratio
from explorer.simulator.patient import Patient, describe, patient_traits
from explorer.simulator.request import ABNORMAL, NORMAL, Center

SEEDS_PER_FILM = 8  # candidate seeds per film, from which one whose patient suits the findings is chosen
MISSED_SHARE = 0.1  # fraction of a training film's findings that its labels miss
UNSEEN_FINDINGS = tuple(finding for finding in ABNORMAL if FINDINGS[finding].task == "unseen")
SEEN_FINDINGS = (NORMAL, *(finding for finding in ABNORMAL if finding not in UNSEEN_FINDINGS))


@dataclass(frozen=True, slots=True)
class Split:
    """A part of the cohort: films by center, and the number of films per center for each `enriched` finding."""

    name: str
    films: tuple[tuple[Center, int], ...]
    least: int  # expected number of films
    enriched: tuple[str, ...]
    first: int  # first seed; each film uses SEEDS_PER_FILM seeds


TEST_SPLIT = Split("test", (("A", 1100), ("B", 900)), 20, ABNORMAL, 0)
VALIDATION_SPLIT = Split("validation", (("A", 500), ("B", 500)), 18, ABNORMAL, 100_000)
TRAINING_SPLIT = Split("training", (("A", 4000), ("B", 2000)), 5, SEEN_FINDINGS[1:], 200_000)


@dataclass(frozen=True, slots=True)
class SampledCase:
    """A film of the cohort: `findings` is empty for a normal film; `weight` is the film's natural share."""

    film: PhantomFilm
    address: str
    patient: Patient
    findings: Combination
    weight: float


@cache
def sample_cases(split: Split) -> tuple[SampledCase, ...]:
    """Return the films of a split by center and seed; the result is always the same."""
    drawn: list[SampledCase] = []
    for center, films in split.films:
        drawn += _center_cases(split, center, split.first + len(drawn) * SEEDS_PER_FILM, films)
    return tuple(drawn)


def has_finding(case: SampledCase, finding: str) -> bool:
    """Return whether a film has a finding; for simulated films this is known exactly."""
    return finding in case.findings if finding != NORMAL else not case.findings


def training_labels(case: SampledCase) -> frozenset[str]:
    """Return the labels of a training film, seen findings only; each is missed on a fraction MISSED_SHARE of films.

    A film is labeled normal if all its findings were missed. A film with only unseen findings gets no label.
    """
    noted = {name for name in case.findings if draws(case.film.seed, "report", name).uniform() >= MISSED_SHARE}
    return frozenset(noted.intersection(SEEN_FINDINGS)) if noted else frozenset({NORMAL})


def _center_cases(split: Split, center: Center, first: int, films: int) -> list[SampledCase]:
    patients = [describe(first + film * SEEDS_PER_FILM, center) for film in range(films)]
    parts = _parts([patient.view for patient in patients], split)
    chosen = [finding for finding, n in parts.items() for _ in range(n)]
    random = draws(split.first, "cohort", center)
    order: list[str | None] = [None] * (films - len(chosen)) + chosen
    random.shuffle(order)
    return [
        _case(patient, natural_frequencies(patient.view).draw(random, finding), parts, films, random)
        for patient, finding in zip(patients, order, strict=True)
    ]


def _parts(views: Sequence[str], split: Split) -> dict[str, int]:
    """Return how many films to add for each enriched finding, so that each is expected on at least `least` films."""
    prevalence = np.mean([natural_frequencies(view).prevalence for view in views], 0)
    together = np.mean([natural_frequencies(view).together for view in views], 0)
    asked = [ABNORMAL.index(finding) for finding in split.enriched]
    films = np.zeros(len(ABNORMAL), dtype=np.int64)
    while True:
        expected = expected_films(len(views) - films.sum(), prevalence, films, together)
        rarest = min(asked, key=lambda place: float(expected[place]))
        if expected[rarest] >= split.least:
            return {ABNORMAL[place]: int(films[place]) for place in np.flatnonzero(films)}
        films[rarest] += 1


def expected_films(
    natural: int, prevalence: NDArray[np.float64], films: NDArray[np.int64], together: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the expected films with each finding: natural ones plus enriched ones, summed in the order of findings.

    A matrix product would sum in a machine-dependent order, so that equally rare findings could swap ranks.
    """
    enriched: NDArray[np.float64] = (films[:, None] * together).sum(axis=0)
    return natural * prevalence + enriched


def _case(
    first: Patient, findings: Combination, parts: Mapping[str, int], films: int, random: np.random.Generator
) -> SampledCase:
    center, view = first.center, first.view
    others = {seed: patient_traits(seed, center) for seed in range(first.seed + 1, first.seed + SEEDS_PER_FILM)}
    traits = {first.seed: (first.sex, first.age)} | {seed: each[:2] for seed, each in others.items() if each[2] == view}
    fits = np.array([trait_ratio(*each, findings) for each in traits.values()])
    chosen = [*traits][random.choice(len(traits), p=fits / fits.sum())]
    patient = first if chosen == first.seed else describe(chosen, center)
    known = natural_frequencies(view)
    as_often = (films - sum(parts.values())) / films
    in_order = sorted(findings)  # set order differs between processes, which would change sums in the last bit
    as_often += sum(parts.get(finding, 0) / films / known.of(finding) for finding in in_order)
    text = make_address(center, patient.seed, in_order)
    return SampledCase(parse_film_address(text), text, patient, findings, 1 / as_often)
