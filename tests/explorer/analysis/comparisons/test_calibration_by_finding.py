"""Calibration of all findings: carried from validation, cross-fitted, films of its own patients left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.calibration_by_finding import (
    NoCalibration,
    calibration_by_finding,
    calibration_input,
)
from explorer.analysis.comparisons.calibration_table import calibration_notes, calibration_table
from explorer.analysis.thresholds.carried import Origin, carry
from explorer.core.result_table import table_in
from explorer.metrics.calibration import Calibration
from explorer.metrics.metrics import ece
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

WHOLE, TEST = Slice(NAME, MODEL), Slice(NAME, MODEL, split="test")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Scores of Mass are squared chances of it; one patient has films in both splits. Hernia is never present."""
    dice = np.random.default_rng(0)
    films = []
    for n in range(300):
        chance = dice.random()
        labels = {"Mass": "present" if dice.random() < chance else "absent", "Hernia": "absent"}
        split = "val" if n < 150 else "test"
        patient = "both" if n in (0, 299) else f"p{n}"
        films.append(Film(f"{n:03}", labels, {"Mass": chance**2, "Hernia": 0.5}, patient=patient, split=split))
    return store_of(write_small(tmp_path_factory.mktemp("cohort"), films, {"Mass": 0.5}))


def test_the_carried_calibration_is_measured_on_other_patients(store: Store) -> None:
    store.keep_thresholds(NAME, MODEL, carry(store, NAME, MODEL, Origin("", "split=val"), "youden"))
    given = calibration_input(store, TEST, MODEL, None)
    found = calibration_by_finding(given, 30, 1)
    assert (found.by, found.films, found.left_out) == ("carried", 149, 1)
    rows = {row.finding: row for row in found.rows}
    mass, hernia = rows["Mass"], rows["Hernia"]
    kept = store.chosen_thresholds(NAME, MODEL)
    assert kept is not None and kept.calibration is not None and mass.after is not None
    column, joint = given.joint.findings.index("Mass"), given.joint
    apart = np.array([name != f"{NAME}/both" for name in given.patients])
    names = [name for name in given.patients if name != f"{NAME}/both"]
    scores = joint.scores[0, apart].astype(np.float64)
    order = [joint.findings.index(curve["finding"]) for curve in kept.calibration["curves"]]
    calibrated = Calibration.from_dict(dict(kept.calibration)).apply(scores[:, order], names)
    labels = joint.labels[apart]
    assert mass.raw.ece.value == pytest.approx(ece(labels, scores)[column])
    place = order.index(column)
    assert mass.after.ece.value == pytest.approx(ece(labels[:, [column]], calibrated[:, [place]])[0])
    assert mass.after.ece.value < mass.raw.ece.value and mass.raw.ece.low < mass.raw.ece.high
    assert mass.raw.line.intercept.value > 0.3, "squares are too low"
    assert mass.after.line.slope.low < 1 < mass.after.line.slope.high
    assert hernia.after is None and hernia.reason == "no positives" and hernia.positives == 0
    assert "split val (150 films)" in " ".join(calibration_notes(found, store.cohort(NAME)))
    store.keep_thresholds(NAME, MODEL, None)


def test_without_one_it_is_cross_fitted_and_says_so(store: Store) -> None:
    shares: list[float] = []
    found = calibration_by_finding(calibration_input(store, WHOLE, MODEL, None), on_progress=shares.append)
    # Two findings: the curves of each, the lines of each as scored and after; then both ECEs, which take no time.
    assert shares == [0, 0.25, 0.5, 0.625, 0.75, 0.875]
    assert (found.by, found.left_out, found.films, found.resamples) == ("cross-fitted", 0, 300, 0)
    (mass,) = (row for row in found.rows if row.finding == "Mass")
    assert mass.after is not None and np.isnan(mass.after.ece.low)
    assert "cross-fitted" in " ".join(calibration_notes(found, store.cohort(NAME)))


def test_the_table_has_a_row_for_each_finding(store: Store) -> None:
    table = calibration_table(
        calibration_by_finding(calibration_input(store, WHOLE, MODEL, None), 10), WHOLE, store.cohort(WHOLE.cohort)
    )
    assert [row["finding"] for row in table.rows] == ["Mass", "Hernia"]
    assert table.rows[1]["after_ece"] is None and table.rows[1]["reason"]
    for output in ("text", "markdown", "latex", "csv"):
        assert "Mass" in table_in(output, table)


def test_what_cannot_be_measured_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NoCalibration, match="carried"):
        calibration_input(store, WHOLE, MODEL, "carried")
    films = [Film(str(n), {"Mass": ("present", "absent")[n % 2]}, {"Mass": n - 3.0}) for n in range(6)]
    logits = store_of(write_small(tmp_path, films, {}))
    with pytest.raises(NoCalibration, match="from 0 to 1"):
        calibration_by_finding(calibration_input(logits, WHOLE, MODEL, None))
    store.keep_thresholds(NAME, MODEL, carry(store, NAME, MODEL, Origin("", "split=val"), "youden"))
    with pytest.raises(NoCalibration, match="all these films"):
        calibration_by_finding(calibration_input(store, Slice(NAME, MODEL, split="val"), MODEL, None))
    store.keep_thresholds(NAME, MODEL, None)
