"""Means that leave out rare findings, and bias-corrected intervals, on the leaderboard and in the challenge's table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import board_of, leaderboard, slice_groups
from explorer.analysis.leaderboard.report import board_notes, board_report
from explorer.metrics.bias_corrected import bias_corrected_interval
from explorer.metrics.bootstrap import percentile_interval
from explorer.store.slices import Slice
from tests.explorer.cli.command import files, run
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of
from tests.support.wording import Wording, line_with

CHOSEN = Slice(NAME, MODELS[0])


def test_means_are_over_findings_with_enough_positives(tmp_path: Path, wording: Wording) -> None:
    store = store_of(write_several(tmp_path, 4, 60).folder)
    every = leaderboard(store, CHOSEN, MODELS)
    counts = sorted(set(every.positives))
    few = leaderboard(store, CHOSEN, MODELS, minimum=counts[-1])
    whole = few.means[0, "AP"]
    assert [few.positives[place] for place in whole.counted] == [counts[-1]] * len(whole.counted) != []
    values = few.by_finding["AP"].point[:, list(whole.counted)]
    assert whole.point == pytest.approx(values.mean(axis=1))
    assert few.by_finding["AP"].point == pytest.approx(every.by_finding["AP"].point, nan_ok=True)
    for place, part in enumerate(few.parts):  # at a center, its own positives count
        for finding in few.means[place, "AP"].counted:
            assert part.member_positives[part.members.index(finding)] >= counts[-1]
    notes = list(board_notes(board_report(store, few, CHOSEN, 0, natural=False)))
    wording(line_with(notes, "fewer than"))


def test_bias_corrected_intervals_are_of_the_same_samples(tmp_path: Path) -> None:
    store = store_of(write_several(tmp_path, 4, 60).folder)
    joint, groups = joint_scores(store, CHOSEN, MODELS), slice_groups(store, CHOSEN, MODELS)
    plain, corrected = (
        board_of(joint, groups, 40, 3, False, intervals=kind) for kind in ("percentile", "bias-corrected")
    )
    before, after = plain.means[0, "AP"], corrected.means[0, "AP"]
    assert after.samples == pytest.approx(before.samples, nan_ok=True)
    samples, point = after.samples[:, 1], float(after.point[1])
    assert before.interval(1) == pytest.approx(percentile_interval(samples, before.units))
    assert after.interval(1) == pytest.approx(bias_corrected_interval(samples, point, after.units))
    apart = samples - after.samples[:, 0]
    expected = bias_corrected_interval(apart, point - float(after.point[0]), after.units)
    against = corrected.against(0, "AP", 0)
    assert (against.low[1], against.high[1]) == pytest.approx(expected)
    assert not np.array_equal(plain.by_finding["AP"].low, corrected.by_finding["AP"].low, equal_nan=True)
    notes = " ".join(board_notes(board_report(store, corrected, CHOSEN, 0, natural=False)))
    assert "bias-corrected percentiles" in notes and "too high for ECE" not in notes


def test_the_challenges_table_takes_both(tmp_path: Path) -> None:
    """Mass has 2 positives, Normal 3: with at least 3, all means are those of Normal."""
    given = ("evaluate", *files(tmp_path), "--resamples", "20", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(run(*given, "--min-positives", "3").stdout)))
    value = {(row["name"], row["metric"]): row for row in rows if not row["center"]}
    whole, normal = value["all findings", "mAP"], value["Normal", "AP"]
    assert whole["value"] == normal["value"] and whole["findings_left_out"] == "2"
    assert (whole["n_positive"], whole["n_positive_least"]) == ("5", "3")
    assert value["rare", "mAP"]["undefined"] == "too few positives"
    shown = run(
        "evaluate", *files(tmp_path), "--resamples", "20", "--min-positives", "3", "--intervals", "bias-corrected"
    )
    assert shown.exit_code == 0, shown.stderr
    words = " ".join(shown.stdout.split())
    assert "bias-corrected percentiles (Efron) of 20" in words
    assert "fewer than 3 positives" in words


def test_the_command_for_a_cohort_takes_both() -> None:
    done = run(
        *("evaluate", "--cohort", "phantom", "--model", "phantom", "--resamples", "5", "--where", "center=B"),
        *("--min-positives", "100", "--intervals", "bias-corrected"),
    )
    assert done.exit_code == 0, done.stderr
    words = " ".join(done.stdout.split())
    assert "fewer than 100 positives" in words and "5 of 30 findings" in words and "bias-corrected" in words
