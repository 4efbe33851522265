"""Ranks of models over several tracks, each a cohort: by mAP, ties by mAUROC, and the average over the tracks.

CXR-LT 2024 ranks each task so and favors teams with the smallest average rank over all three (design document, award
policy and ranking method).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.means import Board
from explorer.core.arrays import Floats, or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import figure_text, fixed, mean_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.metrics.ranks import ranks
from models.refusal import Refusal


class NoTracks(Refusal):
    """Tracks that cannot be ranked together: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackRanks:
    """Ranks of the same models on several tracks; arrays are (models,) but `ranks` (tracks, models), 1 for the best.

    `low` and `high` are the 95 % interval of the average rank over resamples of each track's patients, NaN without any.
    """

    tracks: tuple[str, ...]
    boards: tuple[Board, ...]
    ranks: Floats
    average: Floats
    low: Floats
    high: Floats

    @property
    def order(self) -> tuple[int, ...]:
        """Model indices, the smallest average rank first, equal ones by name."""
        names = self.boards[0].models
        return tuple(sorted(range(len(names)), key=lambda model: (self.average[model], names[model])))


def track_ranks(tracks: Sequence[str], boards: Sequence[Board]) -> TrackRanks:
    """Return the ranks of the models of all boards, which must be the same in the same order.

    Raises NoTracks if a model has no mAP on a track, or if there is a single track.
    """
    if len(tracks) < 2:
        raise NoTracks("An average rank needs two tracks", "Name several cohorts: --cohort A --cohort B.")
    for track, board in zip(tracks, boards, strict=True):
        without = [name for name, mean in zip(board.models, board.means[0, "AP"].point, strict=True) if np.isnan(mean)]
        if without:
            raise NoTracks(f"{without[0]} has no mAP on {track}", "Leave the model or the track out.")
    by_track = np.stack([_ranks(board, sampled=False)[0] for board in boards])
    low = high = np.full(by_track.shape[1], np.nan)
    if all(board.resamples for board in boards):
        sampled = np.stack([_ranks(board, sampled=True) for board in boards]).mean(axis=0)
        low, high = np.quantile(sampled, (0.025, 0.975), axis=0)
    return TrackRanks(tuple(tracks), tuple(boards), by_track, by_track.mean(axis=0), low, high)


def _ranks(board: Board, *, sampled: bool) -> Floats:
    """Return the ranks (resamples, models) over the first part; of the films themselves as one resample."""
    means, ties = board.means[0, "AP"], board.means[0, "AUROC"]
    values = (means.samples, ties.samples) if sampled else (means.point[None], ties.point[None])
    return ranks(*values).astype(np.float64)


def ranks_table(found: TrackRanks) -> ResultTable:
    """Return a row per model, the smallest average rank first."""
    models = found.boards[0].models
    header = ("model", "average rank", *(head for track in found.tracks for head in (f"{track} rank", "mAP", "mAUROC")))
    rows = tuple((models[model], _average(found, model), *_track_words(found, model)) for model in found.order)
    films = ", ".join(
        f"{track} {quantity(board.films, 'film')}" for track, board in zip(found.tracks, found.boards, strict=True)
    )
    notes = (
        f"Each track ranks by mAP, ties by mAUROC: {films}.",
        "The interval of an average rank is over resamples of each track's patients; tracks are resampled apart.",
    )
    grid = TextGrid("Average rank over the tracks", header, rows)
    return ResultTable("Average rank over the tracks", notes, (grid,), tuple(_rows(found)))


def _average(found: TrackRanks, model: int) -> str:
    value, low, high = (float(each[model]) for each in (found.average, found.low, found.high))
    return fixed(value, 2) if np.isnan(low) else mean_text(value, low, high, digits=2)


def _track_words(found: TrackRanks, model: int) -> Iterator[str]:
    for place, board in enumerate(found.boards):
        yield f"{round(found.ranks[place, model])}"
        for measure in ("AP", "AUROC"):
            means = board.means[0, measure]
            low, high = means.interval(model) or (np.nan, np.nan)
            yield figure_text(float(means.point[model]), low, high)


def _rows(found: TrackRanks) -> Iterator[Cells]:
    for model in found.order:
        for place, (track, board) in enumerate(zip(found.tracks, found.boards, strict=True)):
            means = board.means[0, "AP"]
            low, high = means.interval(model) or (None, None)
            yield {
                "model": board.models[model],
                "track": track,
                "films": board.films,
                "rank": float(found.ranks[place, model]),
                "mAP": or_none(means.point[model]),
                "ci_low": low,
                "ci_high": high,
                "mAUROC": or_none(board.means[0, "AUROC"].point[model]),
                "average_rank": float(found.average[model]),
                "average_rank_low": or_none(found.low[model]),
                "average_rank_high": or_none(found.high[model]),
            }
