"""Published results of teams for a leaderboard's groups, beside the recipes that follow them: on another test set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypedDict

from explorer.analysis.leaderboard.groups import ALL_NAME, BoardPart, PartKind
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.core.findings import TASKS, ChallengeTask
from explorer.core.metric_plan import Grouping
from explorer.published import TABLES, PublishedFigure, published
from explorer.ui.shared.panel_words import ValuePayload

_PRINTED: Mapping[BoardMeasure, str] = MappingProxyType(
    {"AP": "mAP", "AUROC": "AUROC", "F1": "F1", "precision": "Precision", "recall": "Recall"}
)
_TASKS: Mapping[str, tuple[ChallengeTask, str]] = MappingProxyType(
    {"task1": ("seen", "Task 1, 30 seen findings"), "task2": ("unseen", "Task 2, 6 unseen findings")}
)


class TeamPayload(TypedDict):
    """A team's figures by part, null if not in the paper."""

    team: str
    figures: list[ValuePayload | None]


class PublishedPayload(TypedDict):
    """Teams of one task, on findings of one `kind`, with the source of their figures; none if these would mislead."""

    task: str
    kind: PartKind
    source: str
    teams: list[TeamPayload]


def published_payload(board: Board, measure: BoardMeasure, source: Grouping) -> list[PublishedPayload]:
    """Return the teams of the tasks whose findings are compared; only the paper's frequency groups have figures.

    Empty for a cohort with findings of its own or less than half of a task's: the figures cover other findings.
    """
    parts = board.parts
    if any(part.kind == "own" or part.name == ALL_NAME for part in parts):
        return []
    return [
        _task(task, kind, words, parts, measure, source)
        for task, (kind, words) in _TASKS.items()
        if 2 * len(set(board.findings) & set(TASKS[kind])) >= len(TASKS[kind])
    ]


def _task(
    task: str, kind: PartKind, words: str, parts: Sequence[BoardPart], measure: BoardMeasure, source: Grouping
) -> PublishedPayload:
    source_words = f"CXR-LT 2026, {TABLES['main'].source}"
    if measure not in _PRINTED:
        return {"task": words, "kind": kind, "source": source_words, "teams": []}
    means = {
        each.team: each
        for each in published("main")
        if (each.task, each.images, each.metric) == (task, "original", _PRINTED[measure])
    }
    groups = _groups(source) if task == "task1" and measure == "AP" else {}
    if groups:
        source_words += f" and {TABLES['groups'].source.removeprefix('Extended Data ')}"
    return {
        "task": words,
        "kind": kind,
        "source": source_words,
        "teams": [
            {
                "team": f"team {team}",
                "figures": [_figure(part, kind, mean, groups) for part in parts],
            }
            for team, mean in means.items()
        ],
    }


def _groups(source: Grouping) -> Mapping[tuple[str, str], PublishedFigure]:
    """Return the published group means by team and group."""
    if source != "paper":
        return {}
    return {(each.team, each.group): each for each in published("groups") if each.group is not None}


def _figure(
    part: BoardPart, kind: str, mean: PublishedFigure, groups: Mapping[tuple[str, str], PublishedFigure]
) -> ValuePayload | None:
    found = mean if part.kind == kind else groups.get((mean.team, part.name)) if part.kind == "group" else None
    return _value(found)


def _value(figure: PublishedFigure | None) -> ValuePayload | None:
    return None if figure is None else {"value": figure.value, "low": figure.low, "high": figure.high}
