"""Sealed names of films: they open with their key alone, and neither they nor their length tell."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from explorer.school.class_file.sealed import KEY_FILE, Seal, WrongSeal, machine_seal
from explorer.simulator import ABNORMAL
from explorer.simulator.address import make_address

ONE, OTHER = Seal(b"1" * 32), Seal(b"2" * 32)


def test_what_was_closed_opens_with_its_key_alone() -> None:
    for text in ("", "a", "é" * 300, make_address("B", 41, ["Mass"])):
        code = ONE.close(text)
        assert ONE.open(code) == text and ONE.close(text) == code != OTHER.close(text)
        with pytest.raises(WrongSeal):
            OTHER.open(code)


def test_no_letter_of_a_code_can_be_changed() -> None:
    code = ONE.close(make_address("A", 7, ["Goiter"]))
    for place in range(len(code) - 1):  # the last one has bits that stand for nothing
        changed = code[:place] + ("A" if code[place] != "A" else "B") + code[place + 1 :]
        with pytest.raises(WrongSeal):
            ONE.open(changed)


@pytest.mark.parametrize("sent", [None, "", 5, [], "é", "x", "A" * 22, "A" * 5000, "=", "a b"])
def test_what_is_no_code_is_refused_in_words(sent: object) -> None:
    with pytest.raises(WrongSeal) as refusal:
        ONE.open(sent)
    assert KEY_FILE in refusal.value.detail


def test_the_length_does_not_tell_whether_there_is_a_finding() -> None:
    lengths = {
        len(ONE.close(make_address("A", 300_041, findings))) for findings in ([], *([each] for each in ABNORMAL))
    }
    assert len(lengths) == 1


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    code = machine_seal(tmp_path / "home").close("film")
    assert machine_seal(tmp_path / "home").open(code) == "film"
    assert stat.S_IMODE((tmp_path / "home" / KEY_FILE).stat().st_mode) == 0o600
    assert [each.name for each in (tmp_path / "home").iterdir()] == [KEY_FILE]


def test_where_nothing_can_be_written_a_key_lasts_as_long_as_the_program(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    seal = machine_seal(tmp_path / "file")
    assert seal.open(seal.close("film")) == "film"
