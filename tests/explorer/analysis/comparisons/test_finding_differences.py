"""Two models by finding: by hand, against the metrics themselves, and against the leaderboard of one finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.finding_differences import (
    PAIR_MEASURES,
    difference_points,
    finding_differences,
)
from explorer.analysis.comparisons.finding_differences_table import (
    DifferencesReport,
    by_positives,
    differences_notes,
    differences_table,
    summary_words,
)
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.result_table import table_in
from explorer.metrics.bias_corrected import bias_corrected_interval
from explorer.metrics.bootstrap import bootstrap, difference
from explorer.metrics.delong import delong
from explorer.metrics.metrics import auroc, average_precision
from explorer.metrics.paired_rows import benjamini_hochberg, two_sided_p
from explorer.store.slices import Slice
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, Film, store_of, write_small

PAIR = (MODELS[0], MODELS[1])
CHOSEN = Slice(NAME, MODELS[0])


def joint_of(place: Path, n: int = 80) -> JointScores:
    return joint_scores(store_of(write_several(place, 4, n).folder), CHOSEN, PAIR)


def test_four_films_by_hand(tmp_path: Path) -> None:
    """Two films with Mass, two without: `one` ranks 1, 0, 1, 0 and calls only the first; `two` ranks both first.

    AP of `one` is (1 + 2/3) / 2, its AUROC 3/4, its sensitivity 1/2; those of `two` are 1.
    """
    scores = {"one": (0.9, 0.4, 0.45, 0.1), "two": (0.9, 0.8, 0.2, 0.1)}
    for model, values in scores.items():
        films = [
            Film(f"{n}", {"Mass": "present" if n < 2 else "absent"}, {"Mass": value}) for n, value in enumerate(values)
        ]
        folder = write_small(tmp_path, films, {"Mass": 0.5}, model=model)
    found = difference_points(store_of(folder), Slice(NAME, "one"), ("one", "two"), natural=False)
    assert {each: found.values[each][:, 0].tolist() for each in PAIR_MEASURES} == {
        "AP": [pytest.approx(5 / 6), 1],
        "AUROC": [0.75, 1],
        "F1": [pytest.approx(2 / 3), 1],
        "sensitivity": [0.5, 1],
    }
    assert found.differences["sensitivity"].value == pytest.approx([0.5])
    assert (found.positives, found.known, found.resamples) == ((2,), (4,), 0)
    assert np.isnan(found.differences["AP"].low).all() and summary_words(found, "AP") == ""


@pytest.mark.parametrize("natural", [False, True])
def test_intervals_and_p_are_those_of_the_metrics_own_resamples(tmp_path: Path, natural: bool) -> None:
    joint = joint_of(tmp_path)
    found = finding_differences(joint, 60, 3, natural=natural)
    weights = joint.weights if natural else None
    for measure, metric in (("AP", average_precision), ("AUROC", auroc)):
        each = [
            bootstrap(joint.labels, scores, metric, 60, 3, unit=joint.patients, weights=weights)
            for scores in joint.scores.astype(np.float64)
        ]
        expected, ours = difference(each[1], each[0]), found.differences[measure]
        for value, other in ((ours.value, expected.point), (ours.low, expected.low), (ours.high, expected.high)):
            assert value == pytest.approx(other, abs=1e-9, nan_ok=True)
        p = [two_sided_p(column, count) for column, count in zip(expected.samples.T, found.positives, strict=True)]
        assert ours.p == pytest.approx(p, nan_ok=True)
        assert ours.adjusted == pytest.approx(benjamini_hochberg(ours.p), nan_ok=True)


def test_delong_stands_beside_auroc_and_has_no_weights(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    found = finding_differences(joint, 20, 3)
    assert found.area is not None
    expected = delong(joint.labels[:, 0], joint.scores[:, :, 0], joint.patients).difference(1, 0)
    ours = (found.area.value[0], found.area.low[0], found.area.high[0], found.area.p[0])
    assert ours == pytest.approx((expected.value, expected.low, expected.high, expected.p))
    assert found.area.value == pytest.approx(found.differences["AUROC"].value, nan_ok=True)
    assert finding_differences(joint, 20, 3, natural=True).area is None


def test_a_model_does_not_differ_from_itself(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    same = replace(joint, scores=joint.scores[[0, 0]], called=joint.called[[0, 0]])
    found = finding_differences(same, 20, 3)
    for measure in PAIR_MEASURES:
        differences = found.differences[measure]
        known = ~np.isnan(differences.value)
        assert not differences.value[known].any() and (differences.p[~np.isnan(differences.p)] == 1).all()
    assert found.significant("AP") == (int((~np.isnan(found.differences["AP"].p)).sum()), 0, 0)


def test_bias_corrected_intervals_move_and_p_stays(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    plain, corrected = (
        finding_differences(joint, 60, 3, intervals=kind).differences["AP"] for kind in ("percentile", "bias-corrected")
    )
    assert corrected.p == pytest.approx(plain.p, nan_ok=True)
    each = [
        bootstrap(joint.labels, scores, average_precision, 60, 3, unit=joint.patients)
        for scores in joint.scores.astype(np.float64)
    ]
    apart = difference(each[1], each[0])
    expected = bias_corrected_interval(apart.samples[:, 0], float(apart.point[0]), int(apart.units[0]))
    assert (corrected.low[0], corrected.high[0]) == pytest.approx(expected, abs=1e-9)


def test_a_minimum_leaves_findings_listed_but_not_tested(tmp_path: Path) -> None:
    found = finding_differences(joint_of(tmp_path), 60, 3)
    most = max(found.positives)
    narrow = found.at_least(most)
    tested = narrow.differences["AP"]
    assert narrow.tested.sum() == (np.array(found.positives) == most).sum() == (~np.isnan(tested.p)).sum() == 1
    assert tested.adjusted[narrow.tested] == tested.p[narrow.tested]  # of one test
    assert tested.value == pytest.approx(found.differences["AP"].value, nan_ok=True)


def test_the_table_has_a_row_for_each_finding_and_metric(tmp_path: Path) -> None:
    found = finding_differences(joint_of(tmp_path), 60, 3).at_least(10)
    report = DifferencesReport(found, CHOSEN, dict.fromkeys(found.findings), simulated=True)
    table = differences_table(report)
    assert len(table.rows) == 4 * len(found.findings)
    first = by_positives(found)[0]
    row = table.rows[0]
    assert (row["finding"], row["positives"], row["metric"]) == (found.findings[first], max(found.positives), "AP")
    assert row["p"] == pytest.approx(found.differences["AP"].p[first]) and row["delong_p"] is None
    by_area = next(row for row in table.rows if row["metric"] == "AUROC")
    assert found.area is not None and by_area["delong_p"] == pytest.approx(found.area.p[first])
    assert "SIMULATED films." in list(differences_notes(report))
    for output in ("text", "markdown", "latex", "csv"):
        assert found.findings[first] in table_in(output, table)
    assert "DeLong" in table_in("latex", table)


def test_other_than_two_models_are_refused(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    with pytest.raises(ValueError, match="Two models"):
        finding_differences(joint.block(models=[0]), 0, 0)
