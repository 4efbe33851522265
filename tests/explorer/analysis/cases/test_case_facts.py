"""The order in which a case is told, and what is said of it, on a film made by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from explorer.analysis.cases.case_facts import CaseMistakes, EqualLabels, collect_case_facts, score_margin
from explorer.cohorts.manifest import ModelManifest
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.store.results import Case, FindingScore, SourcedLabel
from explorer.store.slices import Slice

SOURCE, OTHER = "reports", "a radiologist"
GROUPS = {"Mass": FrequencyGroup.MEDIUM, "Hernia": FrequencyGroup.RARE, "Nodule": FrequencyGroup.MEDIUM}


def scored(finding: str, score: float, threshold: float | None, label: str, outcome: Outcome | None) -> FindingScore:
    odds = [math.log(value / (1 - value)) for value in (score, threshold or score)]
    return FindingScore("one", finding, score, threshold, label, outcome, odds[0] - odds[1])  # type: ignore[arg-type]


ROWS = (
    scored("Mass", 0.15, 0.5, "present", Outcome.MISS),
    scored("Hernia", 0.1, 0.9, "present", Outcome.MISS),
    scored("Nodule", 0.8, 0.5, "absent", Outcome.FALSE_ALARM),
    scored("Edema", 0.9, 0.5, "present", Outcome.HIT),
    scored("Fibrosis", 0.4, 0.5, "absent", Outcome.CORRECT_REJECTION),
    scored("Fracture", 0.7, 0.5, "uncertain", None),
    scored("Scoliosis", 0.7, None, "present", None),
)
LABELS = tuple(SourcedLabel(row.finding, row.label, SOURCE) for row in ROWS)
CASE = Case(
    case="film-1", id="0" * 16, center="A", view="PA", sex="F", age=61, patient="p", root=None, file=None,
    present=("Mass",), none_of_these=False, study=None, split=None, width=None, height=None,
    labels=LABELS, scores=ROWS, boxes=(),
)  # fmt: skip


def model(name: str, *in_sample: str) -> ModelManifest:
    return ModelManifest(
        name, name, None, "", "", tuple(row.finding for row in ROWS), dict.fromkeys(in_sample, "in-sample"), 1, 0, ""
    )


ONE = (model("one"),)


def asked(**restrictions: object) -> Slice:
    return Slice("cohort", "one", **restrictions)  # type: ignore[arg-type]


def test_a_related_finding_explains_a_mistake_of_a_case() -> None:
    rows = (
        scored("Pneumothorax", 0.8, 0.5, "absent", Outcome.FALSE_ALARM),
        scored("Hydropneumothorax", 0.1, 0.5, "present", Outcome.MISS),
        scored("Nodule", 0.8, 0.5, "absent", Outcome.FALSE_ALARM),
    )
    facts = collect_case_facts(replace(CASE, scores=rows), ONE, asked(), GROUPS)
    assert facts.explained == {"Pneumothorax": ("Hydropneumothorax",), "Hydropneumothorax": ("Pneumothorax",)}


@pytest.mark.parametrize(
    ("slice_", "finding"),
    [
        pytest.param(asked(), "Hernia", id="of all pairs the one that is furthest off"),
        pytest.param(asked(group=FrequencyGroup.MEDIUM), "Mass", id="of a group"),
        pytest.param(asked(outcomes=(Outcome.FALSE_ALARM,)), "Nodule", id="of an outcome"),
        pytest.param(
            asked(outcomes=(Outcome.HIT, Outcome.CORRECT_REJECTION)), "Fibrosis", id="right, near the threshold"
        ),
        pytest.param(asked(low=0.3, high=0.5), "Fibrosis", id="of a range of scores, its end left out"),
        pytest.param(asked(low=0.8, high=0.85), "Nodule", id="of a range of scores, its start taken in"),
        pytest.param(asked(finding="Edema"), "Edema", id="of a finding"),
    ],
)
def test_the_pair_that_put_the_film_into_the_slice_is_told_first(slice_: Slice, finding: str) -> None:
    facts = collect_case_facts(CASE, ONE, slice_, GROUPS)
    assert (facts.finding, facts.in_slice) == (finding, True)


def test_a_film_that_is_not_of_the_slice_is_told_by_the_finding_of_the_slice() -> None:
    facts = collect_case_facts(CASE, ONE, asked(finding="Edema", outcomes=(Outcome.MISS,)), GROUPS)
    assert (facts.finding, facts.in_slice) == ("Edema", False)


def test_a_film_in_which_the_other_finding_was_not_called_is_not_of_the_slice() -> None:
    asked_for = {"finding": "Mass", "outcomes": (Outcome.MISS,)}
    assert collect_case_facts(CASE, ONE, asked(**asked_for, called="Edema"), GROUPS).in_slice
    for called in ("Fibrosis", "Hernia", "Scoliosis", "Cardiomegaly"):  # below, below, no threshold, not scored
        assert not collect_case_facts(CASE, ONE, asked(**asked_for, called=called), GROUPS).in_slice


def test_equal_pairs_go_by_name() -> None:
    rows = tuple(scored(name, 0.2, 0.5, "present", Outcome.MISS) for name in ("Nodule", "Mass"))
    assert collect_case_facts(replace(CASE, scores=rows), ONE, asked(), GROUPS).finding == "Mass"


def test_margins_that_the_tables_keep_as_equal_are_equal() -> None:
    """0.3 - 0.1 is less than 0.5 - 0.3 in double precision, and the same in the single precision of a page's order."""
    rows = (
        scored("Hernia", 0.3, 0.1, "unknown", None),
        scored("Pleural Effusion", 0.5, 0.3, "unknown", None),
    )
    assert collect_case_facts(replace(CASE, scores=rows), ONE, asked(), {}).finding == "Hernia"


