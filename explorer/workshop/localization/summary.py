"""Summarizes measurements: how often maps point into the finding, compared with chance and with the mean mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Counts, Floats
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.localization import HEAT_LEVELS, MapAgreement
from explorer.metrics.resamples import resamples_of
from explorer.workshop.localization.mean_mask import mean_mask_matches
from explorer.workshop.localization.measured import MeasurementFolder
from models.cards.heat_method import HeatMethod
from models.cards.map_card import MapHits

MEAN_MASK, CHANCE = "mean mask of other patients", "chance"
RESAMPLES = 1000
SCALE_PERCENTILE = 95  # percentile of the hits' map maxima at which the color scale ends
IntervalBounds = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapLine:
    """How well a method's maps find their target on a part of the (film, finding) pairs.

    `part` names it, such as "finding" and "Mass". `pointing` is the rate of maxima in the mask, with a 95 % interval
    that resamples patients. `ahead` is this rate minus the mean mask's rate on the same pairs, with its interval.
    `energy` is the median over pairs; chance gives 1. `overlap` is the mean intersection over union at `level`, the
    fraction of the map's maximum that works best over all hits of the method. Values that do not apply are None.
    """

    method: str
    part: tuple[str, str]
    n: int
    patients: int
    pointing: float
    energy: float | None
    pointing_interval: IntervalBounds | None = None
    ahead: float | None = None
    ahead_interval: IntervalBounds | None = None
    overlap: float | None = None
    level: float | None = None


@dataclass(frozen=True, slots=True)
class MapSummary:
    """Lines, all hits first, and the median correlation between maps of two flagged findings, with its n, by method."""

    lines: tuple[MapLine, ...]
    similarity: Mapping[str, tuple[float, int]]

    def line(self, method: str, by: str = "all", name: str = "hits") -> MapLine | None:
        """Return the line of a method on a part; None if there is none."""
        return next((each for each in self.lines if each.method == method and each.part == (by, name)), None)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """One method's measurements, pair by pair; the pairs are the same for every method."""

    keys: tuple[tuple[str, str], ...]  # case and finding
    patients: NDArray[np.str_]
    parts: Mapping[tuple[str, str], NDArray[np.bool_]]
    hits: NDArray[np.bool_]
    pointing: NDArray[np.float64]  # 1 or 0
    energy: NDArray[np.float64]
    overlap: NDArray[np.float64]
    peak: NDArray[np.float64]


def summarize(place: MeasurementFolder, methods: Sequence[HeatMethod]) -> MapSummary:
    """Summarize the measurements of these methods. Raises DamagedCohort."""
    targets = [row for part in place.targets() for row in part.rows()]
    mean_mask = mean_mask_matches(targets)
    share = {(str(row["case"]), str(row["finding"])): float(str(row["share"])) for row in targets}
    lines: list[MapLine] = []
    similarity: dict[str, tuple[float, int]] = {}
    for number, method in enumerate(methods):
        pairs = _pairs(place, method)
        known = _mean_mask_pairs(pairs, mean_mask)
        if not number:
            lines += _lines(MEAN_MASK, known, None)
            lines += _chance(pairs, share)
        lines += _lines(str(method), pairs, known)
        alike = median_similarity(place, method)
        if alike is not None:
            similarity[str(method)] = alike
    lines.sort(key=lambda line: line.part != ("all", "hits"))
    return MapSummary(tuple(lines), similarity)


def median_similarity(place: MeasurementFolder, method: HeatMethod) -> tuple[float, int] | None:
    """Return the median correlation between maps of two flagged findings of a film, with its n; None if n is 0."""
    values = [row["correlation"] for part in place.alike(method) for row in part.rows()]
    defined = np.array([value for value in values if value is not None], np.float64)
    return (float(np.median(defined)), defined.size) if defined.size else None


def hits_by_finding(place: MeasurementFolder, method: HeatMethod) -> tuple[MapHits, dict[str, MapHits], float]:
    """Return the hits of a method's maps over all findings and by finding, and the end of the color scale."""
    pairs = _pairs(place, method)
    mean_mask = _mean_mask_pairs(pairs, mean_mask_matches([row for part in place.targets() for row in part.rows()]))

    def worth(chosen: NDArray[np.bool_]) -> MapHits:
        found, known = pairs.pointing[chosen], mean_mask.pointing[chosen]
        return MapHits(int(found.sum()), int(chosen.sum()), int(known.sum()), int((found * known).sum()))

    by_finding = {name: worth(rows) for (by, name), rows in pairs.parts.items() if by == "finding" and rows.any()}
    scale = float(np.percentile(pairs.peak[pairs.hits], SCALE_PERCENTILE)) if pairs.hits.any() else 0.0
    return worth(pairs.hits), by_finding, scale


