"""Negations, several findings and other languages, case by case. No model is needed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from explorer.asking import german
from explorer.asking.abbreviations import ABBREVIATIONS, UNCLEAR_ABBREVIATIONS
from explorer.asking.answer import NearFinding
from explorer.asking.cautions import cautions, cut_short, is_radiographic, scored_text
from explorer.asking.finding_match import named_finding
from explorer.asking.german import german_term
from explorer.asking.language import foreign_language
from explorer.asking.negation import without_negation
from explorer.asking.question import cut_question
from explorer.asking.several import asks_for_anything, asks_for_several
from explorer.asking.verdict import DISTRUSTED
from explorer.asking.vocabulary import is_listed, vocabulary
from models.prompts.terms import terms
from tests.support.wording import Wording, line_with

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
    assert not ABBREVIATIONS.keys() & UNCLEAR_ABBREVIATIONS.keys()
    assert all(is_radiographic(f"{meaning}", FAR, False) for meaning in ABBREVIATIONS.values())
    assert all(short == short.casefold() and not is_listed(short, vocabulary().everyday) for short in ABBREVIATIONS)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("collapsed lung", "pneumothorax", "atelectasis"),
        ("Left collapsed lung?", "pneumothorax", "atelectasis"),
        ("water on the lungs", "pulmonary edema", "pleural effusion"),
    ],
)
def test_everyday_words_for_two_findings_ask_back(text: str, one: str, other: str, wording: Wording) -> None:
    found = [each for each in warned(text) if each.kind == "two meanings"]
    assert [each.instead for each in found] == [one, other] and "two meanings" in DISTRUSTED
    wording(found[0].words, one, other)


@pytest.mark.parametrize("text", ["partly collapsed lung", "collapsed lung from leaked air", "fluid around the lung"])
def test_words_that_say_which_finding_do_not(text: str) -> None:
    assert "two meanings" not in {each.kind for each in warned(text)}


@pytest.mark.parametrize("text", ["NG tube", "bat wing", "empyema", "cor bovinum"])
def test_words_in_use_are_known(text: str) -> None:
    assert {each.kind for each in warned(text)} <= {"abbreviation"}


def test_a_sign_of_a_finding_is_not_the_finding() -> None:
    assert named_finding("Kerley B lines") is None and named_finding("pulmonary edema") == "Edema"


def test_an_unclear_abbreviation_gets_no_verdict(wording: Wording) -> None:
    (caution,) = warned("PE")
    assert caution.kind == "unclear abbreviation" and caution.kind in DISTRUSTED
    wording(caution.words, "pleural effusion", "pulmonary embolism")
    assert [each.kind for each in warned("PTX")] == ["abbreviation"]
    assert [each.kind for each in warned("no ptx")] == ["abbreviation", "negated"]


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_several_findings(text: str, expected: bool) -> None:
    assert asks_for_several(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_anything_abnormal_is_no_finding(text: str, expected: bool) -> None:
    assert asks_for_anything(text) is expected


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
        ("qwertz", None),  # no language has letters in this order
        ("krzpt vrblk", None),
        ("zxcvbn", None),
        ("jabberwock", None),
        ("Hernie", "French"),
        ("Gef\u00e4\u00dfzeichnung", "German"),
    ],
)
def test_other_languages(text: str, language: str | None) -> None:
    assert foreign_language(text) == language


@pytest.mark.parametrize(
    ("text", "yes"), [("rib notching", True), ("small left nodule", True), ("a cat", False), ("broken leg", False)]
)
def test_what_a_chest_radiograph_may_show(text: str, yes: bool) -> None:
    assert is_radiographic(text, FAR, measured=True) is yes


def test_near_words_make_a_question_radiographic_only_where_nearness_was_measured() -> None:
    near = NearFinding("Mass", 0.9)
    assert is_radiographic("wonderful lumps", near, measured=True)
    assert not is_radiographic("wonderful lumpiness", near, measured=False)


def test_each_warning_says_what_to_do_or_to_believe(wording: Wording) -> None:
    said = {
        each.kind: each.words for text in ("no effusion", "derrame", "a cat", "mass, effusion") for each in warned(text)
    }
    wording(line_with(said["negated"], '"effusion"'))
    wording(line_with(said["not English"], "English"))
    wording(line_with(said["not radiographic"], "not", "finding"))
    assert "one at a time" in said["several findings"]
    (caution,) = warned("abnormal")
    wording(caution.words, "normal")
    assert [each.kind for each in warned("history of pneumonia")] == ["side or size"]
    assert not warned("pleural effusion")


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Pleuraerguss links", "pleural effusion"),
        ("kleiner Pleuraergu\u00df", "pleural effusion"),
        ("Loes mir das: Rippenbrueche", "fracture"),  # umlauts spelled out, a plural
        ("vergr\u00f6\u00dfertes Herz", "cardiomegaly"),
        ("das Herz ist sehr gro\u00df", "cardiomegaly"),
        ("Luft unter der Haut", "subcutaneous emphysema"),  # and not "Luft um die Lunge"
        ("Hernie", "hernia"),  # whole: French has the word too
        ("Pneumothorax rechts", "pneumothorax"),
        ("COPD Emphysem", "emphysema"),
    ],
)
def test_german_words_for_findings_are_offered_in_english(text: str, english: str) -> None:
    (caution, *_) = warned(text)
    assert (caution.kind, caution.instead) == ("not English", english) and caution.kind in DISTRUSTED
    assert f'is German for "{english}"' in caution.words
    assert scored_text(text) == text


@pytest.mark.parametrize("text", ["Milz und Leber sind gro\u00df", "Befund bitte", "\u00fcber die Stra\u00dfe"])
def test_german_that_is_no_finding_is_refused_plainly(text: str, wording: Wording) -> None:
    (caution,) = warned(text)
    wording(caution.words, "German", "English")
    assert caution.instead is None


@pytest.mark.parametrize("text", ["pneumothorax", "goiter", "hernia", "bulla", "tumor in the lung", "sternotomy"])
def test_english_is_not_looked_up_in_the_german_dictionary(text: str) -> None:
    assert german_term(text) is None and not warned(text)


def test_the_german_dictionary_has_every_finding_and_no_phrase_for_two() -> None:
    table = tomllib.loads(Path(german.__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    assert table.keys() == terms().keys()
    phrases = [phrase for each in table.values() for phrase in each]
    assert len(phrases) == len({phrase.casefold() for phrase in phrases})
    for finding, each in table.items():
        found = {german_term(phrase) for phrase in each} - {None}
        assert {term.finding for term in found if term} == {finding} or all(
            named_finding(phrase) == finding for phrase in each
        )


@pytest.mark.parametrize("text", ["qwertz", "krzpt vrblk", "blorptastic", "aaaa"])
def test_a_non_word_is_said_to_be_none(text: str, wording: Wording) -> None:
    (caution,) = warned(text)
    assert caution.kind == "unknown word" and caution.kind in DISTRUSTED
    wording(caution.words, text)


def test_a_text_that_was_cut_says_so_and_what_was_asked(wording: Wording) -> None:
    (caution,) = cut_short(cut_question("enlarged heart " * 20))
    asked = ("enlarged heart " * 13).strip()
    assert caution.kind == "cut" and caution.kind not in DISTRUSTED
    wording(caution.words, "299", "200", asked)
    assert not list(cut_short(cut_question("enlarged heart")))


def warned(text: str) -> tuple:
    return tuple(cautions(text, scored_text(text), FAR, True))
