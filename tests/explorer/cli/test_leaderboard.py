"""`evaluate --cohort` on the shipped phantom: the leaderboard from what is cached, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score
from typer.testing import Result

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.metrics.bootstrap import bootstrap, difference, macro_interval
from explorer.metrics.metrics import average_precision
from explorer.store.slices import Slice
from tests.explorer.cli.command import files, run
from tests.support.lasting_store import loaded_store
from tests.support.wording import Wording, line_with

TWO = ("--model", "phantom", "--model", "lab-crt-0")
QUICK = ("--resamples", "20")


def board(*words: str, output: str = "json") -> Any:  # noqa: ANN401 - JSON, or text of another format
    result = run("evaluate", "--cohort", "phantom", *TWO, *QUICK, *words, "--format", output)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout) if output == "json" else result.stdout


def refused(*words: str) -> Result:
    result = run("evaluate", *words)
    assert result.exit_code == 2 and not result.stdout
    return result


@pytest.fixture(scope="module")
def everything() -> dict[str, Any]:
    return board()


def figure(table: dict[str, Any], model: str, metric: str, findings: str = "seen findings") -> dict[str, Any]:
    (found,) = [
        row
        for row in table["rows"]
        if (row["model"], row["metric"], row["findings"], row["center"]) == (model, metric, findings, None)
    ]
    return found


def test_points_are_scikit_learns_and_intervals_the_exact_bootstrap(everything: dict[str, Any]) -> None:
    store, results = loaded_store(), []
    for model in ("phantom", "lab-crt-0"):
        chosen = Slice("phantom", model)
        columns = [store.column(chosen, finding) for finding in store.facets("phantom", model).findings]
        for metric, theirs in (("mAP", average_precision_score), ("mAUROC", roc_auc_score)):
            values = [theirs(column.label, column.score) for column in columns]
            assert figure(everything, model, metric)["value"] == pytest.approx(sum(values) / 30, abs=1e-9)
        labels, scores = (np.stack([getattr(each, name) for each in columns], axis=1) for name in ("label", "score"))
        drawn = bootstrap(labels, scores, average_precision, 20, unit=list(columns[0].patient))
        results.append(drawn)
        _, low, high = macro_interval(drawn, range(30))
        found = figure(everything, model, "mAP")
        assert (found["ci_low"], found["ci_high"]) == pytest.approx((low, high), abs=2e-3), "patients in another order"
    less = macro_interval(difference(results[1], results[0]), range(30))
    assert figure(everything, "lab-crt-0", "mAP")["difference"] == pytest.approx(less[0], abs=1e-9)
    assert figure(everything, "phantom", "mAP")["difference"] is None


def test_every_group_and_center_is_there(everything: dict[str, Any]) -> None:
    parts = list(dict.fromkeys((row["findings"], row["center"]) for row in everything["rows"]))
    groups = ["seen findings", "without Normal", "common", "medium", "rare", "very rare"]
    assert parts == [*((group, None) for group in groups), ("seen findings", "A"), ("seen findings", "B")]
    assert len(everything["rows"]) == 8 * 6 * 2 and len(everything["winners"]) == 30
    assert sum(row["p_first"] for row in everything["rows"][:2]) == pytest.approx(1)


def test_the_formats_have_the_same_figures(everything: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(board(output="csv"))))
    assert len(rows) == len(everything["rows"])
    for row, other in zip(rows, everything["rows"], strict=True):
        assert float(row["value"]) == pytest.approx(other["value"], abs=1e-6)
    mean = f"{figure(everything, 'lab-crt-0', 'mAP')['value']:.3f}"
    for output in ("text", "markdown", "latex"):
        text = board(output=output)
        assert "lab-crt-0" in text and mean in text and "SIMULATED" in text and "P(first)" in text
    assert r"\begin{tabular}{lllllll}" in board(output="latex")


def test_filters_leave_films_of_that_kind_alone() -> None:
    found = board("--where", "center=B, view=AP")
    films = loaded_store().count(Slice("phantom", "phantom", center="B", view="AP")).films
    assert figure(found, "phantom", "mAP")["films"] == films
    assert {row["center"] for row in found["rows"]} == {None}
    assert f"at B, AP films: {films} films" in found["title"]


def test_films_are_picked_by_any_filter_of_explore(wording: Wording) -> None:
    found = board("--where", "group=very rare, outcome=miss, severity=faint")
    asked = Slice("phantom", "phantom", group=FrequencyGroup.VERY_RARE, outcomes=(Outcome.MISS,), severity="faint")
    films = loaded_store().count(asked).films
    assert films and f"severity faint (under 0.33): {films} films" in found["title"]
    wording(line_with(found["notes"], "scores of phantom"))


def test_natural_counts_films_by_their_weight(everything: dict[str, Any]) -> None:
    natural = board("--natural")
    assert figure(natural, "phantom", "mAP")["value"] < figure(everything, "phantom", "mAP")["value"]
    assert figure(natural, "phantom", "mAP")["weighted"] == "natural"


def test_one_model_has_nobody_to_be_ahead_of() -> None:
    result = run("evaluate", "--cohort", "phantom", "--model", "phantom", *QUICK)
    assert result.exit_code == 0 and "P(first)" not in result.stdout.split("best by finding")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--cohort", "nowhere", "--model", "phantom"), r"no cohort 'nowhere'.*There are:.*phantom"),
        (("--cohort", "phantom"), r"No model is named.*lab-crt-0"),
        (("--cohort", "phantom", "--model", "nobody"), r"'nobody' has not scored phantom.*There are: .*lab-crt-0"),
        (("--cohort", "phantom", *TWO, "--model", "phantom"), r"phantom is named twice"),
        (("--cohort", "phantom", *TWO, "--where", "hospital=B"), r"no filter 'hospital'.*There are: center, view"),
        (("--cohort", "phantom", *TWO, "--where", "center=Z"), r"No film has center=Z.*There are: A, B"),
        (("--cohort", "phantom", *TWO, "--where", "B"), r"'B' .*name=value"),
        (("--cohort", "phantom", *TWO, "--where", "view=AP, view=PA"), r"filter view .*one"),
        (("--cohort", "phantom", "--model", "phantom", "--model", "zero-shot-name"), r"no finding in common"),
        (("--cohort", "phantom", *TWO, "--threshold", "0.3"), r"--threshold .*two CSV files"),
        (("--where", "center=B"), r"--where .*--cohort NAME"),
        ((), r"--labels and --scores, or --cohort"),
    ],
)
def test_a_wrong_name_is_refused_with_what_there_is(words: tuple[str, ...], said: str) -> None:
    told = " ".join(refused(*words).stderr.replace("\u2502", " ").split())
    assert re.search(said, told), told


def test_files_beside_a_cohort_are_refused(tmp_path: Path, wording: Wording) -> None:
    wording(line_with(refused("--cohort", "phantom", *TWO, *files(tmp_path)).stderr, "--labels", "CSV"))


def test_a_file_is_written(tmp_path: Path) -> None:
    out = tmp_path / "board.csv"
    assert run("evaluate", "--cohort", "phantom", *TWO, *QUICK, "--format", "csv", "--out", str(out)).exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("cohort,center,findings,model,metric,value")