def _pairs(place: MeasurementFolder, method: HeatMethod) -> _Pairs:
    rows = [row for part in place.found(method) for row in part.rows()]
    hits = np.array([bool(row["called"]) for row in rows], np.bool_)
    parts = {("all", "hits"): hits, ("outcome", "miss"): ~hits}
    for by in ("center", "finding"):
        values = np.array([str(row[by]) for row in rows])
        parts |= {(by, str(value)): hits & (values == value) for value in sorted(set(values))}
    return _Pairs(
        tuple((str(row["case"]), str(row["finding"])) for row in rows),
        np.array([str(row["patient"]) for row in rows]),
        parts,
        hits,
        np.array([bool(row["pointing"]) for row in rows], np.float64),
        np.array([np.nan if row["energy"] is None else row["energy"] for row in rows], np.float64),
        np.array([row["overlap"] for row in rows], np.float64).reshape(len(rows), len(HEAT_LEVELS)),
        np.array([row["peak"] for row in rows], np.float64),
    )


def _mean_mask_pairs(pairs: _Pairs, mean_mask: Mapping[tuple[str, str], MapAgreement | None]) -> _Pairs:
    """Return the mean mask's results in place of a map's; it points nowhere if no other patient has the finding."""
    nothing = MapAgreement(False, None, (0.0,) * len(HEAT_LEVELS))
    each = [mean_mask[key] or nothing for key in pairs.keys]
    return replace(
        pairs,
        pointing=np.array([found.pointing for found in each], np.float64),
        energy=np.array([np.nan if found.energy is None else found.energy for found in each], np.float64),
        overlap=np.array([found.overlap for found in each], np.float64).reshape(len(each), len(HEAT_LEVELS)),
    )


def _chance(pairs: _Pairs, share: Mapping[tuple[str, str], float]) -> list[MapLine]:
    """Return the lines for random pointing, whose hit rate is the mask's share of the film."""
    shares = np.array([share[key] for key in pairs.keys], np.float64)
    return [
        MapLine(CHANCE, part, int(rows.sum()), len(set(pairs.patients[rows].tolist())), float(shares[rows].mean()), 1.0)
        for part, rows in pairs.parts.items()
        if rows.any()
    ]


def _lines(method: str, pairs: _Pairs, mean_mask: _Pairs | None) -> list[MapLine]:
    best = int(pairs.overlap[pairs.hits].mean(0).argmax()) if pairs.hits.any() and pairs.overlap.size else None
    return [_line(method, part, rows, pairs, mean_mask, best) for part, rows in pairs.parts.items() if rows.any()]


def _line(
    method: str,
    part: tuple[str, str],
    rows: NDArray[np.bool_],
    pairs: _Pairs,
    mean_mask: _Pairs | None,
    best: int | None,
) -> MapLine:
    patients, pointing = pairs.patients[rows], pairs.pointing[rows]
    ahead = None if mean_mask is None else pointing - mean_mask.pointing[rows]
    energy = pairs.energy[rows]
    return MapLine(
        method,
        part,
        len(pointing),
        len(set(patients.tolist())),
        float(pointing.mean()),
        float(np.nanmedian(energy)) if not np.isnan(energy).all() else None,
        _mean_interval(pointing, patients),
        None if ahead is None else float(ahead.mean()),
        None if ahead is None else _mean_interval(ahead, patients),
        None if best is None else float(pairs.overlap[rows, best].mean()),
        None if best is None else HEAT_LEVELS[best],
    )


def _mean_interval(values: NDArray[np.float64], patients: NDArray[np.str_]) -> IntervalBounds:
    """Return the 95 % interval of a mean of integers, resampling patients; integer sums are exact on every machine."""
    drawn = resamples_of(len(values), RESAMPLES, 0, patients, None)

    def mean(counts: Counts) -> Floats:
        weighed: Floats = (counts * values).sum(1) / counts.sum(1)
        return weighed[:, None]

    return percentile_interval(drawn.evaluate(mean)[:, 0], drawn.units)
