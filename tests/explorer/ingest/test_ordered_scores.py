"""Scores in float32 keep the order that they were given in, and ties are those that were given."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cohorts import layout
from explorer.ingest.ordered_scores import in_float32
from tests.explorer.cli.command import evaluated, line, run
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording, line_with

NUMBERS = st.one_of(
    st.floats(0, 1),
    st.sampled_from([0.0, -0.0, 1.0, 0.7, 1e-300, 5e-324]),
    st.integers(0, 40).map(lambda k: 1 - k * 1e-16),
    st.integers(0, 40).map(lambda k: 0.5 + k * 1e-12),
)


@given(st.lists(NUMBERS, min_size=1, max_size=60))
def test_order_and_ties_are_those_of_the_numbers_given(numbers: list[float]) -> None:
    given = np.array(numbers)
    kept = in_float32(given)
    assert kept.dtype == np.float32 and ((kept >= 0) & (kept <= 1)).all()
    np.testing.assert_array_equal(np.sign(kept[:, None] - kept), np.sign(given[:, None] - given))
    np.testing.assert_allclose(kept, given, rtol=0, atol=60 * 6e-8)


@given(st.lists(st.integers(0, 2**24).map(lambda k: k / 2**24), min_size=1, max_size=60))
def test_numbers_that_float32_tells_apart_are_rounded_and_no_more(numbers: list[float]) -> None:
    np.testing.assert_array_equal(in_float32(np.array(numbers)), np.array(numbers, np.float32))


def tables(folder: Path) -> tuple[Path, Path]:
    """200 films; each positive scores higher than each negative, by 1e-10."""
    films = [(f"e{k:03}", k % 3 == 0, f"{0.9999999 + 1e-10 * k * (1 if k % 3 == 0 else -1):.12f}") for k in range(200)]
    labels = "".join(f"{film},Jos,p{film},{there:d}\n" for film, there, _ in films)
    scores = "".join(f"{film},{score}\n" for film, _, score in films)
    return (
        written(folder / "labels.csv", f"id,site,patient,Mass\n{labels}"),
        written(folder / "scores.csv", f"id,Mass\n{scores}"),
    )


def test_a_cohort_ranks_as_the_files_do_and_says_that_scores_were_close(
    home: Path, tmp_path: Path, wording: Wording
) -> None:
    labels, scores = tables(tmp_path)
    options = ("--id-column", "id", "--center-column", "site", "--patient-column", "patient")
    made = run(
        "ingest", "predictions", str(scores), "--labels", str(labels), "--out", "mine", "--model", "ours", *options
    )
    assert made.exit_code == 0
    wording(line_with(made.stdout, "'Mass'"))
    of_files = line(evaluated("--labels", str(labels), "--scores", str(scores), "--id-column", "id"), "Mass")["metrics"]
    board = run("evaluate", "--cohort", "mine", "--model", "ours", "--format", "json")
    kept = {row["metric"]: row["value"] for row in json.loads(board.stdout)["rows"]}
    for metric in ("AP", "AUROC", "F1"):
        assert kept[f"m{metric}"] == pytest.approx(of_files[metric]["value"], abs=1e-12), metric
    assert of_files["AUROC"]["value"] == 1


@pytest.mark.parametrize(("score", "called"), [("0.7", True), ("0.69999999999", False), ("0.70000000001", True)])
def test_a_score_stays_on_its_side_of_the_threshold(home: Path, tmp_path: Path, score: str, called: bool) -> None:
    labels = written(tmp_path / "labels.csv", "id,Mass\na,1\nb,0\n")
    scores = written(tmp_path / "scores.csv", f"id,Mass\na,{score}\nb,0.1\n")
    options = ("--id-column", "id", "--threshold", "0.7", "--model", "ours", "--out", "mine")
    assert run("ingest", "predictions", str(scores), "--labels", str(labels), *options).exit_code == 0
    (part,) = layout.cohort_folder("mine").predictions("ours").iterdir()
    kept = {row["case"]: row["score"] for row in pq.read_table(part).to_pylist()}
    (point,) = pq.read_table(layout.cohort_folder("mine").operating_points("ours")).to_pylist()
    assert (kept["a"] >= point["threshold"]) == called
    assert [kept["a"], point["threshold"]] == pytest.approx([0.7, 0.7], abs=1e-6)
