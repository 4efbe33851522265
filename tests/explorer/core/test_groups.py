"""Whose frequency groups are taken, and what is said of findings that a source has no group for."""

from __future__ import annotations

import pytest

from explorer.core.findings import FINDINGS, TASKS, FrequencyGroup
from explorer.core.groups import default_group_source, group_from_source, missing_groups_note

FOREIGN = ("COVID-19", "ILD", "Lung Cavity", "Lung Opacity")


@pytest.mark.parametrize(
    ("findings", "source"),
    [
        (TASKS["seen"], "paper"),
        (TASKS["unseen"], "paper"),
        (tuple(name for name, each in FINDINGS.items() if each.nih_word), "paper"),
        (("Normal", "Mass", "ILD"), "paper"),  # as many as not
        (("Normal", "Mass", "ILD", "COVID-19"), "cohort"),
        ((*FOREIGN, "Pleural Effusion"), "cohort"),
        ((), "paper"),
    ],
)
def test_the_source_that_is_usual(findings: tuple[str, ...], source: str) -> None:
    assert default_group_source(findings) == source


def test_a_finding_without_a_group_is_named() -> None:
    groups = {name: group_from_source(name, "paper") for name in ("Mass", *FOREIGN, "Bulla", "Edema", "Fibrosis")}
    words = missing_groups_note(groups, "paper")
    assert words is not None and words.startswith(
        "CXR-LT 2026 has no group for COVID-19, ILD, Lung Cavity, Lung Opacity and 2 more: in none of the groups. "
    )
    assert "Bulla" not in words  # unseen: a band of its own in every table of the paper
    assert missing_groups_note({"Mass": FrequencyGroup.RARE, "Bulla": None}, "paper") is None
    assert missing_groups_note({"ILD": None}, "nih") == (
        "NIH ChestX-ray14 has no group for ILD: in none of the groups. Groups by this cohort's labels have it."
    )
    assert missing_groups_note({"ILD": None}, "cohort") == "No film has a known label of ILD: in none of the groups."
