"""What a leaderboard says of itself: whose films, what is left out, who was fitted on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.report import board_notes, board_report, board_title
from explorer.analysis.leaderboard.table import format_board
from explorer.store.slices import Slice
from tests.support.small_cohort import NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with

ODD = "A & B_1 <i>"


def films_of(n: int, findings: tuple[str, ...]) -> list[Film]:
    labels = ("present", "absent")
    return [
        Film(f"film {k}", {"Mass": labels[k % 2], ODD: labels[k // 2 % 2], "Hernia": "absent"},
             {finding: (k * 7 % 10) / 10 for finding in findings} if k < n else {})
        for k in range(8)
    ]  # fmt: skip


def test_everything_that_is_left_out_is_told(tmp_path: Path, wording: Wording) -> None:
    write_small(tmp_path, films_of(8, ("Mass", ODD, "Hernia")), {"Mass": 0.5, ODD: 0.5}, model="one")
    folder = write_small(tmp_path, films_of(7, ("Mass", ODD, "Hernia", "Nodule")), {}, model="two", in_sample=["North"])
    store, chosen = store_of(folder), Slice(NAME, "one")
    report = board_report(store, leaderboard(store, chosen, ("one", "two")), chosen, 0, natural=False)
    said = list(board_notes(report))
    wording(board_title(report), "2 models", "7 of 8 films", "7 patients")
    wording(line_with(said, "1 film"))
    wording(line_with(said, "Nodule"))
    wording(line_with(said, "Hernia"))
    wording(line_with(said, "No F1", "two"))
    wording(line_with(said, "in-sample", "North"))
    assert not any("Intervals" in sentence for sentence in said), "only points are there"


def test_equal_means_are_ranked_by_auroc_as_the_challenge_does(tmp_path: Path) -> None:
    # Both APs are 5/12: positives at ranks 2 and 6, or 3 and 4. Their AUROCs are 11/16 and 12/16.
    for model, present in (("a", (2, 6)), ("b", (3, 4))):
        ranks = dict(zip(range(10), [*present, *(rank for rank in range(1, 11) if rank not in present)], strict=True))
        films = [
            Film(f"film {n}", {"Mass": "present" if n < 2 else "absent"}, {"Mass": 1 - rank / 20})
            for n, rank in ranks.items()
        ]
        folder = write_small(tmp_path, films, {}, model=model)
    store, chosen = store_of(folder), Slice(NAME, "a")
    board = leaderboard(store, chosen, ("a", "b"))
    assert board.means[0, "AP"].point == pytest.approx([5 / 12, 5 / 12])
    assert board.means[0, "AUROC"].point == pytest.approx([11 / 16, 12 / 16])
    assert board_report(store, board, chosen, 0, natural=False).rows == (1, 0)


def test_names_are_no_markup(tmp_path: Path) -> None:
    folder = write_small(tmp_path, films_of(8, ("Mass", ODD, "Hernia")), {}, model="one")
    store, chosen = store_of(folder), Slice(NAME, "one")
    report = board_report(store, leaderboard(store, chosen, ("one",)), chosen, 0, natural=False)
    text, markdown, latex = (format_board(name, report) for name in ("text", "markdown", "latex"))
    assert ODD in text
    assert r"A \& B\_1 \<i\>" in markdown and ODD not in markdown
    assert r"A \& B\_1 \textless{}i\textgreater{}" in latex and ODD not in latex
