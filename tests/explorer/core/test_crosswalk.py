"""Relations between findings, and a taxonomy beside a cohort's findings: by the tables, both ways."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core import finding_relations
from explorer.core.crosswalk import CROSSWALK_COLUMNS, crosswalk, crosswalk_csv, label_facts
from explorer.core.finding_relations import BASIS_WORDS, INVERSE, RELATIONS, FindingRelation, related_words, relation_of
from explorer.core.finding_words import FINDING_BY_WORD, finding_of, plain
from explorer.core.findings import PADCHEST_WORDS, TASKS, TAXONOMIES
from tests.support.wording import Wording, line_with

TABLE = Path(finding_relations.__file__).parent / "data" / "finding_relations.csv"
STATED = list(csv.DictReader(io.StringIO(TABLE.read_text(encoding="utf-8"))))
LABELS = sorted({label for each in TAXONOMIES.values() for label in (*each.seen, *each.unseen)})
CXRLT = (*TASKS["seen"], *TASKS["unseen"])
OWN = (FindingRelation("ILD", "narrower than", "Interstitial Pattern"), FindingRelation("Mass", "broader than", "ILD"))


def test_the_table_of_relations_is_of_known_findings_each_pair_once() -> None:
    pairs = [frozenset((plain(row["finding"]), plain(row["other"]))) for row in STATED]
    assert len(set(pairs)) == len(pairs)
    for row in STATED:
        assert finding_of(row["finding"]) and finding_of(row["other"]), row
        assert row["relation"] in RELATIONS and row["basis"] in ("paper", "ours") and row["source"], row


def test_the_direction_is_that_of_the_papers(wording: Wording) -> None:
    assert relation_of("Lung Opacity", "Consolidation").relation == "broader than"  # type: ignore[union-attr]
    assert relation_of("consolidation", "Lung_Opacity").relation == "narrower than"  # type: ignore[union-attr]
    assert relation_of("Rib Fracture", "Fracture").relation == "narrower than"  # type: ignore[union-attr]
    assert relation_of("Lobar Atelectasis", "Atelectasis").basis == "word"  # type: ignore[union-attr]
    assert relation_of("No Finding", "Normal").source == "NIH's word for it"  # type: ignore[union-attr]
    wording(relation_of("Hiatal hernia", "Hernia").source)  # type: ignore[union-attr]
    assert relation_of("Pneumonia", "Atelectasis") is None
    assert relation_of("Subcutaneous Emphysema", "Emphysema") is None  # a like word is no relation


def test_nothing_follows_from_two_relations() -> None:
    """PadChest's consolidation is an alveolar pattern, CheXpert's pneumonia a consolidation; not every pneumonia is an
    alveolar pattern.
    """
    assert relation_of("Pneumonia", "Consolidation") and relation_of("Consolidation", "Alveolar Pattern")
    assert relation_of("Pneumonia", "Alveolar Pattern") is None


@given(st.sampled_from(LABELS), st.sampled_from(LABELS))
def test_both_ways_say_the_same(one: str, two: str) -> None:
    there, back = relation_of(one, two), relation_of(two, one)
    assert (there is None) == (back is None)
    if there and back:
        assert back.relation == INVERSE[there.relation] and (back.basis, back.source) == (there.basis, there.source)
    assert (there is not None and there.relation == "same as") == (
        FINDING_BY_WORD[plain(one)] == FINDING_BY_WORD[plain(two)]
    )


@pytest.mark.parametrize(("word", "finding"), PADCHEST_WORDS.items())
def test_a_kind_that_padchest_has_a_word_for_is_the_finding_or_narrower(word: str, finding: str) -> None:
    known = relation_of(word, finding)
    assert known is not None and known.basis == "word"
    assert known.relation == ("same as" if finding_of(word) == finding else "narrower than")


def test_what_a_cohort_states_comes_before_all_but_the_same_word() -> None:
    stated = (FindingRelation("Consolidation", "related to", "Lung Opacity"), *OWN)
    known = relation_of("Lung Opacity", "Consolidation", stated)
    assert known is not None and (known.relation, known.basis) == ("related to", "cohort")
    ild = relation_of("Interstitial Pattern", "ild", stated)
    assert ild is not None and ild.relation == "broader than"


def test_what_a_card_states_comes_after_the_cohort_and_is_said_of_its_finding(wording: Wording) -> None:
    card = (FindingRelation("ILD", "related to", "Edema"), FindingRelation("Mass", "broader than", "Nodule"))
    both = relation_of("Edema", "ILD", (FindingRelation("ILD", "broader than", "Edema"),), card)
    assert both is not None and (both.relation, both.basis) == ("narrower than", "cohort")
    alone = relation_of("Edema", "ILD", (), card)
    assert alone is not None and (alone.relation, alone.basis) == ("related to", "model")
    wording(line_with(related_words("ILD", card), "Edema"))
    assert len(related_words("Mass", card)) == 1
    wording(related_words("Mass", card), "Nodule")
    assert len(related_words("Nodule", card)) == 1
    wording(related_words("Nodule", card), "Mass")
    assert related_words("Mass") == [] and related_words("no such word") == []
    (opacity,) = [words for words in related_words("Lung Opacity") if words.endswith(", as a paper states")]
    assert opacity.startswith("broader than") and "Consolidation" in opacity and "Edema" in opacity


@pytest.mark.parametrize("name", TAXONOMIES)
def test_every_label_and_every_finding_stands_in_the_crosswalk(name: str) -> None:
    taxonomy, findings = TAXONOMIES[name], (*CXRLT, "ILD", "COVID-19")
    lines = crosswalk(taxonomy, findings, OWN)
    labels = (*taxonomy.seen, *taxonomy.unseen)
    assert list(dict.fromkeys(line.label for line in lines if line.label)) == list(labels)
    assert {line.finding for line in lines} - {None} == set(findings)
    for line in lines:
        if line.label is None or line.finding is None:
            assert line.known is None
            continue
        assert line.known == relation_of(line.label, line.finding, OWN)
    expected = sum(relation_of(label, finding, OWN) is not None for label in labels for finding in findings)
    assert sum(line.known is not None for line in lines) == expected
    assert {line.label for line in lines if line.task == "unseen"} == set(taxonomy.unseen)


def test_the_taxonomies_are_as_long_as_the_papers_say() -> None:
    sizes = {name: (len(each.seen), len(each.unseen)) for name, each in TAXONOMIES.items()}
    assert sizes == {
        "CXR-LT 2023": (26, 0),
        "CXR-LT 2024": (40, 5),
        "CXR-LT 2026": (30, 6),
        "CheXpert": (14, 0),
        "NIH ChestX-ray14": (14, 0),
        "REVEAL-CXR": (12, 0),
    }


def test_the_file_says_the_same_and_no_cell_starts_a_formula() -> None:
    taxonomy = TAXONOMIES["CheXpert"]
    lines = crosswalk(taxonomy, ["Consolidation", "=1+1", 'a "b", <c>'])
    rows = list(csv.DictReader(io.StringIO(crosswalk_csv(taxonomy, lines))))
    assert list(rows[0]) == list(CROSSWALK_COLUMNS)
    assert [row["label"] or None for row in rows] == [line.label for line in lines]
    assert {row["relation"] for row in rows} <= {*RELATIONS, "none"}
    assert {row["stated_by"] for row in rows} <= {*BASIS_WORDS.values(), ""}
    assert [row["finding"] for row in rows][-2:] == ["'=1+1", 'a "b", <c>']


def test_reveal_cxr_has_its_codes_and_definitions(wording: Wording) -> None:
    facts = label_facts("lung MASS")
    assert facts is not None
    wording(facts.sentence, "3 cm", "RadLex RID43235", "SNOMED CT 126713003", "LOINC LP38248-1")
    assert label_facts("Pleural effusion").said == ""  # type: ignore[union-attr]  # the paper prints none
    assert label_facts("Mass") is None
    assert label_facts("Cardiomegaly", "CheXpert") is None, "another paper's label of that name"
    assert all(label_facts(label) for label in TAXONOMIES["REVEAL-CXR"].seen)
