"""Which models are compared until somebody chooses."""

from __future__ import annotations

from pathlib import Path

from explorer.analysis.leaderboard.joint_scores import comparable_models, default_models
from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.leaderboard.report import board_notes, board_report, board_title
from explorer.store.slices import Slice
from tests.support.small_cohort import NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with


def test_those_compared_at_first_score_what_the_first_scores(tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.5, "Hernia": 0.2})]
    for model in ("b", "a"):
        write_small(tmp_path, films, {}, model=model)
    folder = write_small(tmp_path, [Film("a", {"Mass": "present"}, {"Mass": 0.5})], {}, model="c")
    assert comparable_models(store_of(folder), NAME, "b") == ("b", "a")
    assert comparable_models(store_of(folder), NAME, "c") == ("c", "a", "b")


def test_a_model_with_scores_of_part_of_the_films_is_compared_only_where_it_is_asked_for(
    tmp_path: Path, wording: Wording
) -> None:
    films = [Film(f"{n:02}", {"Mass": "present" if n % 2 else "absent"}, {"Mass": n / 40}) for n in range(40)]
    half = [*films[:20], *(Film(film.case, film.labels) for film in films[20:])]
    nearly = [*films[:39], Film(films[39].case, films[39].labels)]
    for model, scored in (("whole", films), ("nearly", nearly)):
        write_small(tmp_path, scored, {}, model=model)
    store = store_of(write_small(tmp_path, half, {}, model="half"))
    models = comparable_models(store, NAME, "whole")
    assert models == ("whole", "nearly")
    chosen = Slice(NAME, "whole")
    report = board_report(store, leaderboard(store, chosen, models), chosen, 0, natural=False)
    said = (
        "Not compared, because only part of the films have scores: half (20 of 40). Choose models to compare them all."
    )
    assert said in board_notes(report)
    asked = ("whole", "half")
    report = board_report(store, leaderboard(store, chosen, asked), chosen, 0, natural=False)
    wording(line_with(board_title(report), "20 of 40 films", "20 patients"))
    assert any(
        each.endswith("Films without scores: half 20.") for each in board_notes(report)
    ) and said not in board_notes(report)


def test_of_many_models_the_default_one_and_four_more_are_compared_at_first(tmp_path: Path) -> None:
    films = [Film("a", {"Mass": "present"}, {"Mass": 0.5})]
    for model in "gfedcba":
        folder = write_small(tmp_path, films, {}, model=model)
    assert default_models(store_of(folder), NAME, "f") == ("f", "a", "b", "c", "d")
