"""Reader studies from files: what is read, what is written back, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.core.reader_study import imrmc_text
from explorer.tabular.problems import WrongInput
from explorer.tabular.reader_study import read_reader_study
from tests.support.wording import Wording

TRUTH_ROWS = ("-1,a,0,0", "-1,b,0,1")
RATING_ROWS = (
    "Ann , a , alone , 1",
    "Ann,b,alone,2",
    "Ben,a,alone,1",
    "Ben,b,alone,1",
    "Ann,a,with AI,0",
    "Ann,b,with AI,3",
    "Ben,a,with AI,2",
    "Ben,b,with AI,2.5",
    "net,a,network,0.25",
    "net,b,network,0.75",
)
HEADER = "reader,case,modality,rating"


def written(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture(params=["csv", "imrmc"])
def study_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    head = (HEADER,) if request.param == "csv" else ("A study, of two", "NR: 3", "", "begin data:")
    return written(tmp_path / f"study.{request.param}", *head, *TRUTH_ROWS, *RATING_ROWS)


def test_readers_modalities_and_models_are_told_apart(study_file: Path, tmp_path: Path) -> None:
    study = read_reader_study(study_file)
    assert (study.readers, study.modalities, study.cases) == (("Ann", "Ben"), ("alone", "with AI"), ("a", "b"))
    np.testing.assert_array_equal(study.truth, [0, 1])
    np.testing.assert_array_equal(study.ratings, [[[1, 2], [1, 1]], [[0, 3], [2, 2.5]]])
    np.testing.assert_array_equal(study.models["network"], [0.25, 0.75])
    text = imrmc_text(study, "again")
    assert text.splitlines()[:6] == ["again", "NR: 3", "N0: 1", "N1: 1", "NM: 3", "BEGIN DATA:"]
    again = read_reader_study(written(tmp_path / "again.imrmc", text))
    np.testing.assert_array_equal(again.ratings, study.ratings)
    assert again.readers == study.readers and list(again.models) == ["network"]


WRONG = {
    "no truth": RATING_ROWS,
    "a truth of 2": ("-1,a,0,2", *RATING_ROWS),
    "two truths": (*TRUTH_ROWS, "-1,a,0,1", *RATING_ROWS),
    "one class": ("-1,a,0,0", "-1,b,0,0", *RATING_ROWS),
    "no rating": TRUTH_ROWS,
    "a missing rating": (*TRUTH_ROWS, *RATING_ROWS[1:]),
    "a rating twice": (*TRUTH_ROWS, *RATING_ROWS, "Ann,a,alone,2"),
    "a case without truth": (*TRUTH_ROWS, *RATING_ROWS, "Ann,c,alone,2"),
    "a word": (*TRUTH_ROWS, *RATING_ROWS[1:], "Ann,a,alone,likely"),
    "a short row": (*TRUTH_ROWS, "Ann,a"),
}


@pytest.mark.parametrize("rows", WRONG.values(), ids=WRONG)
def test_a_study_that_cannot_be_counted_is_refused(rows: tuple[str, ...], tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        read_reader_study(written(tmp_path / "study.csv", HEADER, *rows))
    wording(caught.value, str(tmp_path))


def test_a_table_without_the_columns_is_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        read_reader_study(written(tmp_path / "study.csv", "reader,film,score", "Ann,a,1"))
    wording(caught.value, str(tmp_path))
