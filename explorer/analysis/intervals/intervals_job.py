"""The intervals that take long, bootstrap over patients, while the page is already there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from explorer.analysis.comparisons.co_occurrence import Pair, with_intervals
from explorer.analysis.ensembles.ensemble import Mean, ensemble_scores
from explorer.analysis.intervals.intervals_process import IntervalsApart
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, groups_in
from explorer.analysis.performance import compare, performance_table
from explorer.analysis.performance.cell_intervals import FindingIntervals, Interval, intervals_of, shown_gaps
from explorer.analysis.performance.two_sides import CenterGap, Measured
from explorer.analysis.slice_discovery.discovery_job import DiscoveryJob
from explorer.runtime.background_jobs import Job
from explorer.runtime.time_left import Meter
from explorer.runtime.work_process import Process, here
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

Result = TypeVar("Result")

RESAMPLES, SEED = 1000, 0  # behind every interval
BOARDS = 8  # that are kept: each has the samples of every mean, some megabytes


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known of a table's intervals: by finding and center, "" for all centers together; and, by finding, the
    two centers that differ most. These have an adjusted p once all are known.
    """

    done: Mapping[tuple[str, str], Interval]
    of: int  # cells when it is complete
    complete: bool
    gaps: Mapping[str, Mapping[Measured, CenterGap]] = field(default_factory=dict)


