"""The leaderboard's metrics in blocks, by center: those of all models and findings at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.leaderboard import board_metrics
from explorer.analysis.leaderboard.board_metrics import (
    board_points,
    board_regions,
    board_samples,
    in_order_of_centers,
)
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, joint_metrics
from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.runtime.work_process import run_here
from tests.explorer.analysis.leaderboard.test_joint_metrics import joint_of

RESAMPLES, SEED = 4, 3


def films_of(seed: int, n: int) -> JointScores:
    """Films of three centers; the first model scores margins, the others lack some thresholds."""
    dice, joint = np.random.default_rng(seed), joint_of(seed, n)
    called = np.where(dice.random(joint.called.shape) < 0.1, -1, joint.called).astype(np.int8)
    called[0], called[1, :, 0] = joint.called[0], -1
    centers = np.array(["one", "two", "three"], dtype=object)[dice.integers(0, 3, n)]
    scores = joint.scores.copy()
    scores[0] = 8 * scores[0] - 4
    return replace(joint, called=called, centers=centers, scores=scores, scales=(0.5, None, None))


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(2, 40), st.sampled_from([1, 100, 400, 2**22]), st.booleans())
def test_blocks_have_the_numbers_of_all_films_at_once(seed: int, n: int, block: int, natural: bool) -> None:
    films, ranges = in_order_of_centers(films_of(seed, n))
    regions = board_regions(films, ranges, natural=natural)
    points, _ = board_points(films, regions, natural=natural)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_metrics, "BLOCK", block)
        shares: list[float] = []
        samples = [
            *board_samples(films, regions, RESAMPLES, SEED, natural=natural, run=run_here, on_progress=shares.append)
        ]
    assert [finding for some, _ in samples for finding in some] == [*range(len(films.findings))]
    assert shares == sorted(shares) and shares[-1] == pytest.approx(1)
    for region in regions:
        expected = joint_metrics(films.of(region.rows), RESAMPLES, SEED, natural=natural)
        assert region.left_out == expected.uncalled
        for measure in BOARD_MEASURES:
            found = np.concatenate([each[region.center][measure] for _, each in samples], axis=2)
            assert points[region.center][measure] == pytest.approx(expected.points[measure], abs=1e-12, nan_ok=True)
            assert found == pytest.approx(expected.samples[measure], abs=1e-12, nan_ok=True)
