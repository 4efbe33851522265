"""A user's own words: for views, sexes and labels, columns of boxes, long scores, and names of models in any case."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.layout import HOME_VARIABLE, cohort_folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.ingest.value_words import ValueWords, value_words
from explorer.tabular.long_table import wide_table
from explorer.tabular.notes import Notes
from explorer.tabular.problems import WrongInput
from tests.explorer.cli.command import LABELS, SCORES, run
from tests.explorer.ingest.brought import film, said, source_of, written
from tests.support.wording import Wording


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))


def test_words_of_the_table_mean_what_map_toml_says(tmp_path: Path) -> None:
    values = value_words(
        {"view": {"Thorax Seite": "lateral"}, "sex": {"2": "F"}, "labels": {"0.5": "uncertain", "Ja": "present"}}
    )
    text = "id,view,sex,Mass,Nodule\na,THORAX SEITE,2,0.5,ja\nb,PA,m,0,1\nc,seitlich,weiblich,1,0\n"
    source = source_of(tmp_path, text, view="view", sex="sex", values=values)
    assert said(source) == {
        "a": {"Mass": "uncertain", "Nodule": "present"},
        "b": {"Mass": "absent", "Nodule": "present"},
        "c": {"Mass": "present", "Nodule": "absent"},
    }
    assert [(each.view, each.sex) for each in source.entries] == [("lateral", "F"), ("PA", "M"), ("lateral", "F")]
    assert not source.rejects and not [note for note in source.notes if "not understood" in note]


def test_without_a_map_such_cells_are_rejected_or_reported(tmp_path: Path) -> None:
    source = source_of(tmp_path, "id,view,Mass\na,Thorax Seite,0.5\nb,PA,1\n", view="view")
    assert [each.image for each in source.rejects] == ["a"]
    declared = value_words({"view": {"Thorax Seite": "unknown"}})
    known = source_of(tmp_path, "id,view,Mass\na,Thorax Seite,0\nb,PA,1\n", view="view", values=declared)
    assert not [note for note in known.notes if "not understood" in note], "it is known to be unknown"


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"views": {}}, "no values of 'views'"),
        ({"sex": {"w": "woman"}}, "not 'woman'"),
        ({"labels": "0.5"}, "must map"),
        ([], "must be tables"),
    ],
)
def test_a_wrong_map_is_refused_in_words(given: object, part: str, wording: Wording) -> None:
    with pytest.raises(ValueError) as refused:
        value_words(given)
    wording(refused.value, part)


def test_nothing_stated_is_nothing_known() -> None:
    assert value_words({}) == ValueWords()


LONG = "image_id,finding,score\n" + "".join(
    f"{image},{finding},{score}\n"
    for line in SCORES.splitlines()[1:]
    for image, *scores in [line.split(",")]
    for finding, score in zip(SCORES.splitlines()[0].split(",")[1:], scores, strict=True)
)


def test_long_scores_give_the_table_of_wide_ones(tmp_path: Path) -> None:
    labels = written(tmp_path / "labels.csv", LABELS)
    wide, long = written(tmp_path / "scores.csv", SCORES), written(tmp_path / "long.csv", LONG)
    options = ("--labels", str(labels), "--resamples", "20", "--format", "csv")
    expected = run("evaluate", *options, "--scores", str(wide))
    done = run("evaluate", *options, "--scores", str(long), "--long", "finding, score")
    assert done.exit_code == 0 and done.stdout == expected.stdout
    assert "6 images, 3 findings" in done.stderr
    wrong = run("evaluate", *options, "--scores", str(long), "--long", "finding")
    assert wrong.exit_code == 2 and "--long" in wrong.stderr


@pytest.mark.parametrize(
    ("row", "part"),
    [
        ("a,Mass,0.2\n", "scores 0.9 and 0.2"),
        (",Mass,0.2\n", "names no image"),
        ("a,,0.2\n", "names no finding"),
        ("a\n", "1 cells"),
    ],
)
def test_a_wrong_row_is_refused_with_its_line(tmp_path: Path, row: str, part: str) -> None:
    path = written(tmp_path / "S.csv", "image_id,finding,score\na,Mass,0.9\n" + row)
    with pytest.raises(WrongInput, match=f"line 3.*{part}"), wide_table(path, "image_id", "finding", "score", Notes()):
        pass


def test_a_models_name_may_have_capitals(tmp_path: Path) -> None:
    labels, long = written(tmp_path / "labels.csv", LABELS), written(tmp_path / "long.csv", LONG)
    order = ("--labels", str(labels), "--out", "mine", "--long", "finding,score", "--patient-column", "patient")
    done = run("ingest", "predictions", str(long), "--model", "ResNet50_v2", *order)
    assert done.exit_code == 0, done.stderr
    manifest = read_model_manifest(cohort_folder("mine").model("resnet50_v2"))
    assert (manifest.model, manifest.title) == ("resnet50_v2", "ResNet50_v2")
    for command in (("evaluate", "--resamples", "5"), ("thresholds",), ("calibration", "--resamples", "5")):
        found = run(*command, "--cohort", "mine", "--model", "RESNET50_V2")
        assert found.exit_code == 0, found.stderr
    twice = run("compare", "--cohort", "mine", "--model", "ResNet50_v2", "--model", "resnet50_v2")
    assert twice.exit_code == 2 and "named twice" in twice.stderr


def test_boxes_of_a_table_with_names_of_its_own(tmp_path: Path, wording: Wording) -> None:
    for seed, name in enumerate("ab"):
        written(tmp_path / "films" / f"{name}.png", film(seed))
    table = written(tmp_path / "T.csv", "id,Mass\na,1\nb,0\n")
    columns = written(tmp_path / "map.toml", 'image_id = "id"\n')
    images = ("--images", str(tmp_path / "films"))
    made = run("ingest", "csv", "--table", str(table), "--columns", str(columns), *images, "--out", "mine")
    assert made.exit_code == 0, made.stderr
    text = "Aufnahme,Befund,links,oben,breit,hoch\na,Rundherd,16,32,8,16\n"
    boxes = written(tmp_path / "boxes.csv", text)
    order = ("ingest", "boxes", str(boxes), "--cohort", "mine")
    named = written(
        tmp_path / "boxes.toml",
        'image = "Aufnahme"\nfinding = "Befund"\nx = "links"\ny = "oben"\nwidth = "breit"\nheight = "hoch"\n'
        '[words]\nRundherd = "Mass"\n',
    )
    assert run(*order).exit_code == 2
    done = run(*order, "--columns", str(named))
    assert done.exit_code == 0, done.stderr
    assert "Mass" in done.stdout and cohort_folder("mine").boxes.exists()
    wrong = run(*order, "--replace", "--columns", str(written(tmp_path / "wrong.toml", 'left = "links"\n')))
    assert wrong.exit_code == 2 and "'left'" in wrong.stderr
