"""Findings from head to tail, and the gaps, against plain loops over the board's own samples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.head_to_tail import by_frequency, group_gaps, imbalance
from explorer.analysis.leaderboard.joint_metrics import joint_metrics
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.metrics.bootstrap import LEVEL
from explorer.store.slices import Slice
from tests.support.several_models import FINDINGS, MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Board:
    store = store_of(write_several(tmp_path_factory.mktemp("several"), 4, 80).folder)
    return board_of(joint_scores(store, CHOSEN, MODELS), slice_groups(store, CHOSEN, MODELS), 40, 2, False)


def test_findings_stand_by_group_then_positives_and_unseen_ones_last(board: Board) -> None:
    names = [board.findings[place] for place in by_frequency(board)]
    assert sorted(names) == sorted(FINDINGS) and names[-1] == "Scoliosis"
    assert names[0] == "Normal", "the most frequent group comes first"
    assert names.index("Mass") < names.index("A name of its own"), "without a group: after those with one"


def test_within_a_group_the_one_with_more_positives_comes_first(board: Board) -> None:
    alike = replace(board, groups=dict.fromkeys(board.findings), positives=(3, 9, 1, 5, 4))
    order = [place for place in by_frequency(alike) if alike.findings[place] != "Scoliosis"]
    counts = [alike.positives[place] for place in order]
    assert counts == sorted(counts, reverse=True)


def test_imbalance_is_the_most_frequent_findings_positives_for_each_of_its_own(board: Board) -> None:
    assert imbalance(replace(board, positives=(4, 10, 0, 1, 5))) == (2.5, 1, None, 10, 2)


def test_intervals_by_finding_are_quantiles_of_the_metrics_samples(tmp_path: Path, board: Board) -> None:
    store = store_of(write_several(tmp_path, 4, 80).folder)
    metrics = joint_metrics(joint_scores(store, CHOSEN, MODELS), 40, 2)
    figures = board.by_finding["AP"]
    for model, finding in np.ndindex(figures.point.shape):
        samples = metrics.samples["AP"][:, model, finding]
        defined = samples[~np.isnan(samples)]
        if not defined.size:
            assert np.isnan(figures.low[model, finding])
            continue
        assert (figures.low[model, finding], figures.high[model, finding]) == pytest.approx(np.quantile(defined, LEVEL))


def test_a_gap_is_the_difference_of_two_means_on_the_same_resamples(board: Board) -> None:
    (gap,) = group_gaps(board, "AUROC")
    assert gap.name == "seen minus unseen"
    places = {part.name: place for place, part in enumerate(board.parts) if part.center is None}
    one, other = (board.means[places[name], "AUROC"] for name in ("seen findings", "unseen findings"))
    for model in range(len(MODELS)):
        less = [
            a - b for a, b in zip(one.samples[:, model], other.samples[:, model], strict=True) if not np.isnan(a - b)
        ]
        assert gap.value[model] == pytest.approx(one.point[model] - other.point[model], nan_ok=True)
        if less:
            assert (gap.low[model], gap.high[model]) == pytest.approx(np.quantile(less, LEVEL))
