"""Column names against the taxonomies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.finding_words import finding_of
from explorer.core.findings import FINDINGS, NIH_WORDS, TAXONOMIES


@pytest.mark.parametrize("taxonomy", TAXONOMIES.values(), ids=TAXONOMIES.keys())
def test_every_label_of_a_taxonomy_is_a_finding_of_its_own(taxonomy: object) -> None:
    labels = (*taxonomy.seen, *taxonomy.unseen)
    found = [finding_of(label) for label in labels]
    assert None not in found
    assert len(set(found)) == len(labels)


@given(name=st.sampled_from(sorted(FINDINGS)), data=st.data())
def test_case_underscores_and_hyphens_do_not_matter(name: str, data: st.DataObject) -> None:
    letters = [data.draw(st.sampled_from([c.lower(), c.upper()] if c != " " else [" ", "_", "-", "  "])) for c in name]
    assert finding_of("".join(letters)) == name


@pytest.mark.parametrize(
    ("word", "finding"),
    [
        *NIH_WORDS.items(),
        ("No Finding", "Normal"),
        ("Hiatal hernia", "Hernia"),
        ("bullas", "Bulla"),
        ("Consolidation", "Consolidation"),  # PadChest counts it under Alveolar Pattern; NIH has it as a finding
        ("Rib Fracture", "Rib Fracture"),  # a kind of Fracture, and a label of CXR-LT 2024
        ("Lung Opacity", "Lung Opacity"),
        ("clavicle fracture", "Clavicle Fracture"),
        ("callus rib fracture", None),  # only one of PadChest's words for Fracture
        ("Cardiomegalie", None),
        ("age", None),
        ("", None),
    ],
)
def test_words_mean_what_the_vocabulary_says_and_nothing_is_guessed(word: str, finding: str | None) -> None:
    assert finding_of(word) == finding
