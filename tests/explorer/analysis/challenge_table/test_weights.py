"""A column of weights: weighted metrics beside the plain ones, and the same table as ever without it."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.analysis.challenge_table.cohort_metrics import EvaluatedCohort
from explorer.analysis.challenge_table.lines import MetricsLine
from explorer.analysis.challenge_table.metric_table import TABLE_METRICS, MetricTable, evaluate_cohort
from explorer.core.metric_plan import Plan
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.metrics import average_precision
from tests.explorer.cli.command import LABELS, evaluated, files, line, run
from tests.support.wording import Wording, line_with

PLAN = Plan(grouping="cohort", resamples=40)
# Mass by score: a .9 present, b .8 absent, c .6 present, d .4 absent, e .1 absent; f unknown.
WEIGHTS = {"a": "1", "b": "4", "c": "3", "d": "2.5", "e": "0.5", "f": "9"}


def cohort_of(images: int = 120) -> EvaluatedCohort:
    dice = np.random.default_rng(5)
    labels = (dice.random((images, 3)) < (0.5, 0.2, 0.1)).astype(float)
    labels[dice.random(labels.shape) < 0.1] = np.nan
    scores = np.round(dice.random(labels.shape), 1)
    patients = np.array([f"p{number // 2}" for number in range(images)], dtype=object)
    return EvaluatedCohort(("Normal", "Mass", "Nodule"), labels, scores, dice.choice(["A", "B"], images), patients)


def weighed(cohort: EvaluatedCohort, weights: np.ndarray) -> MetricTable:
    return evaluate_cohort(replace(cohort, weights=weights.astype(float)), PLAN)


def with_weights(column: str = "weight", weights: dict[str, str] = WEIGHTS) -> str:
    """The labels of the six images with one more column."""
    header, *rows = LABELS.splitlines()
    return "\n".join([f"{header},{column}", *(f"{row},{weights[row[0]]}" for row in rows)]) + "\n"


def test_weights_of_1_give_the_plain_figures_and_their_intervals() -> None:
    for each in weighed(cohort_of(), np.ones(120)).lines:
        assert set(each.weighted) == set(TABLE_METRICS)
        for metric, plain in each.estimates.items():
            if metric == "recall" and each.part.level == "finding":
                continue  # where all resamples agree the plain one has Wilson's
            same = each.weighted[metric]
            assert (same.value, same.low, same.high) == pytest.approx((plain.value, plain.low, plain.high))
            assert (same.counted, same.incomplete, same.why) == (plain.counted, plain.incomplete, plain.why)


def test_a_whole_weight_is_as_many_rows_of_the_same() -> None:
    cohort, times = cohort_of(), np.random.default_rng(1).integers(1, 5, 120)
    rows = np.repeat(np.arange(120), times)
    assert cohort.centers is not None and cohort.patients is not None
    repeated = replace(
        cohort,
        labels=cohort.labels[rows],
        scores=cohort.scores[rows],
        centers=cohort.centers[rows],
        patients=cohort.patients[rows],
    )
    weighted, plain = weighed(cohort, times), evaluate_cohort(repeated, PLAN)
    for one, other in zip(weighted.lines, plain.lines, strict=True):
        assert (one.center, one.part.name) == (other.center, other.part.name)
        for metric, estimate in other.estimates.items():
            assert one.weighted[metric].value == pytest.approx(estimate.value)
            assert one.weighted[metric].value != pytest.approx(one.estimates[metric].value)


def of(table: MetricTable, center: str | None, name: str) -> MetricsLine:
    (found,) = [each for each in table.lines if (each.center, each.part.name) == (center, name)]
    return found


@pytest.mark.parametrize("center", [None, "B"])
def test_intervals_are_those_of_the_weighted_bootstrap_over_patients(center: str | None) -> None:
    cohort, weights = cohort_of(), np.random.default_rng(2).lognormal(size=120)
    rows = np.ones(120, dtype=bool) if center is None else cohort.centers == center
    labels, scores, patients = cohort.labels[rows], cohort.scores[rows], cohort.patients[rows]  # type: ignore[index]
    drawn = bootstrap(labels, scores, average_precision, 40, 0, patients, weights[rows])
    found = of(weighed(cohort, weights), center, "Mass").weighted["AP"]
    assert (found.value, found.low, found.high) == pytest.approx((drawn.point[1], drawn.low[1], drawn.high[1]))
    known = ~np.isnan(labels[:, 1])
    truth = labels[known, 1], scores[known, 1]
    assert found.value == pytest.approx(average_precision_score(*truth, sample_weight=weights[rows][known]))
    auroc = of(weighed(cohort, weights), center, "Mass").weighted["AUROC"].value
    assert auroc == pytest.approx(roc_auc_score(*truth, sample_weight=weights[rows][known]))


def test_weighted_figures_are_those_worked_by_hand(tmp_path: Path) -> None:
    """Mass: a 1 of 1, b 0, c 3: AP = (1 x 1/1 + 3 x 4/8) / 4 = 5/8. Pairs: 1 x 7 + 3 x 3 of 4 x 7: AUROC 4/7.

    Called are a, b, c: precision 4/8, recall 4/4, F1 8/12. ECE: (.1 + 4 x .8 + 3 x .4 + 2.5 x .4 + .5 x .1) / 11.
    """
    found = line(evaluated(*files(tmp_path, with_weights()), "--weight-column", "weight"), "Mass")
    assert (found["n"], found["n_positive"], found["metrics"]["AP"]["value"]) == (5, 2, pytest.approx(5 / 6))
    expected = {"AP": 5 / 8, "AUROC": 4 / 7, "precision": 1 / 2, "recall": 1, "F1": 2 / 3, "ECE": 5.55 / 11}
    weighted = {metric: found["metrics"][f"weighted {metric}"]["value"] for metric in expected}
    assert weighted == pytest.approx(expected)


def test_every_format_has_them_beside_the_plain_ones_under_a_heading(tmp_path: Path, wording: Wording) -> None:
    given = (*files(tmp_path, with_weights()), "--center-column", "center", "--resamples", "20")

    def shown(output: str) -> str:
        result = run("evaluate", *given, "--weight-column", "weight", "--format", output)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    rows = list(csv.DictReader(io.StringIO(shown("csv"))))
    assert len(rows) == 3 * 8 * 12  # places, lines, plain and weighted metrics
    assert [row["metric"] for row in rows[6:8]] == ["weighted mAP", "weighted mAUROC"]
    for output, headings in {
        "text": ("All centers: AP", "All centers, weighted: AP", "Center south, weighted: F1"),
        "markdown": ("## All centers, weighted: AP, AUROC, F1", "## Center north, weighted: AP"),
        "latex": (r"\caption{All centers: AP", r"\caption{All centers, weighted: AP", "Center north, weighted: F1"),
    }.items():
        text = shown(output)
        assert all(heading in text for heading in headings)
        wording(line_with(" ".join(text.split()).split(". "), "images", "resamples", "its weight"))
    text = shown("text")
    assert re.search(r"^ Mass +5 +2 +0\.62.\[", text, re.MULTILINE) and max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("output", ["text", "csv", "json", "markdown", "latex"])
def test_a_column_that_is_not_named_changes_nothing(tmp_path: Path, output: str, wording: Wording) -> None:
    """`weight` may be that of the body."""
    words = ("--resamples", "20", "--format", output)
    plain = run("evaluate", *files(tmp_path), *words)
    beside = run("evaluate", *files(tmp_path, with_weights()), *words)
    assert plain.stdout == beside.stdout and not re.search(r"\bweighted", plain.stdout)
    wording(line_with(beside.stderr, "'center'", "'patient'", "'weight'"))


@pytest.mark.parametrize("command", ["evaluate", "check"])
@pytest.mark.parametrize(
    ("cell", "what"),
    [
        ("", "no weight"),
        ("heavy", "'heavy' is not a number"),
        ("1_0", "'1_0' is not a number"),
        ("0", "the weight 0 is not a positive finite number"),
        ("-2", "the weight -2 is not a positive finite number"),
        ("inf", "the weight inf is not a positive finite number"),
        ("1e999", "the weight 1e999 is not a positive finite number"),
        ("nan", "no weight: 'nan'"),
    ],
)
def test_a_bad_weight_is_told_with_its_line(
    tmp_path: Path, command: str, cell: str, what: str, wording: Wording
) -> None:
    labels = with_weights(weights=WEIGHTS | {"c": cell})
    result = run(command, *files(tmp_path, labels), "--weight-column", "weight")
    assert result.exit_code == 1
    wording(line_with(result.stderr, "labels.csv", "4", "'weight'", what))


def test_a_column_of_weights_that_is_not_there_is_wrong_input(tmp_path: Path) -> None:
    result = run("evaluate", *files(tmp_path), "--weight-column", "weight")
    assert result.exit_code == 2 and "has no column 'weight'" in result.stderr
