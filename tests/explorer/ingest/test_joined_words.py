"""Findings of a list that another mark than the separator joins: taken apart, or refused; never absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.core.finding_words import finding_of
from explorer.ingest.joined_words import split_word
from explorer.ingest.rejects import Rejected, RejectReason
from tests.explorer.ingest.brought import reasons, said, source_of
from tests.support.wording import Wording, line_with


def is_finding(word: str) -> bool:
    return finding_of(word) is not None


@pytest.mark.parametrize(
    "cell",
    ["Mass;Effusion", "Mass , Effusion", "Mass + Effusion", "Mass and Effusion", "Mass\tEffusion", "Mass & Effusion."]
    + [
        "Mass Effusion",
        "mass-effusion",
        "{Mass,Effusion}",
        "Mass;nan;Effusion",
        "Mass|Effusion;mass",
        "Effusion.|Mass",
    ],
)
def test_a_list_is_taken_apart_where_its_marks_say_and(tmp_path: Path, cell: str, wording: Wording) -> None:
    source = source_of(tmp_path, f'id,found\na,"{cell}"\nb,Nodule\n', "absent", findings="found")
    assert said(source)["a"] == {"Mass": "present", "Pleural Effusion": "present", "Nodule": "absent"}
    assert source.rejects == [] and source.words == {}
    wording(line_with(source.notes, "T.csv", "1 list"))


def test_how_many_lists_are_taken_apart_is_said(tmp_path: Path, wording: Wording) -> None:
    text = "id,found\na,Mass;Effusion\nb,Mass;Effusion\nc,Nodule;Mass\nd,Nodule\n"
    source = source_of(tmp_path, text, "absent", findings="found")
    assert len(source.notes) == 1
    wording(source.notes, "T.csv", "3 lists", "';'", "'found'", "'Mass;Effusion'")


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [
        ("Nodule/Mass", 'write separator = "/"'),  # one of the two, or both?
        ("Pneumonia/Viral/COVID-19", 'write separator = "/"'),
        ("Mass;scar", 'write separator = ";"'),
        ("Mass: Effusion", 'write separator = ":"'),
        ("Mass?", "say under [words]"),
        ("Mass (old)", "say under [words]"),
        ("Mass or Nodule", "say under [words]"),
    ],
)
def test_a_finding_among_other_words_is_refused_with_a_remedy(
    tmp_path: Path, cell: str, remedy: str, wording: Wording
) -> None:
    source = source_of(tmp_path, f"id,found\na,{cell}\nb,Nodule\n", "absent", findings="found")
    assert reasons(source) == [(2, "a", RejectReason.JOINED_WORDS)]
    assert remedy in source.rejects[0].detail
    wording(source.rejects[0].detail)


@pytest.mark.parametrize("word", ["scar;burn", "a/b", "left pleural effusion", "no mass", "COVID-19", "kyphoplasty"])
def test_words_that_hold_no_finding_stay_as_they_are(word: str) -> None:
    assert split_word(word, is_finding) is None


def test_a_word_of_ones_own_is_not_taken_apart(tmp_path: Path) -> None:
    words = {"nodule/mass": "Mass", "mass;scar": "Lump"}
    text = "id,found\na,Nodule/Mass\nb,Mass;scar\n"
    source = source_of(tmp_path, text, "unknown", findings="found", words=words)
    assert said(source) == {"a": {"Mass": "present"}, "b": {"Lump": "present"}}


def test_a_finding_is_never_lost_between_marks() -> None:
    """Whatever mark joins two findings, both are there or the word is refused."""
    for mark in map(chr, (*range(32, 48), *range(58, 65), *range(91, 97), *range(123, 127), 0x2022, 0x00B7, 0x3001)):
        if mark == "'":
            continue  # a part of words
        try:
            joined = split_word(f"Mass{mark}Effusion", is_finding)
        except Rejected:
            continue
        assert joined is not None and joined.words == ["Mass", "Effusion"], mark
