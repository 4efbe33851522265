"""Two models compared finding by finding on the same films: differences, intervals and p, adjusted over findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.board_metrics import Region, board_points, board_regions, board_samples
from explorer.analysis.leaderboard.board_rates import MOST_COUNTED, BoardRates
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.arrays import Floats
from explorer.core.progress import OnShare, no_progress
from explorer.metrics.bias_corrected import IntervalKind, interval_of
from explorer.metrics.delong import delong
from explorer.metrics.paired_rows import benjamini_hochberg, two_sided_p
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.runtime.work_process import run_here
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

PairMeasure = Literal["AP", "AUROC", "F1", "sensitivity"]
PAIR_MEASURES: tuple[PairMeasure, ...] = get_args(PairMeasure)
MIN_POSITIVES = 10  # with fewer positives, one or two films decide a difference
_ON_BOARD: Mapping[PairMeasure, BoardMeasure] = {"AP": "AP", "AUROC": "AUROC", "F1": "F1", "sensitivity": "recall"}


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """The second model minus the first by finding (findings,), with 95 % interval and two-sided p.

    NaN if undefined, not yet computed, or, for all but `value`, if the finding has too few positives to be tested.
    `adjusted` is p by Benjamini and Hochberg over the tested findings.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    adjusted: Floats

    @classmethod
    def of(cls, value: Floats, low: Floats, high: Floats, p: Floats) -> Differences:
        """Adjust p over all findings that have one."""
        return cls(value, low, high, p, benjamini_hochberg(p))

    def only(self, tested: NDArray[np.bool_]) -> Differences:
        """Restrict intervals and p to the tested findings (findings,), and adjust p over them."""
        low, high, p = (np.where(tested, each, np.nan) for each in (self.low, self.high, self.p))
        return Differences.of(self.value, low, high, p)


@dataclass(frozen=True, slots=True, eq=False)
class FindingDifferences:
    """Two models on the films that both scored, by finding; `resamples` is 0 if only values are computed.

    `values` are (2, findings) by measure. `area` is the difference in AUROC by DeLong's method; None if films are
    weighted, because it has no weights. `in_closed_form`: sensitivities have intervals of rates, else resamples.
    """

    models: tuple[str, str]
    findings: tuple[str, ...]
    known: tuple[int, ...]  # (findings,) films with a known label
    positives: tuple[int, ...]  # (findings,) films with the finding
    values: Mapping[PairMeasure, Floats]
    differences: Mapping[PairMeasure, Differences]
    area: Differences | None
    films: int
    patients: int
    films_left_out: int
    findings_left_out: tuple[str, ...]
    uncalled: int
    minimum: int
    intervals: IntervalKind
    in_closed_form: bool
    weighted: bool
    resamples: int

    @property
    def tested(self) -> NDArray[np.bool_]:
        """Whether each finding has enough positives to be tested (findings,)."""
        return np.array([positives >= self.minimum for positives in self.positives], dtype=np.bool_)

    def at_least(self, minimum: int) -> FindingDifferences:
        """Return the comparison with only findings of at least `minimum` positives tested, up to its own minimum."""
        narrowed = replace(self, minimum=max(minimum, self.minimum))
        tested = narrowed.tested
        return replace(
            narrowed,
            differences={measure: each.only(tested) for measure, each in self.differences.items()},
            area=None if self.area is None else self.area.only(tested),
        )

    def significant(self, measure: PairMeasure, level: float = 0.05) -> tuple[int, int, int]:
        """Return the tested findings with a difference, and how many of them the second or the first model leads.

        Those count whose adjusted p is below `level`.
        """
        found = self.differences[measure]
        leads = found.adjusted < level
        return (
            int((~np.isnan(found.p)).sum()),
            int((leads & (found.value > 0)).sum()),
            int((leads & (found.value < 0)).sum()),
        )


def difference_points(store: Store, chosen: Slice, pair: tuple[str, str], *, natural: bool) -> FindingDifferences:
    """Return the values and differences of a pair, the reference first, without intervals.

    Raises NoComparison and the store's errors.
    """
    return _points(store, chosen, pair, natural, tuple(store.version(chosen.cohort, model) for model in pair))


@cached_per_owner(8)
def _points(
    store: Store, chosen: Slice, pair: tuple[str, str], natural: bool, _versions: tuple[str, ...]
) -> FindingDifferences:
    return finding_differences(joint_scores(store, chosen, pair), 0, 0, natural=natural)


