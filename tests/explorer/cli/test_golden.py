"""`evaluate` on six images worked by hand, and on generated ones against scikit-learn.

Mass, images by score: a .9 present, b .8 absent, c .6 present, d .4 absent, e .1 absent; f unknown.
    AP = 1/2 (1/1 + 2/3) = 5/6. AUROC: of 2 x 3 pairs a wins 3, c wins 2: 5/6.
    Called at .5: a b c: TP 2, FP 1, FN 0: precision 2/3, recall 1, F1 4/5.
    ECE: each score is alone in its bin: (.1 + .8 + .4 + .4 + .1) / 5 = .36.
Normal: b .7 present, d .6 present, f .5 absent, c .3 absent, e .2 present, a .1 absent.
    AP = 1/3 (1/1 + 2/2 + 3/5) = 13/15. AUROC: of 3 x 3 pairs b wins 3, d 3, e 1: 7/9.
    Called: b d f: TP 2, FP 1, FN 1: precision, recall and F1 2/3.
    ECE: (.3 + .4 + .5 + .3 + .8 + .1) / 6 = .4.
Pneumothorax: absent in all, score .2 in all: ECE .2, the others undefined.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from tests.explorer.cli.command import evaluated, files, line, run
from tests.support.wording import Wording, line_with

CENTERS = ("--center-column", "center")


@pytest.mark.parametrize(
    ("name", "n", "positives", "metrics"),
    [
        ("Mass", 5, 2, {"AP": 5 / 6, "AUROC": 5 / 6, "F1": 4 / 5, "precision": 2 / 3, "recall": 1, "ECE": 0.36}),
        ("Normal", 6, 3, {"AP": 13 / 15, "AUROC": 7 / 9, "F1": 2 / 3, "precision": 2 / 3, "recall": 2 / 3, "ECE": 0.4}),
        ("rare", 5, 2, {"mAP": 5 / 6, "mAUROC": 5 / 6, "mF1": 4 / 5, "precision": 2 / 3, "recall": 1, "ECE": 0.36}),
        ("all findings", 6, 5, {"mAP": 0.85, "mAUROC": 29 / 36, "mF1": 11 / 15, "precision": 2 / 3, "recall": 5 / 6}),
        ("all findings", 6, 5, {"ECE": 0.32}),
        ("without Normal", 6, 2, {"mAP": 5 / 6, "mF1": 4 / 5, "ECE": 0.28}),
    ],
)
def test_figures_are_those_worked_by_hand(
    tmp_path: Path, name: str, n: int, positives: int, metrics: dict[str, float]
) -> None:
    found = line(evaluated(*files(tmp_path)), name)
    assert (found["n"], found["n_positive"]) == (n, positives)
    assert {metric: found["metrics"][metric]["value"] for metric in metrics} == pytest.approx(metrics)


def test_what_is_undefined_has_a_reason_and_no_number(tmp_path: Path) -> None:
    table = evaluated(*files(tmp_path))
    for name, metric in (("Pneumothorax", "AP"), ("Pneumothorax", "F1"), ("very rare", "mAP")):
        figure = line(table, name)["metrics"][metric]
        assert [figure[key] for key in ("value", "ci_low", "ci_high", "findings")] == [None, None, None, 0]
        assert (figure["undefined"], figure["findings_left_out"]) == ("no positives", 1)
    assert line(table, "Pneumothorax")["metrics"]["ECE"]["value"] == pytest.approx(0.2)


def test_with_operating_points_each_finding_is_called_at_its_own(tmp_path: Path, wording: Wording) -> None:
    points = tmp_path / "points.csv"
    points.write_text("finding,threshold\nmass,0.85\n")
    table = evaluated(*files(tmp_path), "--operating-points", str(points))
    assert table["thresholds"] == {"Mass": 0.85}
    mass, normal = (line(table, name)["metrics"] for name in ("Mass", "Normal"))
    # Called: a alone: TP 1, FP 0, FN 1.
    expected = {"precision": 1, "recall": 1 / 2, "F1": 2 / 3, "AP": 5 / 6}
    assert {metric: mass[metric]["value"] for metric in expected} == pytest.approx(expected)
    for metric in ("precision", "recall", "F1"):
        assert (normal[metric]["value"], normal[metric]["undefined"]) == (None, "no threshold")
    assert normal["AP"]["value"] == pytest.approx(13 / 15)
    text = run("evaluate", *files(tmp_path), "--operating-points", str(points), "--resamples", "5").stdout
    wording(line_with(" ".join(text.split()).split(". "), "Called present", "threshold"))


def test_one_threshold_or_a_file_of_them(tmp_path: Path, wording: Wording) -> None:
    points = tmp_path / "points.csv"
    points.write_text("finding,threshold\nMass,0.85\nMass,0.9\nDragon,0.1\n")
    both = run("evaluate", *files(tmp_path), "--operating-points", str(points), "--threshold", "0.5")
    assert both.exit_code == 2
    wording(line_with(both.stderr, "Leave one"))
    wrong = run("evaluate", *files(tmp_path), "--operating-points", str(points))
    assert wrong.exit_code == 1
    wording(line_with(wrong.stderr, "Mass already"))
    wording(line_with(wrong.stderr, "'Dragon'"))


def test_means_say_how_many_findings_are_left_out(tmp_path: Path) -> None:
    table = evaluated(*files(tmp_path))
    counted = {
        (name, metric): (figure["findings"], figure["findings_left_out"])
        for name in ("all findings", "without Normal")
        for metric, figure in line(table, name)["metrics"].items()
        if metric in ("mAP", "ECE")
    }
    assert counted == {
        ("all findings", "mAP"): (2, 1),
        ("all findings", "ECE"): (3, 0),
        ("without Normal", "mAP"): (1, 1),
        ("without Normal", "ECE"): (2, 0),
    }


def test_centers_have_their_own_lines(tmp_path: Path) -> None:
    """Mass in the north: a .9 and c .6 present, b .8 absent: AP 5/6. In the south nobody has a mass."""
    table = evaluated(*files(tmp_path), *CENTERS)
    assert line(table, "Mass", "north")["metrics"]["AP"]["value"] == pytest.approx(5 / 6)
    assert line(table, "rare", "north")["metrics"]["mAP"]["value"] == pytest.approx(5 / 6)
    south = line(table, "Mass", "south")
    assert (south["n"], south["n_positive"]) == (2, 0)
    assert south["metrics"]["AP"]["undefined"] == "no positives"
    assert line(table, "Mass")["metrics"]["AP"]["value"] == pytest.approx(5 / 6)


def test_nothing_called_is_no_precision(tmp_path: Path) -> None:
    figures = line(evaluated(*files(tmp_path), "--threshold", "0.95"), "Mass")["metrics"]
    assert (figures["precision"]["value"], figures["precision"]["undefined"]) == (None, "none called")
    assert figures["recall"]["value"] == 0


def test_nothing_called_is_the_reason_without_negatives_too(tmp_path: Path) -> None:
    labels, scores = "image_id,Mass\na,1\nb,1\n", "image_id,Mass\na,0.1\nb,0.2\n"
    figures = line(evaluated(*files(tmp_path, labels, scores)), "Mass")["metrics"]
    assert (figures["precision"]["undefined"], figures["AP"]["undefined"]) == ("none called", "no negatives")


@pytest.mark.parametrize(("policy", "n", "positives"), [("ignore", 5, 2), ("zeros", 6, 2), ("ones", 6, 3)])
def test_uncertain_labels_count_as_told(tmp_path: Path, policy: str, n: int, positives: int) -> None:
    labels = (Path(files(tmp_path)[1])).read_text(encoding="utf-8").replace("f,south,p4,0,,0", "f,south,p4,0,-1,0")
    found = line(evaluated(*files(tmp_path, labels), "--uncertain", policy), "Mass")
    assert (found["n"], found["n_positive"]) == (n, positives)


@pytest.mark.parametrize(
    ("source", "groups"),
    [
        ("paper", {"Normal": "normal", "Mass": "rare", "Pneumothorax": "very rare"}),
        ("padchest", {"Normal": "normal", "Mass": "rare", "Pneumothorax": "rare"}),
        ("nih", {"Normal": "normal", "Mass": "medium", "Pneumothorax": "medium"}),
        ("cohort", {"Normal": "normal", "Mass": "common", "Pneumothorax": "very rare"}),
    ],
)
def test_groups_are_those_of_the_source(tmp_path: Path, source: str, groups: dict[str, str]) -> None:
    table = evaluated(*files(tmp_path), "--groups", source)
    assert {name: line(table, name)["frequency_group"] for name in groups} == groups


def test_patients_are_resampled_whole(tmp_path: Path) -> None:
    by_image = evaluated(*files(tmp_path), "--resamples", "200")
    by_patient = evaluated(*files(tmp_path), "--resamples", "200", "--patient-column", "patient")
    assert (by_image["patients"], by_patient["patients"]) == (None, 4)
    one, other = (line(table, "Normal")["metrics"]["ECE"] for table in (by_image, by_patient))
    assert one["value"] == other["value"]
    assert (one["ci_low"], one["ci_high"]) != (other["ci_low"], other["ci_high"])


def generated(folder: Path, images: int = 300) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    rng = np.random.default_rng(3)
    findings = ("Normal", "Cardiomegaly", "Mass", "Nodule")
    labels = (rng.random((images, 4)) < (0.4, 0.2, 0.1, 0.1)).astype(int)
    labels[:, 0] &= ~labels[:, 1:].any(axis=1)  # Normal and a finding: such an image is left out
    scores = np.round(np.clip(labels * 0.3 + rng.random(labels.shape) * 0.7, 0, 1), 2)
    centers = rng.choice(["A", "B"], images)
    texts = []
    for values, extra in ((labels, centers), (scores, None)):
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["image_id", *(["center"] if extra is not None else []), *findings])
        for row in range(images):
            writer.writerow([row, *([extra[row]] if extra is not None else []), *values[row]])
        texts.append(text.getvalue())
    return labels, scores, centers, files(folder, *texts)


def test_figures_are_those_of_scikit_learn_at_every_center(tmp_path: Path) -> None:
    labels, scores, centers, options = generated(tmp_path)
    table = evaluated(*options, *CENTERS)
    for center in (None, "A", "B"):
        rows = slice(None) if center is None else centers == center
        aps = []
        for place, name in enumerate(("Normal", "Cardiomegaly", "Mass", "Nodule")):
            truth, score = labels[rows, place], scores[rows, place]
            figures = line(table, name, center)["metrics"]
            aps.append(average_precision_score(truth, score))
            assert figures["AP"]["value"] == pytest.approx(aps[-1], abs=1e-9)
            assert figures["AUROC"]["value"] == pytest.approx(roc_auc_score(truth, score), abs=1e-9)
            assert figures["F1"]["value"] == pytest.approx(f1_score(truth, score >= 0.5), abs=1e-9)
        assert line(table, "all findings", center)["metrics"]["mAP"]["value"] == pytest.approx(np.mean(aps), abs=1e-9)


def test_intervals_are_the_plain_bootstrap(tmp_path: Path) -> None:
    labels, scores, centers, options = generated(tmp_path)
    table = evaluated(*options, *CENTERS, "--resamples", "40", "--seed", "7")
    rows = np.flatnonzero(centers == "B")
    draws = [rows[np.random.default_rng([7, r]).integers(0, len(rows), len(rows))] for r in range(40)]
    cardiomegaly, normal = (
        np.array([average_precision_score(labels[drawn, place], scores[drawn, place]) for drawn in draws])
        for place in (1, 0)
    )
    figure = line(table, "Cardiomegaly", "B")["metrics"]["AP"]
    assert (figure["ci_low"], figure["ci_high"]) == pytest.approx(np.quantile(cardiomegaly, (0.025, 0.975)), abs=1e-9)
    figure = line(table, "normal", "B")["metrics"]["mAP"]
    assert (figure["ci_low"], figure["ci_high"]) == pytest.approx(np.quantile(normal, (0.025, 0.975)), abs=1e-9)


def test_the_same_seed_gives_the_same_table(tmp_path: Path) -> None:
    *_, options = generated(tmp_path)
    tables = [run("evaluate", *options, "--resamples", "30", "--seed", seed).stdout for seed in "112"]
    assert tables[0] == tables[1] != tables[2]
