"""What is said of a film with a finding and without it."""

from __future__ import annotations

import pytest

from explorer.insertion.two_scores import TwoScores, flagged_meaning


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        (TwoScores("m", "Mass", 0.71, 0.2, 0.35), "Flagged with it, not without it (threshold 0.35)."),
        (TwoScores("m", "Mass", 0.2, 0.71, 0.35), "Flagged without it, not with it (threshold 0.35)."),
        (TwoScores("m", "Mass", 0.35, 0.71, 0.35), "Flagged with it and without it (threshold 0.35)."),
        (TwoScores("m", "Mass", 0.3, 0.2, 0.35), "Not flagged, with it or without it (threshold 0.35)."),
        (TwoScores("m", "Mass", 0.3, 0.2), "m: score 0.30, without it 0.20. It has no threshold."),
        (TwoScores("m", "Mass", 0.3, 0.2, 0.35, judged=False), "m cannot judge Mass."),
        (TwoScores("m", "Bulla"), "m does not look for Bulla."),
    ],
)
def test_both_scores_in_words(scores: TwoScores, says: str) -> None:
    assert scores.says.endswith(says)


def test_flagged_is_explained_where_the_list_calls_some_scores_uncertain() -> None:
    assert flagged_meaning(0.16, 0.3).endswith("the list calls scores from 0.16 to 0.30 uncertain.")
    assert flagged_meaning(0.16, None) == flagged_meaning(None, None) == ""
