"""Whether thresholds and calibration of films hold for studies: `python -m tests.benchmarks.study_flags` counts it.

Studies are the first two films of each patient of nih-oof, out of fold. They are of different dates, because the cohort
has no studies. Printed for one film, the higher score and the mean: the share flagged, as Read flags them, of findings
that neither film has; and positives that Platt's calibration expects for each that there is, fitted on single films, or
on the same kind of score, of the other half of the patients. That is also counted where both films have one label, as
two views of one examination do. 95 % intervals are over resamples of patients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.metrics.calibration import fit_curve, logits
from explorer.reading.finding_list import finding_rows
from explorer.simulator.request import NORMAL
from models.cards.card import Card
from models.cards.classifier_card import classifier_card
from models.statistics import patient_resamples
from tests.benchmarks.command_line import command, report

HOME = Path(__file__).parents[2] / "cache" / "nih-oof"
MODEL = "nih-ensemble"
RESAMPLES = 1_000
FEWEST_POSITIVES = 10  # of a finding, among single films of each half of the patients, to calibrate it
ONE_FILM, HIGHER, MEAN = WAYS = ("one film", "the higher score", "the mean")
FITS = ((ONE_FILM, ONE_FILM), (HIGHER, ONE_FILM), (HIGHER, HIGHER), (MEAN, ONE_FILM), (MEAN, MEAN))

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Scores and labels (2 films, patients, judged findings); labels are 1, 0 or NaN."""

    card: Card
    judged: tuple[str, ...]
    scores: Floats
    labels: Floats

    def scored(self, way: str) -> Floats:
        """Return the scores (patients, judged findings) of a study by a way of scoring; the first film's for one."""
        return {ONE_FILM: self.scores[0], HIGHER: self.scores.max(axis=0), MEAN: self.scores.mean(axis=0)}[way]

    def truth(self, way: str) -> Floats:
        """Return the labels (patients, judged findings): of the first film, or present on either."""
        return self.labels[0] if way == ONE_FILM else self.labels.max(axis=0)


def read_pairs(count: int | None) -> Pairs:
    """Read the first two films of each patient, of the first `count` patients."""
    card = classifier_card(MODEL)
    judged = tuple(each for each in card.findings if each not in card.cannot_judge and each != NORMAL)
    scores = _wide(pd.read_parquet(HOME / "predictions" / MODEL), "score")[list(judged)]
    labels = _wide(pd.read_parquet(HOME / "labels.parquet"), "label").loc[scores.index, list(judged)]
    numbers = labels.apply(lambda column: column.map({"present": 1.0, "absent": 0.0}))
    cases = pd.read_parquet(HOME / "cases.parquet").set_index("case").loc[scores.index].sort_index()
    pairs = [list(films.index[:2]) for _, films in cases.groupby("patient") if len(films) > 1][:count]
    of_films = [[pair[place] for pair in pairs] for place in (0, 1)]
    return Pairs(
        card,
        judged,
        np.array([scores.loc[films].to_numpy() for films in of_films], float),
        np.array([numbers.loc[films].to_numpy() for films in of_films], float),
    )


def flags(pairs: Pairs, scores: Floats) -> Floats:
    """Return 1 where a finding is flagged, else 0 (patients, judged findings)."""
    every = np.zeros((len(scores), len(pairs.card.findings)), np.float32)
    every[:, [pairs.card.findings.index(finding) for finding in pairs.judged]] = scores
    states = [{row.finding: row.state for row in finding_rows(pairs.card, film)} for film in every]
    return np.array([[film[finding] == "above" for finding in pairs.judged] for film in states], float)


def expected(pairs: Pairs, way: str, fitted: str, *, alike: bool) -> tuple[Floats, Floats]:
    """Return expected and true positives (patients,) of the findings that can be calibrated.

    Scores of one half of the patients, by one way of scoring, are calibrated by curves fitted on scores of the other
    half, by the way `fitted`. `alike`: only findings whose label is the same on both films count.
    """
    half = np.arange(pairs.scores.shape[1]) % 2
    means, truths = np.zeros(len(half)), np.zeros(len(half))
    for place in range(len(pairs.judged)):
        one, other = pairs.labels[:, :, place]
        known = (one == other) if alike else ~(np.isnan(one) | np.isnan(other))
        sides = [np.flatnonzero(known & (half == side)) for side in (0, 1)]
        if min(pairs.labels[0, side, place].sum() for side in sides) < FEWEST_POSITIVES:
            continue
        for here, there in (sides, sides[::-1]):
            curve = fit_curve("platt", pairs.truth(fitted)[there, place], pairs.scored(fitted)[there, place], "score")
            means[here] += curve(logits(pairs.scored(way)[here, place], "score"))
            truths[here] += pairs.truth(way)[here, place]
    return means, truths


def measured(resamples: int, count: int | None) -> Iterator[str]:
    """Yield lines about flags, and about calibration."""
    pairs = read_pairs(count)
    absent = (pairs.labels == 0).all(axis=0).astype(float)
    patients = len(absent)
    samples = list(patient_resamples(np.arange(patients).astype(str), resamples))
    yield f"{MODEL} on nih-oof: {int(absent.sum()):,} findings that neither of two films has, {patients} patients"
    flagged: Mapping[str, Floats] = {
        ONE_FILM: (flags(pairs, pairs.scores[0]) + flags(pairs, pairs.scores[1])) / 2,
        **{way: flags(pairs, pairs.scored(way)) for way in (HIGHER, MEAN)},
    }
    for way in WAYS:
        share, low, high = _ratio((flagged[way] * absent).sum(axis=1), absent.sum(axis=1), samples)
        yield f"  flagged by {way:<16} {share:6.1%} [{low:.1%}-{high:.1%}]"
    for alike in (False, True):
        yield f"Positives expected for each that there is{', where both films have one label' * alike}"
        for way, fitted in FITS:
            means, truths = expected(pairs, way, fitted, alike=alike)
            if truths.sum():
                ratio, low, high = _ratio(means, truths, samples)
                yield f"  {way:<16} calibrated on {fitted:<16} {ratio:5.2f} [{low:.2f}-{high:.2f}]"


def _ratio(upper: Floats, lower: Floats, samples: Sequence[NDArray[np.intp]]) -> tuple[float, float, float]:
    """Return the ratio of two sums over patients, with the 95 % interval over resamples."""
    drawn = [upper[rows].sum() / lower[rows].sum() for rows in samples if lower[rows].sum()]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(upper.sum() / lower.sum()), float(low), float(high)


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; there is no goal."""
    asked = command(__doc__).parse_args(words)
    return report(measured(*((20, 40) if asked.small else (RESAMPLES, None))), asked)


def _wide(long: pd.DataFrame, value: str) -> pd.DataFrame:
    return long.pivot(index="case", columns="finding", values=value)


if __name__ == "__main__":
    raise SystemExit(main())
