"""Whose frequency groups are taken, and what is said of findings that a source has no group for."""

from __future__ import annotations

import pytest

from explorer.core.findings import FINDINGS, TASKS, FrequencyGroup
from explorer.core.groups import default_group_source, group_from_source, missing_groups_note
from tests.support.wording import Wording

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


def test_a_finding_without_a_group_is_named(wording: Wording) -> None:
    groups = {name: group_from_source(name, "paper") for name in ("Mass", *FOREIGN, "Bulla", "Edema", "Fibrosis")}
    words = missing_groups_note(groups, "paper")
    assert words is not None
    wording(words, "CXR-LT 2026", "COVID-19", "ILD", "Lung Cavity", "Lung Opacity")
    assert "Bulla" not in words  # unseen: a band of its own in every table of the paper
    assert missing_groups_note({"Mass": FrequencyGroup.RARE, "Bulla": None}, "paper") is None
    wording(missing_groups_note({"ILD": None}, "nih"), "NIH ChestX-ray14", "ILD")
    wording(missing_groups_note({"ILD": None}, "cohort"), "ILD")
