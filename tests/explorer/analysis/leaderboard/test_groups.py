"""Which findings a leaderboard's groups count, and beneath which cohorts the teams of CXR-LT stand."""

from __future__ import annotations

from dataclasses import replace

from explorer.analysis.leaderboard.groups import OWN_NAME
from explorer.analysis.leaderboard.means import board_of
from explorer.core.findings import FINDINGS, TASKS
from explorer.core.groups import frequency_groups
from explorer.ui.evaluate.published_rows import published_payload
from tests.explorer.analysis.leaderboard.test_joint_metrics import joint_of

SEEN = [name for name in TASKS["seen"] if name != "Normal"]


def board_with(findings: list[str]):  # noqa: ANN201 - a Board
    """Of models that scored so many findings of random films."""
    joint = joint_of(3)
    places = [place % len(joint.findings) for place in range(len(findings))]
    joint = replace(joint.for_findings(places), findings=tuple(findings))
    groups = dict(zip(findings, frequency_groups(tuple(findings), joint.labels, "paper"), strict=True))
    return board_of(joint, groups, 0, 0, False)


def test_own_findings_are_counted_apart_from_seen_ones() -> None:
    board = board_with([*SEEN[:4], "Sarcoidosis", "Fibrosis"])
    named = {part.name: [board.findings[place] for place in part.members] for part in board.parts if not part.center}
    assert named["seen findings"] == [*SEEN[:4], "Fibrosis"] and named[OWN_NAME] == ["Sarcoidosis"]
    assert all("Sarcoidosis" not in members for name, members in named.items() if name != OWN_NAME)
    only = board_with(["Sarcoidosis", "Silicosis", SEEN[0]])
    assert [part.name for part in only.parts if not part.center][0] == "all findings"
    assert "Sarcoidosis" not in FINDINGS


def test_teams_stand_beneath_cohorts_of_the_challenges_findings_alone() -> None:
    assert [each["kind"] for each in published_payload(board_with(SEEN[:15]), "AP", "paper")] == ["seen"]
    assert published_payload(board_with([*SEEN[:15], "Sarcoidosis"]), "AP", "paper") == []
    assert published_payload(board_with(SEEN[:14]), "AP", "paper") == []
