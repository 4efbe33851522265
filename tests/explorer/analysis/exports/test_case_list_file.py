"""A list as a file: what the model says of its cases, notes only where they are asked for, and all of it read back."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from explorer.analysis.exports.case_list_file import ListFileKind, export_list, import_list
from explorer.cohorts.case_marks import ListedCase, WrongMark
from explorer.cohorts.mark_edits import deleting, listing, noting, starring, tagging
from explorer.store.store import Store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording

LISTED = [ListedCase("=1+1", "Mass"), ListedCase("b"), ListedCase("c", "Mass")]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    films = [
        Film("=1+1", {"Mass": "present"}, {"Mass": 0.25}),
        Film("b", {"Mass": "absent"}, {"Mass": 0.75}, others={"two": {"Mass": "present"}}),
        Film("c", {"Mass": "absent"}, {"Mass": 0.5}),
    ]
    store = store_of(write_small(tmp_path, films, {"Mass": 0.5}))
    for edit in (
        listing("For Tuesday", LISTED),
        starring(["c"], on=True),
        tagging("=1+1", ["apex", "subtle"]),
        noting("=1+1", "=look\nhere"),
    ):
        store.change_marks(NAME, edit)
    return store


def lines(store: Store, *, notes: bool = False) -> list[dict[str, str]]:
    file = export_list(store, NAME, MODEL, "For Tuesday", "csv", notes=notes)
    assert (file.name, file.media_type) == ("tailscope_list_small_for-tuesday.csv", "text/csv")
    return list(csv.DictReader(io.StringIO(file.data.decode(), newline="")))


def test_the_table_has_the_image_id_and_what_the_model_says(store: Store) -> None:
    first, second, third = lines(store)
    assert (first["case"], first["finding"], first["outcome"], float(first["score"])) == ("'=1+1", "Mass", "miss", 0.25)
    assert (first["tags"], first["label"], float(first["threshold"])) == ("apex, subtle", "present", 0.5)
    assert (second["case"], second["finding"], second["outcome"]) == ("b", "", "")  # the film as a whole
    assert (third["outcome"], third["starred"]) == ("false alarm", "yes")
    assert "note" not in first


@pytest.mark.parametrize("kind", ["csv", "json"])
@pytest.mark.parametrize("notes", [False, True])
def test_it_is_read_back_as_it_was(store: Store, kind: ListFileKind, notes: bool) -> None:
    before = store.marks(NAME)
    data = export_list(store, NAME, MODEL, "For Tuesday", kind, notes=notes).data.decode()
    assert ("look" in data) == notes
    edits = [deleting("For Tuesday"), starring(["c"], on=False), tagging("=1+1", []), noting("=1+1", "")]
    for edit in edits:
        store.change_marks(NAME, edit)
    found = import_list(store, NAME, data, "" if kind == "json" else "For Tuesday")
    assert (found.name, found.added, found.unknown) == ("For Tuesday", 3, 0)
    after = store.marks(NAME)
    assert after.lists == before.lists and after.of("c") == before.of("c")
    assert after.of("=1+1").tags == before.of("=1+1").tags
    assert after.of("=1+1").note == (before.of("=1+1").note if notes else "")


def test_what_is_marked_here_stays_and_strangers_are_counted(store: Store) -> None:
    text = "\ufeffcase,tags,note\r\n=1+1,new,another\r\nb,,taken\r\nstranger,x,\r\n"
    found = import_list(store, NAME, text, "other")
    assert (found.added, found.unknown) == (2, 1)
    marks = store.marks(NAME)
    assert marks.of("=1+1").tags == ("apex", "new", "subtle") and marks.of("=1+1").note == "=look\nhere"
    assert marks.of("b").note == "taken" and "stranger" not in marks.cases
    assert import_list(store, NAME, text, "other").added == 0


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("case;tags\n=1+1;new\nb;\n", ["semicolons"]),
        ("case\ttags\t\r=1+1\tnew\t\rb\t\t\r", ["tabs", "empty column"]),
        ("sep=;\ncase;tags\n=1+1;new\nb;\n;\n", ["semicolons", "1 row"]),
        (",case,tags\n0,films/=1+1.png,new\n1,films/b.png,\n", ["index", "folders"]),
    ],
)
def test_a_table_as_people_have_it_says_how_it_was_read(
    store: Store, text: str, notes: list[str], wording: Wording
) -> None:
    found = import_list(store, NAME, text, "other")
    assert (found.added, found.unknown, len(found.notes)) == (2, 0, len(notes))
    assert all(words in str(said) for words, said in zip(notes, found.notes, strict=True))
    wording([str(said) for said in found.notes])
    assert store.marks(NAME).of("=1+1").tags == ("apex", "new", "subtle")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "case list"),
        ("image,finding\na,b\n", "a column `case`"),
        ('{"cases": 3}', "case list"),
        ("c\0a\0s\0e\0\n\0b\0", "UTF-8"),
        ("case\nM\ufffdller\n", "UTF-8"),
        ("{" * 100_000, "case list"),
        ('{"list": "x", "cases": [{"case": "nobody"}]}', "None of its cases"),
        ("x" * 5_000_001, "too long"),
        (json.dumps({"cases": [{"case": "b"}]}), "needs a name"),
        (json.dumps({"list": "x", "cases": [{"case": "b", "note": "n" * 2001}]}), "up to 2,000 characters"),
    ],
)
def test_another_file_is_refused_and_changes_nothing(store: Store, text: str, said: str, wording: Wording) -> None:
    before = store.marks(NAME)
    with pytest.raises(WrongMark) as refused:
        import_list(store, NAME, text, "")
    assert said in str(refused.value) and store.marks(NAME) == before
    wording(refused.value)
