"""What perturbations change: each metric's mean, by frequency group, and the calls that flip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.groups import NORMAL, BoardPart, FrequencyGroups, board_parts
from explorer.analysis.leaderboard.joint_metrics import draws
from explorer.analysis.leaderboard.means import slice_groups
from explorer.analysis.robustness.finding_sides import FindingSides
from explorer.analysis.robustness.flips import (
    RIGHT,
    WRONG,
    CallsBefore,
    FlippedCalls,
    Flips,
    SwitchedFlips,
    summed_flips,
)
from explorer.analysis.robustness.level_metrics import (
    CHANGED,
    ChangedMeasure,
    PartMeans,
    level_metrics,
    mean_changes,
    part_means,
)
from explorer.analysis.robustness.perturbed_films import PerturbedFilms, perturbed_films
from explorer.core.figures import Estimate
from explorer.core.findings import Outcome
from explorer.core.progress import OnShare, no_progress
from explorer.core.rates import Rate
from explorer.metrics.bootstrap import percentile_interval
from explorer.store.slices import Slice
from models.array_types import Bools
from models.perturbations.film import Level, Scale

if TYPE_CHECKING:
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True, eq=False)
class LevelResult:
    """What one level changes; `flips` are by part.

    `means` are those of the level, without intervals. Where a metric is undefined for a finding at one of the two, such
    as the precision of a finding that is never flagged, the change leaves the finding out.
    """

    level: Level
    changes: PartMeans
    means: PartMeans
    flips: tuple[Flips, ...]


@dataclass(frozen=True, slots=True)
class MirroredFlips:
    """How often right calls flip on mirrored films.

    `sided` are hits of a finding on one side, which moves to the other. `unplaced` are those of findings without a
    stated place, `other_hits` those of all others but Normal.
    """

    sided: Rate
    other_hits: Rate
    unplaced: Rate
    normal: Rate
    rejections: Rate


@dataclass(frozen=True, slots=True, eq=False)
class Robustness:
    """A model on the same films at every level. Parts are all findings, then each frequency group.

    `weakest` counts flips at the weakest strength scored of each kind with strengths, `dialed` at all their strengths.
    `switched` counts flips at each kind that is on or off, `on_or_off` at how many of them a call flips.
    `mirrored` is None if no mirrored films were scored, or nothing says which findings are on one side.
    """

    chosen: Slice
    model: str
    films: PerturbedFilms
    parts: tuple[BoardPart, ...]
    groups: FrequencyGroups
    unchanged: PartMeans
    results: tuple[LevelResult, ...]
    before: CallsBefore
    weakest: FlippedCalls
    dialed: FlippedCalls
    switched: tuple[SwitchedFlips, ...]
    on_or_off: FlippedCalls
    mirrored: MirroredFlips | None
    patients: int
    resamples: int
    simulated: bool

    @property
    def findings(self) -> tuple[str, ...]:
        return self.films.unchanged.findings

    def kinds(self) -> Mapping[str, tuple[LevelResult, ...]]:
        """Return the levels by name of their kind, in order of strength."""
        found: dict[str, tuple[LevelResult, ...]] = {}
        for each in self.results:
            found[each.level.kind.name] = (*found.get(each.level.kind.name, ()), each)
        return found

    def kind_change(self, results: Sequence[LevelResult], measure: ChangedMeasure) -> Estimate:
        """Return the mean difference over the strengths of a kind, for all findings."""
        place = CHANGED.index(measure)
        value = float(np.mean([each.changes.value[0, place] for each in results]))
        drawn = np.mean([each.changes.samples[:, place] for each in results], axis=0)
        return Estimate(value, *percentile_interval(drawn, self.patients))


def robustness(
    store: Store,
    chosen: Slice,
    scale: Scale,
    resamples: int,
    seed: int,
    on_progress: OnShare = no_progress,
) -> Robustness:
    """Compare every level of a model's perturbed films with the unchanged ones, on the same resamples of patients.

    Raises NoComparison and the store's errors.
    """
    return robustness_work(store, chosen, chosen.model, scale)(resamples, seed, on_progress=on_progress)


def robustness_work(store: Store, chosen: Slice, model: str, scale: Scale) -> Callable[..., Robustness]:
    """Return the comparison as work for another process, which takes resamples, seed and `on_progress`."""
    films, groups = perturbed_films(store, chosen, model, scale), slice_groups(store, chosen, (model,))
    return partial(compared_levels, chosen, model, films, groups, store.is_simulated(chosen.cohort))


def without_intervals(
    work: Callable[..., Robustness], resamples: int, seed: int, on_progress: OnShare = no_progress
) -> Robustness:
    """Run `robustness_work` without resamples, whatever their number; its arguments are those of such work."""
    return work(0, seed, on_progress=on_progress)


def compared_levels(
    chosen: Slice,
    model: str,
    films: PerturbedFilms,
    groups: FrequencyGroups,
    simulated: bool,
    resamples: int,
    seed: int,
    on_progress: OnShare = no_progress,
) -> Robustness:
    """Compare one level after the other, so that only two are in memory. Raises DamagedCohort, NoCohort."""
    joint = films.unchanged
    labels = joint.label_columns(range(len(joint.findings)))
    parts = tuple(_parts(board_parts(joint.findings, labels, {}, groups)))
    members = [part.members for part in parts]
    patients = draws(joint, 1, 0, natural=False).units_with((labels >= 0).T)
    first, before = level_metrics(joint, resamples, seed), CallsBefore.of(joint)
    weakest, dialed = (FlippedCalls.none(labels.T.shape) for _ in range(2))
    mirrored: MirroredFlips | None = None
    least = _weakest_strengths(films.levels)
    one_side = None if films.sides is None else films.sides.one_side
    switched: list[SwitchedFlips] = []
    results = []
    for done, level in enumerate(films.levels, 1):
        changed = films.at(level)
        flipped = before.flipped(changed)
        metrics = level_metrics(changed, resamples, seed)
        changes = mean_changes(first, metrics, members, patients)
        means = part_means(replace(metrics, samples=metrics.samples[:0]), members, patients)
        results.append(LevelResult(level, changes, means, _flips(before, flipped, members)))
        if level.strength:
            dialed = dialed.with_level(flipped)
        else:
            switched.append(SwitchedFlips.of(level, before, flipped, one_side))
        if level.strength and level.strength == least[level.kind.name]:
            weakest = weakest.with_level(flipped)
        if level.kind.mirrors and films.sides is not None:
            mirrored = _mirrored(before, flipped, films.sides, np.array(joint.findings) == NORMAL)
        on_progress(done / len(films.levels))
    return Robustness(
        chosen=chosen,
        model=model,
        films=films,
        parts=parts,
        groups=groups,
        unchanged=part_means(first, members, patients),
        results=tuple(results),
        before=before,
        weakest=weakest,
        dialed=dialed,
        switched=tuple(switched),
        on_or_off=summed_flips(switched, labels.T.shape),
        mirrored=mirrored,
        patients=len(np.unique(joint.patients)),
        resamples=resamples,
        simulated=simulated,
    )


def _parts(every: Sequence[BoardPart]) -> Iterator[BoardPart]:
    first, *others = every
    yield first
    yield from (part for part in others if part.kind == "group")


def _weakest_strengths(levels: Sequence[Level]) -> dict[str, int]:
    kinds = {level.kind.name for level in levels}
    return {name: min(level.strength for level in levels if level.kind.name == name) for name in kinds}


def _flips(before: CallsBefore, flipped: NDArray[np.bool_], members: Sequence[Sequence[int]]) -> tuple[Flips, ...]:
    sums = {kind: before.rates(flipped, 1, kind, members) for kind in (RIGHT, WRONG)}
    return tuple({kind: each.rate(place) for kind, each in sums.items()} for place in range(len(members)))


def _mirrored(before: CallsBefore, flipped: Bools, sides: FindingSides, normal: Bools) -> MirroredFlips:
    """Count flips of pairs (n, findings); `normal` marks findings (findings,)."""
    sided, unknown = sides.one_side, sides.unknown

    def rate(pairs: Bools, outcome: Outcome) -> Rate:
        return before.among(pairs).rates(flipped, 1, str(outcome), [range(flipped.shape[1])]).rate()

    return MirroredFlips(
        sided=rate(sided, Outcome.HIT),
        other_hits=rate(~sided & ~unknown & ~normal, Outcome.HIT),
        unplaced=rate(unknown & ~normal, Outcome.HIT),
        normal=rate(np.broadcast_to(normal, sided.shape), Outcome.HIT),
        rejections=rate(~sided, Outcome.CORRECT_REJECTION),
    )
