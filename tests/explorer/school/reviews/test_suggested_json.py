"""A JSON file of suggested labels against its schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.school.reviews.review import ReviewFilm
from explorer.school.reviews.suggested import suggested_by_file, unnamed_note, with_suggestions
from explorer.school.reviews.suggested_file import SuggestedLabels
from explorer.school.reviews.suggested_json import FILM_FIELDS, STATES, schema_text, suggested_json
from explorer.tabular.problems import FailedChecks, WrongInput
from tests.explorer.school.reviews.made_reviews import FINDINGS
from tests.support.wording import Wording

CASES = ("a", "b", "c", "d", "e", "f", "g")


def written(place: Path, text: str) -> Path:
    file = place / "llm.json"
    file.write_text(text, encoding="utf-8")
    return file


def films(*each: object) -> str:
    return json.dumps({"films": each})


def test_labels_are_read_by_case_in_the_order_of_the_review(tmp_path: Path, wording: Wording) -> None:
    first = {"case": "b", "findings": {"Pleural Effusion": "present", "Nodule": "uncertain", "Mass": "present"}}
    second = {"case": "a", "findings": {"Mass": "absent"}}
    found = suggested_by_file(written(tmp_path, films(first, second)), CASES, FINDINGS)
    assert found == {
        "b": SuggestedLabels(("Mass", "Pleural Effusion"), ("Nodule",)),
        "a": SuggestedLabels((), (), ("Mass",)),
    }
    both = [ReviewFilm("a", None, None), ReviewFilm("b", None, None)]
    assert [(film.suggested, film.uncertain) for film in with_suggestions(both, found)] == [
        ((), ()),
        (("Mass", "Pleural Effusion"), ("Nodule",)),
    ]
    wording(" ".join(unnamed_note(found, both, FINDINGS)), "2 labels of 1 film")


def test_every_break_of_the_schema_is_named_and_counted(tmp_path: Path, wording: Wording) -> None:
    right = {"case": "g", "findings": {"Mass": "present"}}
    broken = [
        "a",
        {"case": "a"},
        {"case": "a", "findings": {"Mass": "present"}, "score": 1},
        {"case": "x", "findings": {"Mass": "present"}},
        {"case": 7, "findings": {"Mass": "present"}},
        {"case": "g", "findings": {"Mass": "absent"}},
        {"case": "b", "findings": {}},
        {"case": "c", "findings": ["Mass"]},
        {"case": "d", "findings": {"Masss": "present"}},
        {"case": "e", "findings": {"Mass": "yes", "Nodule": True, "Pleural Effusion": None}},
    ]
    repeated = '{"case": "f", "findings": {"Mass": "present", "Mass": "absent"}}'
    text = films(right, *broken)[:-2] + f", {repeated}]}}"
    with pytest.raises(FailedChecks) as caught:
        suggested_json(written(tmp_path, text), CASES, FINDINGS)
    wording(
        caught.value, "13 problems", "film 2:", "film 7: 'g' has an earlier entry", "film 12: 'Mass' is named twice"
    )


def test_many_breaks_of_one_kind_are_counted(tmp_path: Path) -> None:
    wrong = [{"case": f"x{number}", "findings": {"Mass": "present"}} for number in range(40)]
    with pytest.raises(FailedChecks, match="40 films whose case is not in the cohort"):
        suggested_json(written(tmp_path, films(*wrong)), CASES, FINDINGS)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"films": {}}',
        '{"films": []}',
        '{"films": [], "model": "x"}',
        '{"films": [1], "films": [2]}',
        "[" * 100_000,
    ],
    ids=["cut off", "a list", "an object of films", "no film", "another field", "films twice", "deep"],
)
def test_a_file_of_another_form_is_refused(text: str, tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        suggested_json(written(tmp_path, text), CASES, FINDINGS)
    wording(str(caught.value).replace(str(tmp_path), "FOLDER"), "llm.json")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="cannot be read"):
        suggested_json(tmp_path / "none.json", CASES, FINDINGS)
    (tmp_path / "latin.json").write_bytes('{"films": "é"}'.encode("latin-1"))
    with pytest.raises(WrongInput, match="UTF-8"):
        suggested_json(tmp_path / "latin.json", CASES, FINDINGS)


def test_the_schema_says_what_is_checked() -> None:
    schema = json.loads(schema_text())
    assert schema["required"] == [*schema["properties"]] == ["films"] and not schema["additionalProperties"]
    film = schema["properties"]["films"]["items"]
    assert film["required"] == [*film["properties"]] == [*FILM_FIELDS] and not film["additionalProperties"]
    findings = film["properties"]["findings"]
    assert findings["additionalProperties"] == {"enum": [*STATES]} and findings["minProperties"] == 1
