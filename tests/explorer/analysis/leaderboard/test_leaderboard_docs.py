"""The example of docs/evaluate.md has the figures of the shipped models."""

from __future__ import annotations

from pathlib import Path

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store

DOCS = Path(__file__).parents[4] / "docs" / "evaluate.md"


def test_the_example_has_todays_figures() -> None:
    store, chosen, models = loaded_store(), Slice("phantom", "phantom", center="B", view="AP"), ("phantom", "lab-crt-0")
    board = board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), 0, 0, False)
    (place,) = (place for place, part in enumerate(board.parts) if part.name == "very rare")
    part, lines = board.parts[place], DOCS.read_text(encoding="utf-8").splitlines()
    assert f"very rare: {len(part.members)} findings, {part.films} films, fewest positives {part.fewest}" in lines
    for model, name in enumerate(models):
        ap, auroc, ece = (board.means[place, measure].point[model] for measure in ("AP", "AUROC", "ECE"))
        (row,) = (line.split() for line in lines if line.startswith(f"{name} ") and "[" in line)
        assert [row[1], row[4], row[7]] == [f"{value:.3f}" for value in (ap, auroc, ece)]
