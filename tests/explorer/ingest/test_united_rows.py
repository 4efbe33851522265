"""Several rows of one image are one film with what any of them says; what contradicts itself is rejected whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.ingest.rejects import RejectReason
from tests.explorer.ingest.brought import reasons, said, source_of
from tests.support.wording import Wording

UNITED = "a finding is present where any of them says so."


def test_a_row_for_each_box(tmp_path: Path, wording: Wording) -> None:
    source = source_of(tmp_path, "id,x,Mass\np1,100,1\np2,,0\np1,300,1\n")
    assert said(source) == {"p1": {"Mass": "present"}, "p2": {"Mass": "absent"}}
    assert len(source.notes) == 1
    wording(source.notes, "T.csv", "2 rows", "1 image", "4", "'p1'")
    assert source.rejects == []


def test_a_row_for_each_finding(tmp_path: Path) -> None:
    text = "id,found\nv1,Cardiomegaly\nv1,Effusion\nv2,No Finding\nv2,No Finding\nv1,Mass\nv3,\nv3,Mass\nv4,nan\nv4,\n"
    source = source_of(tmp_path, text, "absent", findings="found")
    present = {
        case: {name for name, label in labels.items() if label == "present"} for case, labels in said(source).items()
    }
    assert present == {
        "v1": {"Cardiomegaly", "Pleural Effusion", "Mass"},
        "v2": {"Normal"},
        "v3": {"Mass"},
        "v4": set(),
    }
    assert said(source)["v2"]["Mass"] == said(source)["v3"]["Cardiomegaly"] == "absent"
    assert said(source)["v4"] == {}


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [("1", "0", "present"), ("1", "-1", "present"), ("-1", "0", "uncertain"), ("0", "", "absent"), ("", "", None)],
)
def test_what_either_row_says_counts_in_either_order(
    tmp_path: Path, one: str, other: str, together: str | None
) -> None:
    expected = {"a": {} if together is None else {"Mass": together}}
    for first, second in ((one, other), (other, one)):
        assert said(source_of(tmp_path, f"id,Mass,x\na,{first},1\na,{second},2\n")) == expected


def test_what_only_one_row_says_of_the_film_is_kept(tmp_path: Path) -> None:
    text = "id,pat,where,view,age,Mass\na,,,PA,,0\na,p1,Jos,,40,0\n"
    (entry,) = source_of(tmp_path, text, patient="pat", center="where", view="view", age="age").entries
    assert (entry.patient, entry.center, entry.view, entry.age) == ("p1", "Jos", "PA", 40)


@pytest.mark.parametrize("column", ["patient", "study", "center", "view", "sex", "age", "split", "file"])
def test_rows_that_name_different_films_are_rejected_with_the_difference(tmp_path: Path, column: str) -> None:
    one, other = {"view": ("PA", "AP"), "sex": ("F", "M"), "age": ("40", "41")}.get(column, ("x", "y"))
    text = f"id,what,Mass\na,{one},1\nb,{one},0\na,{other},0\n"
    source = source_of(tmp_path, text, **{column: "what"})
    assert [entry.case for entry in source.entries] == ["b"]
    assert sorted(reasons(source)) == [(2, "a", RejectReason.DIFFERENT_FILMS), (4, "a", RejectReason.DIFFERENT_FILMS)]
    assert source.rejects[0].detail.startswith(f"line 2 says {column} ")


def test_normal_in_one_row_and_a_finding_in_another_is_a_contradiction(tmp_path: Path) -> None:
    source = source_of(tmp_path, "id,found\na,Normal\na,Mass\nb,Normal\nb,Support Devices\n", findings="found")
    assert reasons(source) == [(2, "a", RejectReason.NORMAL_AND_FINDING)]
    assert source.rejects[0].detail == "lines 2 and 3 together: Mass"
    assert [entry.case for entry in source.entries] == ["b"]


def test_an_image_is_not_kept_without_a_row_that_cannot_be_used(tmp_path: Path, wording: Wording) -> None:
    """What that row says would count as absent."""
    source = source_of(tmp_path, "id,found\na,Mass\na,Nodule/Mass\nb,Effusion\n", "absent", findings="found")
    assert [entry.case for entry in source.entries] == ["b"]
    assert [(each.line, each.reason) for each in source.rejects] == [
        (3, RejectReason.JOINED_WORDS),
        (2, RejectReason.JOINED_WORDS),
    ]
    wording(source.rejects[1].detail, "3")


def test_rows_of_zeros_count_together_where_these_are_rejected(tmp_path: Path) -> None:
    text = "id,Mass\na,0\na,1\nb,0\nb,0\n"
    source = source_of(tmp_path, text, reject_all_zero=True)
    assert reasons(source) == [(4, "b", RejectReason.ALL_ZERO)]
    assert said(source) == {"a": {"Mass": "present"}}


def test_rows_of_a_rejected_image_are_not_called_united(tmp_path: Path, wording: Wording) -> None:
    text = "id,pat,Normal,Mass\nf,1,1,0\nf,1,0,1\ni,2,0,1\ni,3,0,1\n"
    source = source_of(tmp_path, f"{text}d,4,0,1\nd,4,0,0\n", patient="pat")
    assert len(source.notes) == 1
    wording(source.notes, "T.csv", "2 rows", "1 image", "6", "7")
    assert source_of(tmp_path, f"{text}d,4,0,1\n", patient="pat").notes == []