def finding_differences(
    joint: JointScores,
    resamples: int,
    seed: int,
    *,
    natural: bool = False,
    intervals: IntervalKind = "percentile",
    on_progress: OnShare = no_progress,
) -> FindingDifferences:
    """Compare the two models of `joint`, the first being the reference; with `resamples`, with intervals and p.

    AP, AUROC and F1 are compared over resamples of whole patients, which draw the same films for both. Sensitivities
    are rates: their differences have a closed form (`RateSums`), except for very many films. `natural` weights films
    to natural prevalence. All findings are tested; `at_least` sets a minimum. Raises ValueError like `joint_metrics`,
    and unless there are two models.
    """
    if len(joint.models) != 2:
        raise ValueError(f"Two models are compared. There are {len(joint.models)}.")
    (region,) = regions = board_regions(joint, {None: slice(0, len(joint.films))}, natural=natural)
    points, _ = board_points(joint, regions, natural=natural)
    values = {measure: points[None][_ON_BOARD[measure]] for measure in PAIR_MEASURES}
    found = {measure: _undefined(each[1] - each[0]) for measure, each in values.items()}
    area = None if natural else _undefined(found["AUROC"][0])
    closed = len(joint.films) * 2 <= MOST_COUNTED
    if resamples:
        drawn = board_samples(
            joint,
            regions,
            resamples,
            seed,
            natural=natural,
            run=run_here,
            measures=tuple(_ON_BOARD.values()),
            on_progress=on_progress,
        )
        for some, samples in drawn:
            for measure in PAIR_MEASURES:
                if not (closed and measure == "sensitivity"):
                    _add_resampled(found[measure], some, samples[None][_ON_BOARD[measure]], region, intervals)
        if closed:
            found["sensitivity"] = _of_rates(joint, region, natural=natural)
        area = None if natural else _by_delong(joint)
    return FindingDifferences(
        models=(joint.models[0], joint.models[1]),
        findings=joint.findings,
        known=tuple(region.known.tolist()),
        positives=tuple(region.positives.tolist()),
        values=values,
        differences={measure: Differences.of(*each) for measure, each in found.items()},
        area=None if area is None else Differences.of(*area),
        films=len(joint.films),
        patients=len(np.unique(joint.patients)),
        films_left_out=joint.films_left_out,
        findings_left_out=joint.findings_left_out,
        uncalled=region.left_out,
        minimum=0,
        intervals=intervals,
        in_closed_form=closed,
        weighted=natural,
        resamples=resamples,
    )


def _undefined(value: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return values with intervals and p to be filled in."""
    low, high, p = (np.full(value.shape, np.nan) for _ in range(3))
    return value, low, high, p


def _add_resampled(
    found: tuple[Floats, Floats, Floats, Floats],
    findings: Sequence[int],
    samples: Floats,
    region: Region,
    kind: IntervalKind,
) -> None:
    """Fill in intervals and p of some findings from samples (resamples, 2, findings)."""
    value, low, high, p = found
    for column, finding in enumerate(findings):
        apart, units = samples[:, 1, column] - samples[:, 0, column], int(region.patients[finding])
        low[finding], high[finding] = interval_of(kind, apart, float(value[finding]), units)
        if units > 1 and not np.isnan(value[finding]):
            p[finding] = two_sided_p(apart, int(region.positives[finding]))


def _of_rates(joint: JointScores, region: Region, *, natural: bool) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the differences of sensitivities in closed form."""
    rates = BoardRates(joint, {None: region}, natural)
    rows = [rates.against(None, "recall", finding, 0) for finding in np.eye(len(joint.findings))]
    value, low, high, p = (np.array([getattr(row, part)[1] for row in rows]) for part in ("value", "low", "high", "p"))
    return value, low, high, p


def _by_delong(joint: JointScores) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the differences of AUROC by DeLong's method, films of a patient counted together."""
    rows = [
        delong(joint.labels[:, finding], joint.scores[:, :, finding], joint.patients).difference(1, 0)
        for finding in range(len(joint.findings))
    ]
    value, low, high, p = (np.array([getattr(row, part) for row in rows]) for part in ("value", "low", "high", "p"))
    return value, low, high, p
