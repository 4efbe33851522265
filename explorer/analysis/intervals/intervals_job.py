"""Computes slow bootstrap intervals over patients in the background."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from explorer.analysis.ensembles.ensemble import MeanKind, ensemble_scores
from explorer.analysis.intervals.intervals_process import IntervalsHelper
from explorer.analysis.leaderboard.joint_scores import compared_films
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.analysis.performance import compare, performance_table
from explorer.analysis.performance.cell_intervals import CellInterval, FindingIntervals, finding_intervals
from explorer.analysis.performance.two_sides import CenterGap, SliceMeasure, shown_gaps
from explorer.analysis.slice_discovery.discovery_job import DiscoveryJob
from explorer.core.metric_plan import IntervalKind
from explorer.core.progress import OnShare
from explorer.runtime.background_jobs import BackgroundJob
from explorer.runtime.time_left import RemainingTime
from explorer.runtime.work_process import RunWork, run_here
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

WorkResult = TypeVar("WorkResult")

RESAMPLES, SEED = 1000, 0  # of every interval
MAX_CACHED_BOARDS = 8  # cached leaderboards; each holds megabytes of samples


@dataclass(frozen=True, slots=True)
class IntervalsProgress:
    """A table's intervals known so far, by finding and center ("" for all centers), and the largest gaps by finding.

    The gaps have an adjusted p once all of them are known.
    """

    done: Mapping[tuple[str, str], CellInterval]
    of: int  # cells in total
    complete: bool
    gaps: Mapping[str, Mapping[SliceMeasure, CenterGap]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """A leaderboard with its settings, which `board_of` explains."""

    chosen: Slice
    models: tuple[str, ...]
    natural: bool = False
    minimum: int = 0
    intervals: IntervalKind = "percentile"


class IntervalsJob:
    """Returns those intervals of tables, comparisons and leaderboards that are already known, without waiting.

    `discovery` has its own queue, because searching all findings takes half a minute.
    """

    def __init__(
        self,
        store: Store,
        *,
        resamples: int = RESAMPLES,
        seed: int = SEED,
        process: RunWork = run_here,
        boards_process: RunWork = run_here,
    ) -> None:
        """Leaderboards run in `boards_process` because they take long; everything else runs in `process`."""
        self._store = store
        self._process = process
        self._boards_process = boards_process
        self.resamples = resamples
        self.seed = seed
        self.discovery = DiscoveryJob(store)
        self._job = BackgroundJob()
        self._board_job = BackgroundJob(kept=MAX_CACHED_BOARDS)
        self._meter = RemainingTime()  # of leaderboards
        self._meter_of_others = RemainingTime()

    def ask(
        self, key: Hashable, prepare: Callable[[], Callable[..., WorkResult]], *, reports: bool = False
    ) -> WorkResult | None:
        """Return the result of the work that `prepare` returns; None while the process is still computing it.

        `reports`: the work takes `on_progress`, by which `left` knows the time left. Raises FailedWork like a `Job`.
        """

        def run() -> WorkResult:
            work = prepare()
            return self._process(work, self._meter_of_others.of(key)) if reports else self._process(work)

        return self._job.ask(key, run)

    def left(self, key: Hashable) -> float | None:
        """Return the seconds left until the work of a key that was asked for is done; None if unknown."""
        return self._meter_of_others.left(key)

    def cells(self, chosen: Slice, *, request: bool = True) -> IntervalsProgress:
        """Return the intervals of the slice's table known so far and request the others, unless `request` is false.

        Raises FailedWork once per failure.
        """
        table = performance_table.build_performance_table(self._store, chosen)
        centers = tuple(center.name for center in table.centers)
        key = ("cells", table.version, table.chosen, self.resamples, self.seed)
        done: dict[tuple[str, str], CellInterval] = {}
        gaps: dict[str, Mapping[SliceMeasure, tuple[CenterGap, ...]]] = {}
        missing = 0
        for line in reversed(table.lines):  # the last request is computed first, so the table's top comes first
            work = partial(self._finding, table.chosen, line.finding, centers, table.between)
            question = (*key, line.finding)
            known = self._job.ask(question, work) if request else self._job.known(question)
            if known is None:
                missing += 1
            else:
                done |= {(line.finding, center): each for center, each in known.cells.items()}
                gaps[line.finding] = known.gaps
        shown = shown_gaps(gaps, complete=not missing)
        return IntervalsProgress(done, len(table.lines) * (len(centers) + 1), not missing, shown)

    def compared(self, one: Slice, other: Slice, *, request: bool = True) -> compare.SliceComparison:
        """Return the comparison with the intervals known so far and request the others, unless `request` is false.

        Raises FailedWork.
        """
        versions = tuple(self._store.version(each.cohort, each.model) for each in (one, other))
        at_once = compare.compare_slices(self._store, one, other)
        key = ("compared", one, other, *versions, self.resamples, self.seed)
        known: dict[str, tuple[compare.ComparedMeasure, ...]] = {}
        for finding in reversed(at_once.findings):  # the last request is computed first
            work = partial(self._compared, one, other, finding, at_once.of(finding))
            question = (*key, finding)
            pairs = self._job.ask(question, work) if request else self._job.known(question)
            if pairs is not None:
                known[finding] = pairs
        return at_once.knowing(known)

    def board(self, asked: BoardQuestion) -> Board | None:
        """Return the leaderboard with intervals; None while they are being computed. Raises FailedWork."""
        key = self._board_key(asked)
        return self._board_job.ask(key, partial(self._board, key, asked))

    def board_left(self, asked: BoardQuestion) -> float | None:
        """Return the seconds left until the leaderboard is done; None if unknown or not yet started."""
        return self._meter.left(self._board_key(asked))

    def ensemble(
        self, chosen: Slice, models: Sequence[str], mean: MeanKind, *, natural: bool, minimum: int = 0
    ) -> Board | None:
        """Return the ensemble's leaderboard on its members' resamples; None while it is being computed.

        Raises FailedWork.
        """
        versions = tuple(self._store.version(chosen.cohort, model) for model in models)
        key = (mean, chosen, tuple(models), natural, minimum, versions, self.resamples, self.seed)
        return self._board_job.ask(key, partial(self._ensemble, chosen, models, mean, natural, minimum))

    def close(self) -> None:
        """Accept no more work."""
        self.discovery.close()
        self._job.close()
        self._board_job.close()

    def _board_key(self, asked: BoardQuestion) -> Hashable:
        versions = tuple(self._store.version(asked.chosen.cohort, model) for model in asked.models)
        return asked, versions, self.resamples, self.seed

    def _board(self, key: Hashable, asked: BoardQuestion) -> Board:
        films = compared_films(self._store, asked.chosen, asked.models)
        groups = slice_groups(self._store, asked.chosen, asked.models)
        on_progress = self._meter.of(key)
        settings = self.resamples, self.seed, asked.natural, on_progress, self._block_of_board
        return board_of(films, groups, *settings, minimum=asked.minimum, intervals=asked.intervals)

    def _block_of_board(self, work: Callable[..., WorkResult], on_progress: OnShare | None = None) -> WorkResult:
        """Run work on a block of a board, unless only other boards are waited for: a large one takes long."""
        self._board_job.check_wanted()
        return self._boards_process(work, on_progress)

    def _ensemble(self, chosen: Slice, models: Sequence[str], mean: MeanKind, natural: bool, minimum: int) -> Board:
        joint, groups = ensemble_scores(self._store, chosen, models, mean), slice_groups(self._store, chosen, models)
        run = self._boards_process
        return board_of(joint, groups, self.resamples, self.seed, natural, run=run, minimum=minimum)

    def _compared(
        self, one: Slice, other: Slice, finding: str, pairs: tuple[compare.ComparedMeasure, ...]
    ) -> tuple[compare.ComparedMeasure, ...]:
        sides = compare.finding_sides(self._store, one, other, finding)
        return self._process(partial(compare.add_resampled, pairs, sides, self.resamples, self.seed))

    def _finding(
        self, chosen: Slice, finding: str, centers: tuple[str, ...], between: tuple[str, ...]
    ) -> FindingIntervals:
        column = self._store.column(chosen, finding)
        return self._process(partial(finding_intervals, column, centers, between, self.resamples, self.seed))


def background_intervals(store: Store) -> IntervalsJob:
    """Return the page's job, which computes intervals in helper processes."""
    return IntervalsJob(store, process=IntervalsHelper(), boards_process=IntervalsHelper())
