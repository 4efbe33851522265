"""What the labeler makes of traps, by hand; and how it agrees with sentences that others wrote."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.reports import label, mentions, rules, with_own_findings
from tests.support.report_sentences import agreements

ROOT = Path(__file__).parents[3]
PIECES = (
    "effusion",
    " ",
    ", ",
    "no ",
    "cannot exclude ",
    ".\n",
    "FINDINGS: ",
    "INDICATION:",
    "or ",
    "?",
    "É",
    "\u0130",
    "1. ",
)
# Each sentence and what it says; the first two and "may represent" are CheXpert's examples of its phases (Irvin et al.
# 2019), the traps are those that the issue of this feature lists, the others are ours.
SAID = {
    "No evidence of pulmonary edema, pleural effusions or pneumothorax.": {
        "Edema": "absent",
        "Pleural Effusion": "absent",
        "Pneumothorax": "absent",
    },
    "Cannot exclude pneumothorax.": {"Pneumothorax": "uncertain"},
    "Opacity that may represent atelectasis.": {"Atelectasis": "uncertain"},
    "Effusion is no longer seen.": {"Pleural Effusion": "absent"},
    "The pneumothorax has resolved.": {"Pneumothorax": "absent"},
    "Status post median sternotomy.": {"Sternotomy": "present"},
    "Rule out scoliosis.": {"Scoliosis": "uncertain"},
    "Without effusion or pneumothorax.": {"Pleural Effusion": "absent", "Pneumothorax": "absent"},
    "Unchanged from prior effusion.": {"Pleural Effusion": "present"},
    "No change in the effusion.": {"Pleural Effusion": "present"},
    "Heart size is stable.": {},
    "?kyphosis": {"Kyphosis": "uncertain"},
    "No pneumothorax, small left effusion.": {"Pneumothorax": "absent", "Pleural Effusion": "present"},
    "No mass, large effusion or pneumothorax.": {
        "Mass": "absent",
        "Pleural Effusion": "absent",
        "Pneumothorax": "absent",
    },
    "Small left effusion, cannot exclude pneumothorax.": {"Pleural Effusion": "present", "Pneumothorax": "uncertain"},
    "No calcification in the nodule.": {"Calcified Densities": "absent", "Nodule": "present"},
    "Atelectasis or effusion on the left.": {"Atelectasis": "uncertain", "Pleural Effusion": "uncertain"},
    "Pericardial effusion.": {},
    "History of emphysema.": {},
    "History of emphysema, no effusion.": {"Pleural Effusion": "absent"},
    "Prior effusion.": {},
    "Prior rib fracture.": {"Fracture": "present"},
    "Right PICC in place.": {"Central Venous Catheter": "present", "Support Devices": "present"},
    "The heart is not enlarged.": {"Cardiomegaly": "absent"},
    "Heart size is normal.": {"Cardiomegaly": "absent"},
    "Effusion: none.": {"Pleural Effusion": "absent"},
    "No acute cardiopulmonary disease.": {"Normal": "present"},
    "No acute cardiopulmonary disease. Hiatal hernia.": {"Hernia": "present"},
    "No acute cardiopulmonary disease. Pacemaker.": {"Normal": "present", "Support Devices": "present"},
    "This is not a normal chest radiograph.": {"Normal": "absent"},
    "The heart is no longer enlarged.": {"Cardiomegaly": "absent"},
    "The heart isn\u2019t enlarged.": {"Cardiomegaly": "absent"},
    "No hilar lymphadenopathy.": {"Adenopathy": "absent"},
    "Calcified hilar nodes.": {"Calcified Densities": "present"},
    "Effusion larger since the drain was removed.": {"Pleural Effusion": "present", "Support Devices": "absent"},
    "Resolution of the effusion and of the atelectasis.": {"Pleural Effusion": "absent", "Atelectasis": "absent"},
    "Resolution of the effusion with clear lungs.": {"Pleural Effusion": "absent", "Alveolar Pattern": "absent"},
    "Nodules or masses: not found.": {"Nodule": "absent", "Mass": "absent"},
}


@pytest.mark.parametrize(("text", "said"), [*SAID.items()], ids=[*SAID])
def test_a_sentence_says(text: str, said: dict[str, str]) -> None:
    assert label(text) == said


def test_what_is_not_mentioned_is_not_there_and_a_text_without_a_finding_says_nothing() -> None:
    assert label("") == label("Films of the chest in two planes.") == {}


def test_of_several_mentions_present_comes_before_uncertain_and_absent() -> None:
    assert label("No effusion on the right. Possible effusion on the left.") == {"Pleural Effusion": "uncertain"}
    assert label("No effusion on the right. Effusion on the left.") == {"Pleural Effusion": "present"}


def test_indication_technique_and_history_are_not_labeled() -> None:
    text = "INDICATION: Pneumonia.\n\nFINDINGS: No mass.\n\nTECHNIQUE: nodule protocol\n\nIMPRESSION: Azygos lobe."
    assert label(text) == {"Mass": "absent", "Azygos Lobe": "present"}
    assert [each.section for each in mentions(text)] == ["findings", "impression"]
    assert label("CLINICAL INFORMATION: effusion?\n\nThe heart is enlarged.") == {"Cardiomegaly": "present"}


def test_a_mention_has_its_places_in_the_text_and_the_cue_that_decided() -> None:
    text = "FINDINGS:\n1. No effusion.\n2. Mass, which cannot be excluded."
    found = mentions(text)
    assert [text[each.start : each.end] for each in found] == [each.phrase for each in found] == ["effusion", "Mass"]
    assert [each.cue for each in found] == ["No", None], "a relative clause is about something else here"
    assert found[0].cue_start == text.index("No") and found[0].cue_kind == "negation"


def test_lines_without_periods_are_sentences_of_their_own_and_wrapped_lines_are_not() -> None:
    assert label("Heart normal\nNo effusion\nLarge mass") == {
        "Cardiomegaly": "absent",
        "Pleural Effusion": "absent",
        "Mass": "present",
    }
    wrapped = "There is no evidence of consolidation, of congestion, or of any\npleural effusion."
    assert label(wrapped)["Pleural Effusion"] == "absent"


def test_own_findings_and_synonyms_are_labeled_too() -> None:
    used = with_own_findings({"Lung Cavity": ["cavity", "cavitary lesion"], "hernia": ["upside-down stomach"]})
    assert label("Two cavities. Upside down stomach.", used) == {"Lung Cavity": "present", "Hernia": "present"}
    assert label("No cavitary lesions.", used) == {"Lung Cavity": "absent"}


def test_spanish_is_read_with_and_without_accents() -> None:
    spanish = rules("spanish")
    said = {"Pleural Effusion": "absent", "Pneumothorax": "absent"}
    assert label("No se observa derrame pleural ni neumotórax.", spanish) == said
    assert label("No se observa derrame pleural ni neumotorax.", spanish) == said


def test_the_open_half_of_the_sentences_meets_the_goals() -> None:
    found = agreements("open", rules())
    assert {name: each.n for name, each in found.items()} == {
        "mention": 409,
        "absent": 130,
        "uncertain": 109,
        "present": 170,
    }
    assert found["absent"].f1 >= 0.95 and found["uncertain"].f1 >= 0.9


def test_the_second_set_meets_the_goal_for_what_it_is_about() -> None:
    found = agreements("second", rules())
    assert found["absent"].n == 187 and found["absent"].f1 >= 0.95 and found["mention"].f1 >= 0.95


def test_the_closed_half_stays_at_what_it_reached_when_it_was_opened() -> None:
    # Reached: mention 0.960, absent 0.928, uncertain 0.947; then 0.973, 0.922, 0.947. The goal for absent was 0.95.
    found = agreements("closed", rules())
    assert found["mention"].f1 >= 0.95 and found["absent"].f1 >= 0.91 and found["uncertain"].f1 >= 0.93


def test_the_spanish_sentences_are_read_as_their_author_meant() -> None:
    found = agreements("spanish", rules("spanish"))
    assert found["absent"].f1 >= 0.95 and found["uncertain"].f1 >= 0.9


def test_labels_do_not_depend_on_the_order_of_hashes() -> None:
    code = (
        "from tests.support.report_sentences import labeled_sentences\nfrom explorer.reports import mentions\n"
        "print([mentions(each.text) for half in ('open', 'closed') for each in labeled_sentences(half)])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1 and len(said.pop()) > 10_000


@pytest.mark.parametrize("words", ["effusion, ", "no ", "?", "heart is ", "cannot ", "effusion\n", "(", "a" * 50 + " "])
def test_no_text_takes_long(words: str) -> None:
    start = time.process_time()
    mentions(words * (200_000 // len(words)))
    assert time.process_time() - start < 20


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=200))
@settings(max_examples=150, deadline=None, database=None, derandomize=True)
def test_any_text_is_labeled_and_every_place_lies_in_it(text: str) -> None:
    for each in mentions(text):
        assert text[each.start : each.end] == each.phrase and each.phrase
        assert each.cue is None or each.cue_start is not None
        if each.cue is not None and each.cue_start is not None:
            assert text[each.cue_start : each.cue_start + len(each.cue)] == each.cue
    assert set(label(text).values()) <= {"present", "absent", "uncertain"}
