"""What models detect of inserted findings: `python -m tests.benchmarks.detectability`; exits 1 when a goal is missed.

For each shipped model: how many inserted SIMULATED findings it flags by finding and severity, in which zone least, from
which severity on half, and how many films labeled with the finding it flags. Without thresholds: AUROC of films with an
inserted finding against the same films without, by severity, with 95 % intervals over resamples of films, beside AUROC
of films labeled with it against those without. Then the time to count what the panel shows.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence

import numpy as np

from explorer.analysis.detectability.report import detectability
from explorer.analysis.detectability.table import detectability_table
from explorer.analysis.detectability.trials import Trials, models_with_trials
from explorer.analysis.leaderboard.joint_scores import ComparedFilms, compared_films
from explorer.analysis.leaderboard.picked_films import whole_film_slice
from explorer.core.arrays import Floats
from explorer.core.result_table import table_in
from explorer.metrics import auroc
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure

COHORTS = ("phantom", "nih-oof")
ANSWER_GOAL = 1.0  # s, of a processor
RESAMPLES = 300


def measured(asked: argparse.Namespace) -> Iterator[Figure | str]:
    """Yield the tables and AUROCs of every shipped model, for a small run of one cohort, and the time to count."""
    store = Store()
    for cohort in COHORTS[-1:] if asked.small else COHORTS:
        models = models_with_trials(store.folder(cohort))
        first, *_ = sorted(models, key=lambda each: each != cohort)
        films = whole_film_slice(store, Slice(cohort, first))
        for model in models:
            other = first if model != first else None
            detectability(store, films, model, other)  # opens the cohort's files
            start = time.process_time()
            found = detectability(store, films, model, other)
            text = table_in("text", detectability_table(found))
            seconds = time.process_time() - start
            yield text
            yield from _areas(found.trials, compared_films(store, films, (model,)), 20 if asked.small else RESAMPLES)
            yield Figure(f"{cohort}, {model}: counted in", seconds, "s", ANSWER_GOAL)


def _areas(trials: Trials, films: ComparedFilms, resamples: int) -> Iterator[str]:
    """Yield a line for each finding: AUROC of inserted ones by severity, and of labeled ones."""
    for finding in trials.findings:
        place = films.findings.index(finding)
        labels, scores = films.label_columns([place])[0], films.score_columns(0, [place])[0]
        real, count = _area(scores[labels == 0], scores[labels == 1]), int((labels == 1).sum())
        parts = [
            f"{severity:.1f}: {_with_interval(trials.about(finding, severity), resamples)}"
            for severity in trials.severities(finding)
        ]
        yield f"AUROC of inserted {finding}, {'; '.join(parts)}; labeled {real:.2f} ({count} films)"


def _with_interval(trials: Trials, resamples: int) -> str:
    random, films = np.random.default_rng(0), np.unique(trials.film)
    rows = {film: np.flatnonzero(trials.film == film) for film in films.tolist()}
    drawn = [films, *(random.choice(films, len(films)) for _ in range(resamples))]
    areas = []
    for some in drawn:
        own = np.concatenate([rows[film] for film in some.tolist()])
        without = trials.without[[rows[film][0] for film in some.tolist()]]
        areas.append(_area(without, trials.score[own]))
    return "{:.2f} [{:.2f}, {:.2f}]".format(areas[0], *np.quantile(areas[1:], (0.025, 0.975)))


def _area(absent: Floats, present: Floats) -> float:
    truth = np.concatenate([np.zeros(len(absent), bool), np.ones(len(present), bool)])
    return float(auroc(truth[:, None], np.concatenate([absent, present])[:, None])[0])


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where the goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
