"""Whose the files are: random where nothing was typed, refused in words where what was typed cannot stand there."""

from __future__ import annotations

import uuid

import pytest

from explorer.analysis.exports.dicom.identity import WrongIdentity, export_identity


def test_what_nobody_typed_is_random_and_new_each_time() -> None:
    some = [export_identity() for _ in range(50)]
    assert len({each.patient_id for each in some}) == len({each.study_uid for each in some}) == 50
    assert all(each.anonymous and each.patient_id.startswith("TAILSCOPE-") for each in some)
    for each in some:
        root, number = each.study_uid.split(".")[0], each.study_uid.removeprefix("2.25.")
        assert (root, uuid.UUID(int=int(number)).version) == ("2", 4), "no clock and no network address is in it"


def test_what_was_typed_stands_there() -> None:
    both = export_identity(" 4711 ", "1.2.840.0.33")
    assert (both.patient_id, both.study_uid, both.anonymous) == ("4711", "1.2.840.0.33", False)
    assert export_identity(study_uid="1.2").anonymous is False
    assert export_identity("4711").study_uid.startswith("2.25.")


@pytest.mark.parametrize("patient", ["a\\b", "a\nb", "x" * 65, "a\x1b[2J", "a\u202eb"])
def test_a_wrong_patient_id_is_refused_without_being_repeated(patient: str) -> None:
    with pytest.raises(WrongIdentity) as refusal:
        export_identity(patient)
    assert patient not in str(refusal.value)


@pytest.mark.parametrize(
    "study", ["1", "1.", ".1", "1..2", "1.02", "1.a", "1.2\\3", "1." + "2" * 63, "1.\u0663", "-1.2"]
)
def test_a_wrong_study_uid_is_refused(study: str) -> None:
    with pytest.raises(WrongIdentity, match="study"):
        export_identity("", study)
