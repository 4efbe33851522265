"""The sheet that a reader of inserted findings fills in is compared with its key."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from tests.benchmarks.inserted_look import made, scored

KEY = {
    "film": ["film-01.png", "film-02.png", "film-03.png", "film-04.png"],
    "finding": ["Mass", "Mass", "Mass", "Nodule"],
    "kind": ["real", "severity 0.3", "severity 0.6", "real"],
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    pd.DataFrame(KEY).to_csv(tmp_path / "key.csv", index=False)
    for film in KEY["film"]:
        (tmp_path / film).write_bytes(b"a picture")
    return tmp_path


def answered(place: Path, inserted: list[str], seen: list[str]) -> None:
    sheet = pd.DataFrame(KEY).drop(columns="kind").assign(inserted=inserted, seen=seen)
    sheet.to_csv(place / "films.csv", index=False)


def test_answers_are_compared_and_the_unmarked_pictures_deleted(place: Path) -> None:
    answered(place, ["no", "no", "yes", "yes"], ["yes", "no", "yes", "no"])
    lines = list(scored(place))
    assert lines[0].startswith("correct 2 of 4 [")
    assert [line.partition(" [")[0] for line in lines if line.startswith(("Mass", "Nodule"))] == [
        "Mass: correct 2 of 3",
        "Nodule: correct 0 of 1",
    ]
    assert any(line.startswith("severity 0.3: correct 0 of 1") and "seen 0 of 1" in line for line in lines)
    assert any(line.startswith("severity 0.6: correct 1 of 1") and "seen 1 of 1" in line for line in lines)
    assert not list(place.glob("*.png"))


def test_a_missing_answer_is_named_and_nothing_is_deleted(place: Path) -> None:
    answered(place, ["no", "", "yes", "yes"], ["yes", "no", "yes", "no"])
    with pytest.raises(ValueError, match=r"inserted is yes or no in films.csv: film-02.png"):
        list(scored(place))
    assert len(list(place.glob("*.png"))) == 4


@pytest.mark.slow
@pytest.mark.shared
def test_the_order_and_the_sheet_tell_nothing(tmp_path: Path) -> None:
    list(made(tmp_path / "films", seed=3, of_each=2))
    sheet, key = (pd.read_csv(tmp_path / "films" / name) for name in ("films.csv", "key.csv"))
    assert list(sheet.columns) == ["film", "finding", "inserted", "seen"] and sheet.inserted.isna().all()
    assert (
        key.groupby("finding").kind.apply(sorted).map(tuple) == ("real", "real", "severity 0.3", "severity 0.6")
    ).all()
    assert {path.name for path in (tmp_path / "films").glob("*.png")} == set(key.film)
