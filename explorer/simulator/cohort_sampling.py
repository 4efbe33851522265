"""The phantom's cohort: films of two centers, drawn from PadChest's label combinations, a patient each.

Training is as nature has it, but for a floor under the rarest seen findings; validation and test hold more films of
every rare finding, and each film's weight says how much nature has of it. The films of a center are drawn in parts:
one as nature is, and one for each enriched finding, of films with it. So a film with the findings F in view v is drawn
n_0 / n + sum over f in F of n_f / (n p(f | v)) times as often as by nature, where n_0 of the center's n films are of
the natural part and n_f of the part for f. Its weight is the inverse: exact, not estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import FINDINGS
from explorer.simulator.address import PhantomFilm, address, parse
from explorer.simulator.combinations import Combination
from explorer.simulator.draws import draws
from explorer.simulator.natural import fit, nature
from explorer.simulator.patient import Patient, describe, trait
from explorer.simulator.request import ABNORMAL, NORMAL, Center

CANDIDATES = 8  # seeds for a film: of their patients, one that the findings fit is taken
MISSED = 0.1  # of the findings of a training film: the share that its labels leave out
UNSEEN = tuple(finding for finding in ABNORMAL if FINDINGS[finding].task == "unseen")
SEEN = (NORMAL, *(finding for finding in ABNORMAL if finding not in UNSEEN))


@dataclass(frozen=True, slots=True)
class Split:
    """A part of the cohort: films by center, and how many films of each `enriched` finding a center is to have."""

    name: str
    films: tuple[tuple[Center, int], ...]
    least: int  # expected
    enriched: tuple[str, ...]
    first: int  # seed; CANDIDATES follow for every film


TEST = Split("test", (("A", 1100), ("B", 900)), 20, ABNORMAL, 0)
VALIDATION = Split("validation", (("A", 500), ("B", 500)), 18, ABNORMAL, 100_000)
TRAINING = Split("training", (("A", 4000), ("B", 2000)), 5, SEEN[1:], 200_000)


@dataclass(frozen=True, slots=True)
class SampledCase:
    """A film of the cohort: `findings` are those drawn on it, none of a normal film; `weight` is nature's share."""

    film: PhantomFilm
    address: str
    patient: Patient
    findings: Combination
    weight: float


@cache
def cases(split: Split) -> tuple[SampledCase, ...]:
    """The films of a split, those of each center in the order of their seeds; the same every time."""
    drawn: list[SampledCase] = []
    for center, films in split.films:
        drawn += _of_center(split, center, split.first + len(drawn) * CANDIDATES, films)
    return tuple(drawn)


def labels(case: SampledCase, finding: str) -> bool:
    """Whether a film has a finding: exact, for the film was made with it."""
    return finding in case.findings if finding != NORMAL else not case.findings


def training_labels(case: SampledCase) -> frozenset[str]:
    """The labels of a training film, of the seen findings alone: each is missed in MISSED of the films that have it.

    A film is called normal where everything on it was missed. One of an unseen finding is not, but nothing says why.
    """
    noted = {name for name in case.findings if draws(case.film.seed, "report", name).uniform() >= MISSED}
    return frozenset(noted.intersection(SEEN)) if noted else frozenset({NORMAL})


def _of_center(split: Split, center: Center, first: int, films: int) -> list[SampledCase]:
    patients = [describe(first + film * CANDIDATES, center) for film in range(films)]
    parts = _parts([patient.view for patient in patients], split)
    chosen = [finding for finding, n in parts.items() for _ in range(n)]
    random = draws(split.first, "cohort", center)
    order: list[str | None] = [None] * (films - len(chosen)) + chosen
    random.shuffle(order)
    return [
        _case(patient, nature(patient.view).draw(random, finding), parts, films, random)
        for patient, finding in zip(patients, order, strict=True)
    ]


def _parts(views: Sequence[str], split: Split) -> dict[str, int]:
    """Films for each enriched finding, beside the natural part, so that every one is expected on `least` films."""
    prevalence = np.mean([nature(view).prevalence for view in views], 0)
    together = np.mean([nature(view).together for view in views], 0)
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
    """Films with each finding: of so many natural ones and of the enriched ones, added in the order of the findings.

    A product of matrices adds them differently on every machine, so that as rare findings would change places.
    """
    enriched: NDArray[np.float64] = (films[:, None] * together).sum(axis=0)
    return natural * prevalence + enriched


def _case(
    first: Patient, findings: Combination, parts: Mapping[str, int], films: int, random: np.random.Generator
) -> SampledCase:
    center, view = first.center, first.view
    others = {seed: trait(seed, center) for seed in range(first.seed + 1, first.seed + CANDIDATES)}
    traits = {first.seed: (first.sex, first.age)} | {seed: each[:2] for seed, each in others.items() if each[2] == view}
    fits = np.array([fit(*each, findings) for each in traits.values()])
    chosen = [*traits][random.choice(len(traits), p=fits / fits.sum())]
    patient = first if chosen == first.seed else describe(chosen, center)
    known = nature(view)
    as_often = (films - sum(parts.values())) / films
    in_order = sorted(findings)  # a set's own order is another one in every process, and sums differ in the last bit
    as_often += sum(parts.get(finding, 0) / films / known.of(finding) for finding in in_order)
    text = address(center, patient.seed, in_order)
    return SampledCase(parse(text), text, patient, findings, 1 / as_often)