def test_a_film_without_scores_has_no_finding() -> None:
    facts = collect_case_facts(replace(CASE, scores=()), ONE, asked(), GROUPS)
    assert (facts.finding, facts.chosen.rows, facts.instead) == (None, (), CaseMistakes((), (), ()))


def test_rows_go_by_outcome_and_the_worst_first() -> None:
    rows = collect_case_facts(CASE, ONE, asked(), GROUPS).chosen.rows
    assert [row.finding for row in rows] == ["Hernia", "Mass", "Nodule", "Edema", "Fracture", "Scoliosis", "Fibrosis"]


def test_what_was_called_instead() -> None:
    instead = collect_case_facts(CASE, ONE, asked(), GROUPS).instead
    assert instead == CaseMistakes(missed=("Hernia", "Mass"), called=("Nodule",), open=("Fracture",))


def test_a_score_at_its_threshold_is_called_and_one_without_a_threshold_is_not() -> None:
    rows = (scored("Mass", 0.5, 0.5, "unknown", None), scored("Hernia", 0.9, None, "unknown", None))
    assert collect_case_facts(replace(CASE, scores=rows), ONE, asked(), GROUPS).instead.open == ("Mass",)
    assert [score_margin(row) for row in rows] == [0.0, None]


def test_in_sample_is_a_matter_of_model_and_center() -> None:
    two = (model("one", "B"), model("two", "A"))
    scores = (*ROWS, replace(ROWS[0], model="two"))
    facts = collect_case_facts(replace(CASE, scores=scores), two, asked(), GROUPS)
    assert facts.chosen.origin is None
    assert [(each.model.model, each.origin) for each in facts.others] == [("two", "in-sample")]


def test_models_without_a_score_of_the_film_are_left_out() -> None:
    assert collect_case_facts(CASE, (*ONE, model("two")), asked(), GROUPS).others == ()


@pytest.mark.parametrize(
    ("relation", "finding"),
    [pytest.param("both wrong", "Mass", id="both wrong"), pytest.param("disagree", "Hernia", id="disagree")],
)
def test_a_slice_of_two_models_is_of_the_pairs_that_it_compares(relation: str, finding: str) -> None:
    other = (
        replace(ROWS[0], model="two"),  # misses Mass too
        replace(ROWS[1], model="two", score=0.95, outcome=Outcome.HIT),
        replace(ROWS[6], model="two"),  # no threshold: nothing to compare
    )
    facts = collect_case_facts(
        replace(CASE, scores=(*ROWS, *other)), (*ONE, model("two")), asked(against="two", relation=relation), GROUPS
    )
    assert (facts.finding, facts.in_slice) == (finding, True)


def test_one_source_of_labels_alone_decides_where_the_slice_names_it() -> None:
    labels = (*LABELS, SourcedLabel("Mass", "absent", OTHER), SourcedLabel("Nodule", "present", OTHER))
    facts = collect_case_facts(replace(CASE, labels=labels), ONE, asked(label_source=OTHER), GROUPS)
    outcomes = {row.finding: (row.label, row.outcome) for row in facts.chosen.rows}
    assert outcomes["Mass"] == ("absent", Outcome.CORRECT_REJECTION)
    assert outcomes["Nodule"] == ("present", Outcome.HIT)
    assert outcomes["Edema"] == ("unknown", None)
    assert outcomes["Scoliosis"] == ("unknown", None)


def test_a_pair_that_the_slices_label_source_says_nothing_of_is_not_in_the_slice() -> None:
    labels = (*LABELS, SourcedLabel("Fibrosis", "absent", OTHER))
    facts = collect_case_facts(replace(CASE, labels=labels), ONE, asked(label_source=OTHER), GROUPS)
    assert (facts.finding, facts.in_slice) == ("Fibrosis", True)
    facts = collect_case_facts(CASE, ONE, asked(label_source=OTHER), GROUPS)
    assert not facts.in_slice


def test_labels_stand_together_by_source_and_word() -> None:
    labels = (*LABELS, SourcedLabel("Mass", "absent", OTHER))
    assert collect_case_facts(replace(CASE, labels=labels), ONE, asked(), GROUPS).labels == (
        EqualLabels("present", SOURCE, True, ("Edema", "Hernia", "Mass", "Scoliosis")),
        EqualLabels("uncertain", SOURCE, True, ("Fracture",)),
        EqualLabels("absent", SOURCE, True, ("Fibrosis", "Nodule")),
        EqualLabels("absent", OTHER, True, ("Mass",)),
    )


def test_a_model_that_did_not_score_the_cohort_is_refused() -> None:
    with pytest.raises(ValueError, match="'one'"):
        collect_case_facts(CASE, (model("two"),), asked(), GROUPS)
