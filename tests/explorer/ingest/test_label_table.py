"""Tables: what becomes an entry, with which labels, and what is rejected and why."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cohorts.schema import LABELS, NO_CENTER
from explorer.core.findings import FINDINGS as FACTS
from explorer.ingest.columns import ColumnMap
from explorer.ingest.label_table import read_label_table
from explorer.ingest.rejects import RejectReason
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import reasons, rows, said, source_of, wheel, written
from tests.support.wording import Wording

FINDINGS = ("Normal", "Mass", "Nodule", "Support Devices")
CELLS = {"1": "present", "0": "absent", "-1": "uncertain", "": None, "1.0": "present", "0.0": "absent"}


def test_identifiers_are_text_and_everything_is_kept(tmp_path: Path, wording: Wording) -> None:
    text = (
        "id,Pfad,pat,study,where,view,sex,age,w,h,fold,Mass\n"
        "007,a/b.png,08,1e5,Köln,L,female,058Y,2500,3056,k1,1\n"
        "7,,,,,,,,,,,\n"
    )
    columns = dict(
        zip(
            ("patient", "study", "center", "view", "sex", "age"),
            ("pat", "study", "where", "view", "sex", "age"),
            strict=True,
        )
    )
    source = source_of(tmp_path, text, file="Pfad", width="w", height="h", split="fold", **columns)
    first, second = source.entries
    assert (first.case, first.file, first.patient, first.study) == ("007", "a/b.png", "08", "1e5")
    assert (first.center, first.view, first.sex, first.age) == ("Köln", "lateral", "F", 58)
    assert (first.width, first.height, first.split, first.line) == (2500, 3056, "k1", 2)
    assert (second.case, second.file, second.patient, second.study) == ("7", "7", None, None)
    assert (second.center, second.view, second.sex, second.age) == (NO_CENTER, "unknown", "unknown", None)
    assert (second.width, second.split) == (None, None)
    assert len(source.notes) == 1
    wording(source.notes, "1")


@pytest.mark.parametrize(
    ("blank", "expected"),
    [("unknown", {"Mass": "present"}), ("absent", {"Mass": "present", "Nodule": "absent", "Normal": "absent"})],
)
def test_what_a_blank_cell_means(tmp_path: Path, blank: str, expected: Mapping[str, str]) -> None:
    assert said(source_of(tmp_path, "id,Normal,Mass,Nodule\na,,1,\n", blank)) == {"a": expected}


@pytest.mark.parametrize(
    ("blank", "expected"),
    [
        ("unknown", {"a": {"Mass": "present"}, "b": {"Nodule": "present"}, "c": {}, "d": {}}),
        (
            "absent",
            {
                "a": {"Mass": "present", "Nodule": "absent"},
                "b": {"Mass": "absent", "Nodule": "present"},
                "c": {},  # says nothing at all: nothing is known
                "d": {"Mass": "absent", "Nodule": "absent"},  # says something that has no name here
            },
        ),
    ],
)
def test_what_a_list_does_not_name(
    tmp_path: Path, blank: str, expected: Mapping[str, Mapping[str, str]], wording: Wording
) -> None:
    text = "id,found\na,Mass|mass\nb,nodule| \nc,\nd,kyphoplasty\n"
    source = source_of(tmp_path, text, blank, findings="found")
    assert said(source) == expected
    assert source.words == {"kyphoplasty": 1}
    nothing = sum(not labels for labels in expected.values())
    assert len(source.notes) == 2
    wording(source.notes, nothing, "1")


@pytest.mark.parametrize(
    ("cell", "separator"),
    [
        ("Mass|Effusion", "|"),
        ("Mass;Effusion", ";"),
        ("\"['mass', 'pleural effusion']\"", ","),
        ('"Mass, Effusion"', ","),
        ("Mass and Effusion", " and "),
    ],
)
def test_lists_are_split_where_they_are_said_to_be(tmp_path: Path, cell: str, separator: str) -> None:
    source = source_of(tmp_path, f"id,found\na,{cell}\n", findings="found", separator=separator)
    assert said(source) == {"a": {"Mass": "present", "Pleural Effusion": "present"}}


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [("1", "0", "present"), ("-1", "0", "uncertain"), ("0", "0", "absent"), ("0", "", None), ("-1", "", "uncertain")],
)
def test_columns_for_the_same_finding_are_one(tmp_path: Path, one: str, other: str, together: str | None) -> None:
    source = source_of(tmp_path, f"id,pacemaker,NSG tube\na,{one},{other}\n")
    assert said(source) == {"a": {} if together is None else {"Support Devices": together}}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (",0,1,0,0", RejectReason.NO_IDENTIFIER),
        ("  ,0,1,0,0", RejectReason.NO_IDENTIFIER),
        ("b,0,1,0", RejectReason.CELLS),
        ("b,0,1,0,0,0", RejectReason.CELLS),
        ("b,0,2,0,0", RejectReason.NO_LABEL),
        ("b,0,yes,0,0", RejectReason.NO_LABEL),
        ("b,0,1.00,+0,0", None),
        ("b,1,1,0,0", RejectReason.NORMAL_AND_FINDING),
        ("b,1,1,1,1", RejectReason.NORMAL_AND_FINDING),
        ("b,0,0,0,0", None),  # a film without any of the findings
        ("b,1,0,0,1", None),  # Support Devices may stand beside Normal
        ("b,1,-1,0,0", None),  # uncertain is not present
        ("b,,0,0,0", None),  # nobody says that it is not Normal
        ("b,0,0,0,1", None),
    ],
)
def test_rejects(tmp_path: Path, line: str, reason: RejectReason | None) -> None:
    source = source_of(tmp_path, f"id,{','.join(FINDINGS)}\na,1,0,0,0\n{line}\nz,0,1,0,0\n")
    image = line.split(",")[0]
    assert reasons(source) == ([] if reason is None else [(3, image, reason)])
    assert [entry.case for entry in source.entries] == (["a", "z"] if reason else ["a", "b", "z"])


@pytest.mark.parametrize(
    ("cell", "rejected"),
    [("No Finding|Mass", True), ("Normal|Support Devices", False), ("Normal|kyphoplasty", False), ("Normal", False)],
)
def test_rejects_of_lists(tmp_path: Path, cell: str, rejected: bool) -> None:
    source = source_of(tmp_path, f"id,found\na,{cell}\n", findings="found")
    assert reasons(source) == ([(2, "a", RejectReason.NORMAL_AND_FINDING)] if rejected else [])


@pytest.mark.parametrize("findings", [("Mass", "Nodule"), ("Normal", "Mass")])
def test_a_row_of_zeros_is_a_film_without_the_findings(tmp_path: Path, findings: tuple[str, str]) -> None:
    source = source_of(tmp_path, f"id,{','.join(findings)}\na,0,0\n")
    assert said(source) == {"a": dict.fromkeys(findings, "absent")}
    assert source.rejects == []


@pytest.mark.parametrize(
    ("cells", "blank", "rejected"),
    [
        ("0,0,0", "unknown", True),
        ("0,0,", "unknown", False),  # nobody says that there is no Nodule
        ("0,0,", "absent", True),
        (",,", "unknown", False),
        ("0,0,-1", "unknown", False),
        ("0,1,0", "unknown", False),
    ],
)
def test_rows_of_zeros_are_rejected_where_that_is_asked_for(
    tmp_path: Path, cells: str, blank: str, rejected: bool
) -> None:
    source = source_of(tmp_path, f"id,Normal,Mass,Nodule\na,{cells}\n", blank, reject_all_zero=True)
    assert reasons(source) == ([(2, "a", RejectReason.ALL_ZERO)] if rejected else [])


def test_a_list_of_unknown_words_is_all_zero_where_what_is_not_named_is_absent(tmp_path: Path) -> None:
    text = "id,found\na,kyphoplasty\nb,Mass\nc,\n"
    source = source_of(tmp_path, text, "absent", findings="found", reject_all_zero=True)
    assert reasons(source) == [(2, "a", RejectReason.ALL_ZERO)]
    assert [entry.case for entry in source.entries] == ["b", "c"]


def test_films_whose_only_finding_has_no_name_here_stay_and_are_counted(tmp_path: Path, wording: Wording) -> None:
    text = (
        "id,Normal,Mass,kyphoplasty,scar,age years,note\n"
        "a,0,0,1,0,1,\n"  # kyphoplasty alone
        "b,0,0,0,1,1,\n"  # a scar alone
        "c,0,1,1,0,1,\n"  # a Mass too
        "d,1,0,1,0,1,\n"  # Normal, says the table
        "e,0,0,0,0,1,\n"  # nothing; an age of 1 year is no finding
        "f,0,0,0,0,57,1\n"  # nothing, and a note that says 1
        "g,0,0,0,0,1,old film\n"
    )
    source = source_of(tmp_path, text)
    assert [entry.case for entry in source.entries] == list("abcdefg")
    assert said(source)["a"] == {"Normal": "absent", "Mass": "absent"}
    assert len(source.notes) == 1
    wording(source.notes, "2")


def test_cells_that_nobody_understands_are_counted(tmp_path: Path, wording: Wording) -> None:
    text = "id,Mass,view,age\na,1,sideways,414\nb,1,PA,4\nc,1,down,\n"
    source = source_of(tmp_path, text, view="view", age="age")
    assert len(source.notes) == 2
    wording(source.notes, "2", "'sideways'", "'down'", "1", "'414'")
    assert [entry.age for entry in source.entries] == [None, 4, None]


def test_a_table_without_findings_is_one_without_labels(tmp_path: Path) -> None:
    source = source_of(tmp_path, "id,colour\na,red\n", center_name="Köln")
    assert (source.findings, source.words, source.blank) == ((), {"colour": 1}, "no labels")
    assert source.entries[0].center == "Köln"


@pytest.mark.parametrize("columns", [{"view": "none"}, {"findings": "none"}, {"image_id": "none"}])
def test_a_column_that_is_not_there_is_refused(tmp_path: Path, columns: Mapping[str, str], wording: Wording) -> None:
    path = written(tmp_path / "T.csv", "id,Mass\na,1\n")
    with pytest.raises(WrongInput) as caught:
        read_label_table(path, ColumnMap(**{"image_id": "id"} | columns), "unknown")
    wording(caught.value, "'none'")


def test_latin_text_is_refused_with_a_remedy(tmp_path: Path, wording: Wording) -> None:
    path = written(tmp_path / "T.csv", "id,Mass\nMüller,1\n".encode("latin-1"))
    with pytest.raises(WrongInput) as caught:
        read_label_table(path, ColumnMap(image_id="id"), "unknown")
    wording(caught.value, "CSV", "UTF-8")


@given(
    st.lists(
        st.tuples(st.sampled_from(list(CELLS)), st.sampled_from(list(CELLS)), st.sampled_from(list(CELLS))),
        min_size=1,
        max_size=20,
    )
)
def test_every_row_is_an_entry_with_its_labels_or_a_reject(table: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = rows(("id", *FINDINGS[:3]), *((f"{place:03}", *cells) for place, cells in enumerate(table)))
        source = source_of(Path(folder), text)
    kept = said(source)
    assert len(kept) + len(source.rejects) == len(table)
    for place, cells in enumerate(table):
        case, (normal, *others) = f"{place:03}", [CELLS[cell] for cell in cells]
        contradiction = normal == "present" and "present" in others
        assert (case not in kept) == contradiction
        if case in kept:
            expected = dict(zip(FINDINGS, (normal, *others), strict=False))
            assert kept[case] == {finding: label for finding, label in expected.items() if label}


@pytest.mark.slow
def test_the_real_padchest_table_has_the_counts_of_the_facts(tmp_path: Path) -> None:
    packed = wheel("PADCHEST_chest_x_ray_images_labels_160K_01.02.19.csv.gz").read_bytes()
    columns = ColumnMap(
        image_id="ImageID", view="Projection", findings="Labels", separator=",", spelling="padchest", study="StudyID"
    )
    source = read_label_table(written(tmp_path / "padchest.csv", gzip.decompress(packed)), columns, "absent")
    assert len(source.entries) + len(source.rejects) == 160_861
    assert {reject.reason for reject in source.rejects} == {RejectReason.NORMAL_AND_FINDING}
    frontal = [entry.marks for entry in source.entries if entry.view in ("PA", "AP")]
    for place, finding in enumerate(source.findings):
        facts = FACTS.get(finding)
        if facts is not None and facts.padchest_frontal is not None:
            count = sum(place < len(marks.codes) and LABELS[marks.codes[place]] == "present" for marks in frontal)
            assert facts.padchest_frontal - len(source.rejects) <= count <= facts.padchest_frontal, finding
