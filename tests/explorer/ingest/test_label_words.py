"""What words of other people's tables mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.finding_names import InvalidName
from explorer.core.findings import FINDINGS, PADCHEST_WORDS
from explorer.ingest.label_words import MAX_AGE, age_of, finding_named, own_words, sex_of, view_of
from tests.support.wording import Wording


@pytest.mark.parametrize(
    ("word", "any_spelling", "padchest"),
    [
        ("Effusion", "Pleural Effusion", "Pleural Effusion"),
        ("No Finding", "Normal", "Normal"),
        ("pleural_thickening", "Pleural Thickening", "Pleural Thickening"),
        ("consolidation", "Consolidation", "Alveolar Pattern"),  # PadChest's is a kind of Alveolar Pattern
        ("rib fracture", "Rib Fracture", "Fracture"),
        ("NSG tube", "Support Devices", "Support Devices"),  # a word of PadChest alone
        ("costophrenic angle blunting", "Pleural Effusion", "Pleural Effusion"),
        ("infiltración", None, None),
    ],
)
def test_findings(word: str, any_spelling: str | None, padchest: str | None) -> None:
    assert finding_named(word, "any", {}) == any_spelling
    assert finding_named(word, "padchest", {}) == padchest


@pytest.mark.parametrize("word", PADCHEST_WORDS)
def test_every_word_of_padchest_is_known(word: str) -> None:
    assert finding_named(word.upper(), "padchest", {}) == PADCHEST_WORDS[word]
    assert finding_named(word, "any", {}) is not None


def test_own_words_count_before_all_others(wording: Wording) -> None:
    own = own_words({"Rib Fx": "fracture", "Mass": "Nodule"})
    assert finding_named("rib_fx", "any", own) == "Fracture"
    assert finding_named("mass", "padchest", own) == "Nodule"
    own = own_words({"cavern": "Lung Cavity", "Höhle": "lung_cavity", "derrame": "pleural-effusion"})
    assert own == {"cavern": "Lung Cavity", "höhle": "Lung Cavity", "derrame": "Pleural Effusion"}
    with pytest.raises(InvalidName) as caught:
        own_words({"Rib Fx": "--"})
    wording(caught.value, "'--'")


@pytest.mark.parametrize("name", FINDINGS)
def test_every_finding_means_itself(name: str) -> None:
    assert finding_named(name, "any", {}) == name


@pytest.mark.parametrize(
    ("word", "view"),
    [
        ("PA", "PA"),
        ("pa", "PA"),
        ("POSTEROANTERIOR", "PA"),
        ("AP", "AP"),
        ("AP_horizontal", "AP"),
        ("L", "lateral"),
        ("Lateral", "lateral"),
        ("LL", "lateral"),
        ("COSTAL", "unknown"),
        ("Frontal", "unknown"),  # PA or AP, the table does not say which
        ("", "unknown"),
    ],
)
def test_views(word: str, view: str) -> None:
    assert view_of(word) == view


@pytest.mark.parametrize(
    ("word", "sex"), [("F", "F"), ("female", "F"), ("m", "M"), ("Male", "M"), ("O", "unknown"), ("", "unknown")]
)
def test_sexes(word: str, sex: str) -> None:
    assert sex_of(word) == sex


@pytest.mark.parametrize(
    ("word", "years"),
    [
        ("58", 58),
        ("058", 58),
        ("58.0", 58),
        ("58,5", 58),
        ("058Y", 58),
        ("0", 0),
        ("013M", 1),
        ("011M", 0),
        ("003D", 0),
        ("120", 120),
        ("414", None),  # is in NIH's first table
        ("", None),
        ("-3", None),
        ("old", None),
        ("٥٨", None),
        ("1e2", None),
    ],
)
def test_ages(word: str, years: int | None) -> None:
    assert age_of(word) == years


@given(st.text())
def test_an_age_is_one_or_none(word: str) -> None:
    years = age_of(word)
    assert years is None or 0 <= years <= MAX_AGE