class IntervalsJob:
    """Average precision with its intervals, finding by finding, and the differences of two slices; never waits.

    `discovery` are slices on which a model fails, in a line of their own: all findings take half a minute.
    """

    def __init__(
        self,
        store: Store,
        *,
        resamples: int = RESAMPLES,
        seed: int = SEED,
        process: Process = here,
        boards_process: Process = here,
    ) -> None:
        """Boards of many models take long and have a `boards_process` of their own, everything else a `process`."""
        self._store = store
        self._process = process
        self._boards_process = boards_process
        self.resamples = resamples
        self.seed = seed
        self.discovery = DiscoveryJob(store)
        self._job = Job()
        self._board_job = Job(kept=BOARDS)
        self._meter = Meter()

    def ask(self, key: Hashable, prepare: Callable[[], Callable[[], Result]]) -> Result | None:
        """What the work answers that `prepare` makes ready, for the process; None while it is being computed.

        Raises FailedWork, as a `Job` does.
        """
        return self._job.ask(key, lambda: self._process(prepare()))

    def cells(self, asked: Slice) -> Progress:
        """What is known so far of the intervals of the slice's table. Raises FailedWork once for each failure."""
        table = performance_table.table(self._store, asked)
        centers = tuple(center.name for center in table.centers)
        key = ("cells", table.version, table.chosen, self.resamples, self.seed)
        done: dict[tuple[str, str], Interval] = {}
        gaps: dict[str, Mapping[Measured, tuple[CenterGap, ...]]] = {}
        missing = 0
        for line in reversed(table.lines):  # the last one asked is computed first: the head of the list
            work = partial(self._finding, table.chosen, line.finding, centers, table.between)
            known = self._job.ask((*key, line.finding), work)
            if known is None:
                missing += 1
            else:
                done |= {(line.finding, center): each for center, each in known.cells.items()}
                gaps[line.finding] = known.gaps
        shown = shown_gaps(gaps, complete=not missing)
        return Progress(done, len(table.lines) * (len(centers) + 1), not missing, shown)

    def compared(self, one: Slice, other: Slice) -> compare.Compared:
        """The two slices with the intervals that are known by now; asking keeps others coming. Raises FailedWork."""
        versions = tuple(self._store.version(each.cohort, each.model) for each in (one, other))
        at_once = compare.compared(self._store, one, other)
        key = ("compared", one, other, *versions, self.resamples, self.seed)
        known: dict[str, tuple[compare.Pair, ...]] = {}
        for finding in reversed(at_once.findings):  # the last one asked is computed first
            work = partial(self._compared, one, other, finding, at_once.of(finding))
            pairs = self._job.ask((*key, finding), work)
            if pairs is not None:
                known[finding] = pairs
        return at_once.knowing(known)

    def board(self, chosen: Slice, models: Sequence[str], *, natural: bool) -> Board | None:
        """The leaderboard with intervals; None while they are being computed. Raises FailedWork."""
        key = self._board_key(chosen, models, natural)
        return self._board_job.ask(key, partial(self._board, key, chosen, models, natural))

    def board_left(self, chosen: Slice, models: Sequence[str], *, natural: bool) -> float | None:
        """How many seconds that board will still take; None where nobody can say yet, or another is computed first."""
        return self._meter.left(self._board_key(chosen, models, natural))

    def ensemble(self, chosen: Slice, models: Sequence[str], mean: Mean, *, natural: bool) -> Board | None:
        """The board of these models' ensemble alone, on the resamples of theirs; None while it is being computed.

        Raises FailedWork.
        """
        versions = tuple(self._store.version(chosen.cohort, model) for model in models)
        key = (mean, chosen, tuple(models), natural, versions, self.resamples, self.seed)
        return self._board_job.ask(key, partial(self._ensemble, chosen, models, mean, natural))

    def pairs(
        self, chosen: Slice, models: Sequence[str], model: int, pairs: tuple[Pair, ...], *, natural: bool
    ) -> tuple[Pair, ...] | None:
        """Pairs of findings with intervals, of the model at a place; None while they are being computed.

        Raises FailedWork.
        """
        versions = tuple(self._store.version(chosen.cohort, each) for each in models)
        key = ("pairs", chosen, tuple(models), model, natural, versions, self.resamples, self.seed)
        return self._job.ask(key, partial(self._pairs, chosen, models, model, pairs, natural))

    def close(self) -> None:
        """Take up no more work."""
        self.discovery.close()
        self._job.close()
        self._board_job.close()

    def _board_key(self, chosen: Slice, models: Sequence[str], natural: bool) -> Hashable:
        versions = tuple(self._store.version(chosen.cohort, model) for model in models)
        return chosen, tuple(models), natural, versions, self.resamples, self.seed

    def _board(self, key: Hashable, chosen: Slice, models: Sequence[str], natural: bool) -> Board:
        joint, groups = joint_scores(self._store, chosen, models), groups_in(self._store, chosen, models)
        work = partial(board_of, joint, groups, self.resamples, self.seed, natural)
        return self._boards_process(work, self._meter.of(key))

    def _ensemble(self, chosen: Slice, models: Sequence[str], mean: Mean, natural: bool) -> Board:
        joint, groups = ensemble_scores(self._store, chosen, models, mean), groups_in(self._store, chosen, models)
        return self._boards_process(partial(board_of, joint, groups, self.resamples, self.seed, natural))

    def _pairs(
        self, chosen: Slice, models: Sequence[str], model: int, pairs: tuple[Pair, ...], natural: bool
    ) -> tuple[Pair, ...]:
        joint = joint_scores(self._store, chosen, models)
        work = partial(with_intervals, joint, model, pairs, self.resamples, self.seed, natural=natural)
        return self._process(work)

    def _compared(
        self, one: Slice, other: Slice, finding: str, pairs: tuple[compare.Pair, ...]
    ) -> tuple[compare.Pair, ...]:
        sides = compare.sides_of(self._store, one, other, finding)
        return self._process(partial(compare.resampled, pairs, sides, self.resamples, self.seed))

    def _finding(
        self, chosen: Slice, finding: str, centers: tuple[str, ...], between: tuple[str, ...]
    ) -> FindingIntervals:
        column = self._store.column(chosen, finding)
        return self._process(partial(intervals_of, column, centers, between, self.resamples, self.seed))


def intervals_apart(store: Store) -> IntervalsJob:
    """Intervals for the page, computed in processes of their own."""
    return IntervalsJob(store, process=IntervalsApart(), boards_process=IntervalsApart())
