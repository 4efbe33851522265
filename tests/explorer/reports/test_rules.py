"""Rule files: what a radiologist may write, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.core.findings import TASKS
from explorer.reports import LANGUAGES, WrongRules, label, read_rules, rules
from explorer.reports.language import other_language
from explorer.reports.phrases import Phrases, WrongPhrase
from models.prompts.terms import terms
from tests.support.wording import Wording


def matched(phrase: str, text: str) -> list[str]:
    return [text[each.start : each.end] for each in Phrases([(phrase, 0)], ["and"]).matches(text)]


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("air-space opacity", "Airspace opacities, AIR SPACE opacity.", ["Airspace opacities", "AIR SPACE opacity"]),
        ("(small|tiny) nodule", "A tiny nodule.", ["tiny nodule"]),
        ("lymph (hilar|) node", "lymph node, lymph hilar nodes", ["lymph node", "lymph hilar nodes"]),
        ("hyper-inflat*", "hyperinflated", ["hyperinflated"]),
        ("heart ... enlarged", "The heart is mildly enlarged.", ["heart is mildly enlarged"]),
        ("heart ... enlarged", "The heart, enlarged. Heart and hila enlarged.", []),
        ("is likely .", "is likely fluid; is likely, here", ["is likely"]),
        ("neumotórax", "NEUMOTORAX", ["NEUMOTORAX"]),
        ("mass", "massive", []),
    ],
)
def test_a_phrase_matches(phrase: str, text: str, found: list[str]) -> None:
    assert matched(phrase, text) == found


@pytest.mark.parametrize("phrase", ["", "(a|b", "... heart", "heart ...", "((a|b) c|d)", "- x"])
def test_a_phrase_that_cannot_be_read_is_refused(phrase: str, wording: Wording) -> None:
    with pytest.raises(WrongPhrase) as refused:
        Phrases([(phrase, 0)])
    wording(refused.value)


def test_every_finding_of_the_challenge_has_rules_in_both_languages() -> None:
    for language in LANGUAGES:
        assert {*TASKS["seen"], *TASKS["unseen"]} <= set(rules(language).findings)


def test_the_names_that_prompts_have_for_a_finding_mention_it() -> None:
    lost = {
        (finding, name)
        for finding, each in terms().items()
        for name in each.names
        if finding != "Normal" and label(f"{name}.").get(finding) != "present"
    }
    assert lost == {("Emphysema", "chronic obstructive pulmonary disease")}, "a disease that a film does not show"


def test_a_file_that_extends_the_shipped_rules_adds_to_them(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "english"\n[findings."Lung Cavity"]\nmentions = ["cavity"]\n'
        '[findings.Hernia]\nmentions = ["upside-down stomach"]\n[cues.negation]\nbefore = ["zero"]\n',
        encoding="utf-8",
    )
    used = read_rules(path)
    assert label("Zero cavity. Upside-down stomach. No effusion.", used) == {
        "Lung Cavity": "absent",
        "Hernia": "present",
        "Pleural Effusion": "absent",
    }


def test_stemmed_reports_are_read_by_rules_that_say_so(tmp_path: Path) -> None:
    path = tmp_path / "stems.toml"
    path.write_text('extends = "spanish"\nstems = true\n', encoding="utf-8")
    text = "no apreci derram pleural . cardiomegali . resolucion neumotorax ."
    said = {"Pleural Effusion": "absent", "Cardiomegaly": "present", "Pneumothorax": "absent"}
    assert label(text, read_rules(path)) == said
    assert label(text, rules("spanish")) != said


@pytest.mark.parametrize(
    "text",
    [
        "stems = 1",
        "findings = 3",
        "[findings.Mass]\nmention = []",
        '[findings.Mass]\nmentions = "mass"',
        '[findings.Mass]\nmentions = ["(mass"]',
        '[findings.""]\nmentions = ["mass"]',
        'extends = "klingon"',
        "[cues.maybe]\nbefore = []",
        "not TOML",
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, text: str, wording: Wording) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongRules) as refused:
        read_rules(path)
    wording(str(refused.value).replace(str(path), "mine.toml"))
    with pytest.raises(WrongRules):
        read_rules(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Kein Nachweis von Infiltraten, der Herzschatten ist nicht verbreitert, links kein Erguss.", "German"),
        ("Pas d'épanchement pleural et la silhouette cardiaque est normale dans les limites.", "French"),
        ("No se observa derrame pleural. Elongación de la aorta con ateromatosis del cayado.", "Spanish"),
        ("Очаговых и инфильтративных теней не выявлено", "another script"),
        ("The lungs are clear. No effusion is seen.", None),
        ("Cardiomegaly.", None),
    ],
)
def test_a_report_in_another_language_is_recognized(text: str, language: str | None) -> None:
    assert other_language(text, rules()) == language
