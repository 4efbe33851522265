"""Negations, several findings and other languages, case by case. No model is needed."""

from __future__ import annotations

import pytest

from explorer.asking.abbreviations import MEANINGS, UNCLEAR
from explorer.asking.answer import NearFinding
from explorer.asking.cautions import cautions, radiographic, scored_text
from explorer.asking.language import foreign
from explorer.asking.negation import without_negation
from explorer.asking.several import anything, several
from explorer.asking.verdict import DISTRUSTED
from explorer.asking.vocabulary import among, vocabulary

FAR = NearFinding("Mass", 0.3)


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("no effusion", "effusion"),
        ("No evidence of a pneumothorax.", "pneumothorax"),
        ("there is no pleural effusion", "pleural effusion"),
        ("without any signs of edema", "edema"),
        ("effusion is not seen", "effusion"),
        ("pneumonia was ruled out", "pneumonia"),
        ("heart is not enlarged", "heart enlarged"),
        ("emphysema without bullae", "emphysema"),
        ("lungs without nodules", "lungs nodules"),
        ("effusion", "effusion"),
        ("nodule", "nodule"),
        ("nonspecific opacity", "nonspecific opacity"),
        ("no acute disease", "normal"),
        ("no findings", "normal"),
        ("nothing abnormal", "normal"),
        ("nothing wrong", "nothing wrong"),  # a word for Normal
        ("effusion but no edema", "effusion"),
        ("effusion, no edema", "effusion"),
        ("not normal", "abnormal"),
        ("lungs are not clear", "abnormal"),
        ("rule out pneumonia", "pneumonia"),
        ("r/o effusion", "effusion"),
        ("no abnormality", "no abnormality"),  # a word for Normal
        ("lungs not fully filled", "lungs not fully filled"),  # a word for Hypoexpansion
        ("no", "no"),
    ],
)
def test_a_negation_is_taken_off(text: str, scored: str) -> None:
    assert without_negation(text) == scored


@pytest.mark.parametrize(
    ("text", "scored"),
    [
        ("PTX", "pneumothorax"),
        ("small left ptx", "small left pneumothorax"),
        ("no PNA", "pneumonia"),
        ("RLL pna?", "right lower lobe pneumonia"),
        ("ETT", "endotracheal tube"),
        ("optx", "optx"),
        ("COPD", "COPD"),  # the text tower knows the word itself
    ],
)
def test_abbreviations_are_written_out(text: str, scored: str) -> None:
    assert scored_text(text) == scored


def test_every_meaning_of_an_abbreviation_is_radiographic_and_none_means_two_things() -> None:
    assert not MEANINGS.keys() & UNCLEAR.keys()
    assert all(radiographic(f"{meaning}", FAR, False) for meaning in MEANINGS.values())
    assert all(short == short.casefold() and not among(short, vocabulary().everyday) for short in MEANINGS)


def test_an_unclear_abbreviation_gets_no_verdict() -> None:
    (caution,) = warned("PE")
    assert caution.kind == "unclear abbreviation" and caution.kind in DISTRUSTED
    assert "pleural effusion or pulmonary embolism" in caution.words
    assert [each.kind for each in warned("PTX")] == ["abbreviation"]
    assert [each.kind for each in warned("no ptx")] == ["abbreviation", "negated"]


@pytest.mark.parametrize(
    ("text", "asks_for_several"),
    [
        ("effusion and cardiomegaly", True),
        ("pneumothorax/effusion", True),
        ("effusion cardiomegaly", True),
        ("enlarged aorta, broken ribs", True),
        ("endotracheal tube and central line", True),
        ("air and fluid around the lung", False),  # a word for Hydropneumothorax
        ("left and right pleural effusion", False),
        ("hilar and mediastinal adenopathy", False),
        ("pneumonia or bronchopneumonia", False),  # one finding by two names
        ("wires and clips", False),
        ("large, dense opacity", False),
    ],
)
def test_several_findings(text: str, asks_for_several: bool) -> None:
    assert several(text) is asks_for_several


@pytest.mark.parametrize(
    ("text", "asks_for_anything"),
    [
        ("abnormal", True),
        ("any abnormal finding", True),
        ("something wrong", True),
        ("nothing wrong", False),  # a word for Normal
        ("abnormal foreign body", False),
        ("effusion", False),
        ("left", False),
    ],
)
def test_anything_abnormal_is_no_finding(text: str, asks_for_anything: bool) -> None:
    assert anything(text) is asks_for_anything


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("derrame pleural izquierdo", "Spanish"),
        ("coração aumentado", "Portuguese"),
        ("épanchement pleural", "French"),
        ("Lungenentzündung", "German"),
        ("плеврит", "another script"),
        ("胸腔积液", "another script"),
        ("cardiomegally", None),  # a slip of the pen is English
        ("plural effusion", None),
    ],
)
def test_other_languages(text: str, language: str | None) -> None:
    assert foreign(text) == language


@pytest.mark.parametrize(
    ("text", "yes"), [("rib notching", True), ("small left nodule", True), ("a cat", False), ("broken leg", False)]
)
def test_what_a_chest_radiograph_may_show(text: str, yes: bool) -> None:
    assert radiographic(text, FAR, measured=True) is yes


def test_near_words_make_a_question_radiographic_only_where_nearness_was_measured() -> None:
    near = NearFinding("Mass", 0.9)
    assert radiographic("wonderful lumps", near, measured=True)
    assert not radiographic("wonderful lumpiness", near, measured=False)


def test_each_warning_says_what_to_do_or_to_believe() -> None:
    said = {
        each.kind: each.words for text in ("no effusion", "derrame", "a cat", "mass, effusion") for each in warned(text)
    }
    assert 'the answer is about "effusion"' in said["negated"]
    assert "ask for the finding in English" in said["not English"]
    assert "does not seem to be a finding" in said["not radiographic"]
    assert "one at a time" in said["several findings"]
    assert ["This asks for anything abnormal. Ask for one finding, or for: normal."] == [
        each.words for each in warned("abnormal")
    ]
    assert [each.kind for each in warned("history of pneumonia")] == ["side or size"]
    assert not warned("pleural effusion")


def warned(text: str) -> tuple:
    return tuple(cautions(text, scored_text(text), FAR, True))
