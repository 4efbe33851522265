"""Average ranks over tracks: worked by hand, with ties, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.analysis.leaderboard.track_ranks import NoTracks, ranks_table, track_ranks
from explorer.core.result_table import table_in
from explorer.store.slices import Slice
from tests.support.small_cohort import Film, store_of, write_small
from tests.support.wording import Wording

# Ranks of the two positives among ten films, by model: APs 1, 5/12 and 5/12, AUROCs 1, 11/16 and 12/16.
FIRST = {"a": (1, 2), "b": (2, 6), "c": (3, 4)}
SECOND = {"a": (9, 10), "b": (1, 2), "c": (1, 3)}


def track(place: Path, name: str, present: dict[str, tuple[int, int]], resamples: int = 0) -> Board:
    """A board of models whose two positives have these ranks among ten films."""
    for model, top in present.items():
        order = [*top, *(rank for rank in range(1, 11) if rank not in top)]
        films = [
            Film(f"film {n}", {"Mass": "present" if n < 2 else "absent"}, {"Mass": 1 - rank / 20})
            for n, rank in enumerate(order)
        ]
        folder = write_small(place, films, {}, name=name, model=model)
    store, chosen, models = store_of(folder), Slice(name, "a"), tuple(present)
    return board_of(joint_scores(store, chosen, models), slice_groups(store, chosen, models), resamples, 1, False)


def test_ranks_are_averaged_and_ties_are_broken_by_auroc(tmp_path: Path) -> None:
    found = track_ranks(("one", "two"), [track(tmp_path, "one", FIRST), track(tmp_path, "two", SECOND)])
    assert found.ranks.tolist() == [[1, 3, 2], [3, 1, 2]]  # c before b on the first, by AUROC
    assert found.average.tolist() == [2, 2, 2]
    assert found.order == (0, 1, 2) and np.isnan(found.low).all()


def test_a_better_average_comes_first_and_the_table_says_what_each_track_is(tmp_path: Path) -> None:
    boards = [track(tmp_path, "one", FIRST, 50), track(tmp_path, "two", FIRST, 50)]
    found = track_ranks(("one", "two"), boards)
    assert found.average.tolist() == [1, 3, 2] and found.order == (0, 2, 1)
    assert (found.low <= found.average).all() and (found.average <= found.high).all()
    table = ranks_table(found)
    assert [row[0] for row in table.grids[0].rows] == ["a", "c", "b"]
    assert len(table.rows) == 6 and table.rows[0]["average_rank"] == 1
    assert "one 10 films, two 10 films" in table_in("text", table)


def test_one_track_and_a_model_without_a_mean_are_refused(tmp_path: Path, wording: Wording) -> None:
    board = track(tmp_path, "one", FIRST)
    with pytest.raises(NoTracks) as single:
        track_ranks(("one",), [board])
    wording(single.value, "two tracks")
    board.means[0, "AP"].point[1] = np.nan
    with pytest.raises(NoTracks) as lacking:
        track_ranks(("one", "two"), [board, board])
    wording(lacking.value, "b has no mAP on one")
