"""What a leaderboard says of itself: whose films, what is left out, who was fitted on them."""

from __future__ import annotations

from pathlib import Path

from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.report import notes, report_of, title
from explorer.analysis.leaderboard.table import board_in
from explorer.store.slices import Slice
from tests.support.small_cohort import NAME, Film, store_of, write_small

ODD = "A & B_1 <i>"


def films_of(n: int, findings: tuple[str, ...]) -> list[Film]:
    labels = ("present", "absent")
    return [
        Film(f"film {k}", {"Mass": labels[k % 2], ODD: labels[k // 2 % 2], "Hernia": "absent"},
             {finding: (k * 7 % 10) / 10 for finding in findings} if k < n else {})
        for k in range(8)
    ]  # fmt: skip


def test_everything_that_is_left_out_is_told(tmp_path: Path) -> None:
    write_small(tmp_path, films_of(8, ("Mass", ODD, "Hernia")), {"Mass": 0.5, ODD: 0.5}, model="one")
    folder = write_small(tmp_path, films_of(7, ("Mass", ODD, "Hernia", "Nodule")), {}, model="two", in_sample=["North"])
    store, chosen = store_of(folder), Slice(NAME, "one")
    report = report_of(store, leaderboard(store, chosen, ("one", "two")), chosen, 0, natural=False)
    said = list(notes(report))
    assert title(report) == "Scores of 2 models on films of small: 7 of 8 films, of 7 patients"
    assert "1 film left out, because not every model scored all findings there. Films without scores: two 1." in said
    assert "Left out, since not every model scores it: Nodule." in said
    assert "No mean counts Hernia: no films with and without it have a known label here." in said
    assert "No F1, precision and recall of two: no threshold for these findings." in said
    assert "For two these films are in-sample at North." in said
    assert not any("Intervals" in sentence for sentence in said), "only points are there"


def test_names_are_no_markup(tmp_path: Path) -> None:
    folder = write_small(tmp_path, films_of(8, ("Mass", ODD, "Hernia")), {}, model="one")
    store, chosen = store_of(folder), Slice(NAME, "one")
    report = report_of(store, leaderboard(store, chosen, ("one",)), chosen, 0, natural=False)
    text, markdown, latex = (board_in(name, report) for name in ("text", "markdown", "latex"))
    assert ODD in text
    assert r"A \& B\_1 \<i\>" in markdown and ODD not in markdown
    assert r"A \& B\_1 \textless{}i\textgreater{}" in latex and ODD not in latex
