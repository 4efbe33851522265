"""A slice as SQL and as a sentence: tables of cases, no database."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.conditions import Where, where
from explorer.store.slices import Slice, conditions, sentence

ALL = Slice("nih-oof", "nih-mini")


def of(**filters: object) -> Slice:
    return Slice("nih-oof", "nih-mini", **filters)


CONDITIONS = {
    "all": (ALL, Where("whole", ())),
    "finding": (of(finding="Mass"), Where("whole AND finding = ?", ("Mass",))),
    "outcomes": (
        of(outcomes=(Outcome.MISS, Outcome.FALSE_ALARM)),
        Where("whole AND outcome IN (?, ?)", ("miss", "false alarm")),
    ),
    "group": (of(group=FrequencyGroup.RARE), Where("whole AND finding IN (?, ?)", ("Mass", "Hernia"))),
    "task": (
        of(task="unseen"),
        Where(
            "whole AND finding IN (?, ?, ?, ?, ?, ?)",
            ("Adenopathy", "Bulla", "Goiter", "Infarction", "Osteopenia", "Scoliosis"),
        ),
    ),
    "label source": (of(label_source="a reader"), Where("source = ?", ("a reader",))),
    "film": (
        of(center="NIH", view="PA", sex="F", age="0-17"),
        Where("whole AND center = ? AND view = ? AND sex = ? AND age_band = ?", ("NIH", "PA", "F", "0-17")),
    ),
    "split": (of(split="val"), Where("whole AND part = ?", ("val",))),
    "frontal films": (
        of(view="frontal"),
        Where("whole AND view IN (?, ?)", ("PA", "AP")),
    ),
    "findings per film": (of(findings="2-3"), Where("whole AND findings_band = ?", ("2-3",))),
    "scores": (of(low=0.5, high=0.75), Where("whole AND score >= ?::FLOAT AND score < ?::FLOAT", (0.5, 0.75))),
    "relation": (of(against="other", relation="both wrong"), Where("whole AND relation = ?", ("both wrong",))),
    "called": (
        of(finding="Nodule", called="Mass"),
        Where(
            "whole AND finding = ? AND film IN (SELECT film FROM pairs WHERE finding = ? AND called)",
            ("Nodule", "Mass"),
        ),
    ),
    "also present": (
        of(finding="Nodule", also_present="Mass"),
        Where(
            "whole AND finding = ?"
            " AND film IN (SELECT film FROM pairs WHERE finding = ? AND whole AND label = 'present')",
            ("Nodule", "Mass"),
        ),
    ),
    "appearance": (
        of(severity="faint", side="left", size="small"),
        Where(
            "whole AND (film, finding) IN (SELECT film, finding FROM appearances WHERE severity_band = ?)"
            " AND (film, finding) IN (SELECT film, finding FROM appearances WHERE side = ?)"
            " AND (film, finding) IN (SELECT film, finding FROM appearances WHERE size_band = ?)",
            ("faint", "left", "small"),
        ),
    ),
    "injection": (of(center="' OR true --"), Where("whole AND center = ?", ("' OR true --",))),
}


@pytest.mark.parametrize(("chosen", "expected"), CONDITIONS.values(), ids=CONDITIONS.keys())
def test_a_slice_is_a_condition_with_its_values(chosen: Slice, expected: Where) -> None:
    assert where(conditions(chosen, ("Mass", "Hernia"))) == expected
    assert expected.sql.count("?") == len(expected.parameters)


def test_a_group_without_findings_has_no_pairs() -> None:
    assert where(conditions(of(group=FrequencyGroup.RARE))).sql == "whole AND false"


def test_a_bound_that_no_score_can_be_is_moved_to_the_next_that_can() -> None:
    """Scores are 32-bit: 0.7 is none, and the nearest one is too small."""
    (low,) = where(conditions(of(low=0.7))).parameters
    assert 0.7 < float(str(low)) < 0.7000001


SENTENCES = {
    "Scores of all findings by nih-mini in nih-oof": ALL,
    "Misses of rare findings (groups of CXR-LT 2026) at NIH by nih-mini in nih-oof": of(
        outcomes=(Outcome.MISS,), group=FrequencyGroup.RARE, center="NIH"
    ),
    "Misses and false alarms of very rare findings (groups of PadChest) by nih-mini in nih-oof": of(
        outcomes=(Outcome.MISS, Outcome.FALSE_ALARM), group=FrequencyGroup.VERY_RARE, source="padchest"
    ),
    "Misses, false alarms and hits of all findings by nih-mini in nih-oof": of(
        outcomes=(Outcome.MISS, Outcome.FALSE_ALARM, Outcome.HIT)
    ),
    "Hits of Mass among common findings (groups of this cohort) by nih-mini in nih-oof": of(
        outcomes=(Outcome.HIT,), finding="Mass", group=FrequencyGroup.COMMON, source="cohort"
    ),
    "Correct rejections of Normal by nih-mini in nih-oof": of(
        outcomes=(Outcome.CORRECT_REJECTION,), group=FrequencyGroup.NORMAL
    ),
    "Scores of Mass by nih-mini in nih-oof, PA films, women and girls, 60-79 years old, labeled by a reader": of(
        finding="Mass", view="PA", sex="F", age="60-79", label_source="a reader"
    ),
    "Scores of all findings by nih-mini in nih-oof, view not known, sex not known, age not known": of(
        view="unknown", sex="unknown", age="unknown"
    ),
    "Scores of all findings by nih-mini in nih-oof, men and boys, 80 years or older": of(sex="M", age="80+"),
    "Scores of Mass by nih-mini in nih-oof, scored from 0.2 to under 0.9": of(finding="Mass", low=0.2, high=0.9),
    "Scores of Mass by nih-mini in nih-oof, scored 0.2 or more": of(finding="Mass", low=0.2),
    "Scores of Mass by nih-mini in nih-oof, scored under 0.9": of(finding="Mass", high=0.9),
    "Misses of all findings by nih-mini in nih-oof, where other is wrong too": of(
        outcomes=(Outcome.MISS,), against="other", relation="both wrong"
    ),
    "Scores of Mass by nih-mini in nih-oof, where other says otherwise": of(
        finding="Mass", against="other", relation="disagree"
    ),
    "Scores of all findings by nih-mini in nih-oof, findings per film: 4 or more": of(findings="4+"),
    "Scores of all findings by nih-mini in nih-oof, split val": of(split="val"),
    "Scores of all findings by nih-mini in nih-oof, no split stated": of(split="no split stated"),
    "Misses of Mass by nih-mini in nih-oof, severity faint (under 0.33), on the left, under 1 % of the film": of(
        outcomes=(Outcome.MISS,), finding="Mass", severity="faint", side="left", size="small"
    ),
    "Misses of unseen findings by nih-mini in nih-oof": of(outcomes=(Outcome.MISS,), task="unseen"),
    "Scores of Bulla among rare unseen findings (groups of PadChest) by nih-mini in nih-oof": of(
        task="unseen", group=FrequencyGroup.RARE, source="padchest", finding="Bulla"
    ),
    "Misses of Nodule by nih-mini in nih-oof, where it called Mass": of(
        outcomes=(Outcome.MISS,), finding="Nodule", called="Mass"
    ),
}


@pytest.mark.parametrize(("expected", "chosen"), SENTENCES.items())
def test_a_slice_says_what_it_is(expected: str, chosen: Slice) -> None:
    assert sentence(chosen) == expected


def test_a_population_is_without_what_the_models_said() -> None:
    chosen = of(finding="Mass", outcomes=(Outcome.MISS,), low=0.1, high=0.2, against="other", relation="disagree")
    chosen = replace(chosen, called="Nodule")
    assert chosen.population() == of(finding="Mass")


def test_every_finding_of_the_same_films_is_asked_without_what_picks_findings() -> None:
    chosen = of(
        finding="Bulla", group=FrequencyGroup.RARE, task="unseen", size="large", center="NIH", outcomes=(Outcome.MISS,)
    )
    assert chosen.every_finding() == of(center="NIH", outcomes=(Outcome.MISS,))
    assert chosen.of("Mass") == of(finding="Mass", size="large", center="NIH", outcomes=(Outcome.MISS,))
