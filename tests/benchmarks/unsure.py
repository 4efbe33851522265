"""What the states of Read's list say: `python -m tests.benchmarks.unsure` prints it for each shipped classifier.

On films without findings: how many findings a film has above threshold and unsure, by the card's thresholds and bands.
On all films: the share of the findings that are there, and of those that are not, in each state, and their ratio: above
1 the state speaks for the finding, below 1 against it. Scores are those of the shipped cohorts (nih-oof out of fold,
phantom its test films); findings that the card cannot judge are left out. Intervals are 95 %, over resamples of
patients. Exits 1 where a film without findings has more than 2 unsure on average.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from explorer.reading.finding_list import FindingState, finding_rows
from explorer.simulator.request import NORMAL
from explorer.workshop.shipping.phantom_report import REPORT_SOURCE
from models.cards.classifier_card import classifier_card
from models.statistics import patient_resamples
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

CACHE = Path(__file__).parents[2] / "cache"
SHIPPED = {"nih-ensemble": "nih-oof", "phantom": "phantom"}
STATES: tuple[FindingState, ...] = ("above", "unsure", "below")
MOST_UNSURE = 2.0
RESAMPLES = 1_000

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Stated:
    """A cohort's films: labels and states (films, findings) of what is judged, which have no finding, patients."""

    present: Bools
    states: NDArray[np.str_]
    free: Bools
    patients: NDArray[np.str_]

    def per_film(self, state: FindingState, rows: NDArray[np.intp]) -> float:
        """Findings in a state, of a film without findings."""
        return float((self.states[rows][self.free[rows]] == state).sum(axis=1).mean())

    def shares(self, state: FindingState, rows: NDArray[np.intp]) -> tuple[float, float, float]:
        """Of the findings that are there, and of those that are not, the share in a state; and their ratio."""
        inside, present = self.states[rows] == state, self.present[rows]
        there, absent = float(inside[present].mean()), float(inside[~present].mean())
        return there, absent, there / absent


def stated(model: str, cohort: str, count: int | None) -> Stated:
    """The films of a shipped cohort, or the first ones, as the page words their scores."""
    said, home = classifier_card(model), CACHE / cohort
    scores = _wide(pd.read_parquet(home / "predictions" / model), "score")[list(said.findings)][:count]
    labels = pd.read_parquet(home / "labels.parquet")
    labels = _wide(labels[labels["source"] != REPORT_SOURCE], "label").loc[scores.index]
    patients = pd.read_parquet(home / "cases.parquet").set_index("case").loc[scores.index, "patient"]
    judged = [each for each in said.findings if each not in said.cannot_judge and each != NORMAL]
    rows = [{row.finding: row.state for row in finding_rows(said, film)} for film in scores.to_numpy(np.float32)]
    return Stated(
        present=(labels[judged] == "present").to_numpy(),
        states=np.array([[str(film[each]) for each in judged] for film in rows]),
        free=(labels[NORMAL] == "present").to_numpy(),
        patients=patients.to_numpy(str),
    )


def measured(resamples: int, count: int | None) -> Iterator[Figure | str]:
    """Yield the figures, and a line with intervals for each state."""
    for model, cohort in SHIPPED.items():
        films = stated(model, cohort, count)
        every, samples = np.arange(len(films.free)), list(patient_resamples(films.patients, resamples))
        findings = films.states.shape[1]
        yield f"{model}, {findings} findings it can judge, on {cohort}: {films.free.sum():,} films without"
        for state in STATES:
            mean = films.per_film(state, every)
            low, high = np.percentile([films.per_film(state, rows) for rows in samples], [2.5, 97.5])
            there, absent, ratio = films.shares(state, every)
            least, most = np.percentile([films.shares(state, rows)[2] for rows in samples], [2.5, 97.5])
            yield (
                f"  {state:<7} {mean:5.2f} a film without findings [{low:.2f}-{high:.2f}]; {there:5.1%} of those "
                f"there, {absent:5.1%} of those not, ratio {ratio:.2f} [{least:.2f}-{most:.2f}]"
            )
            if state == "unsure":
                yield Figure("unsure, a film without findings", mean, "", MOST_UNSURE)


def main(words: Sequence[str] | None = None) -> int:
    """Print the figures; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(*((20, 100) if asked.small else (RESAMPLES, None))), asked)


def _wide(long: pd.DataFrame, value: str) -> pd.DataFrame:
    return long.pivot(index="case", columns="finding", values=value)


if __name__ == "__main__":
    raise SystemExit(main())
