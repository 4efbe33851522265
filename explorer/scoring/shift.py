"""How scores differ between a cohort's centers: the share of films called present, with or without labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import ModelManifest
from explorer.cohorts.parquet_files import read_table
from explorer.core.figures import NO_FILMS, percent_rate_text
from explorer.core.rates import Rate
from explorer.core.text_grid import in_columns
from explorer.core.visible_text import visible_name
from explorer.metrics.clustered_rates import RateSums
from explorer.metrics.patient_ids import patient_numbers


@dataclass(frozen=True, slots=True)
class CalledShift:
    """Films called present, by finding and center. `unlabelled` centers have no labels: only a shift can be shown."""

    centers: tuple[str, ...]
    called: Mapping[str, tuple[Rate, ...]]  # finding -> a rate per center
    unlabelled: tuple[str, ...]


def called_shift(folder: Folder, target: Folder, manifest: ModelManifest) -> CalledShift:
    """Compute the shift from the scores in `target` (the cohort's folder or its overlay), at the model's thresholds."""
    cases = read_table(folder.cases, ["case", "center", "patient"])
    centers = tuple(sorted(pc.unique(cases["center"].cast(pa.string())).to_pylist()))
    points = read_table(target.operating_points(manifest.model)).to_pylist()
    cuts = {row["finding"]: row["threshold"] for row in points if row["split"] is None}
    findings = [finding for finding in manifest.findings if finding in cuts]
    calls = _calls(target, manifest.model, cases["case"], findings, np.array([cuts[each] for each in findings]))
    there = pc.index_in(cases["center"].cast(pa.string()), pa.array(centers)).to_numpy()[:, None] == range(len(centers))
    patients = patient_numbers(cases["patient"].to_pylist())
    called = {}
    for finding, call in zip(findings, calls, strict=True):
        sums = RateSums.of((call == 1)[:, None] & there, (call >= 0)[:, None] & there, patients)
        called[finding] = tuple(map(sums.rate, range(len(centers))))
    labelled = set(pc.unique(_center_of(read_table(folder.labels, ["case"])["case"], cases)).to_pylist())
    return CalledShift(centers, called, tuple(center for center in centers if center not in labelled))


def _calls(
    target: Folder, model: str, cases: pa.ChunkedArray, findings: Sequence[str], cuts: NDArray[np.float64]
) -> NDArray[np.int8]:
    """Return 1 called, 0 not called, -1 not scored (findings, cases), reading part by part to save memory."""
    calls = np.full((len(findings), len(cases)), -1, np.int8)
    for path in sorted(target.predictions(model).glob("part-*.parquet")):
        part = read_table(path)
        case = pc.index_in(part["case"].cast(pa.string()), cases.cast(pa.string()))
        finding = pc.index_in(part["finding"].cast(pa.string()), pa.array(findings, pa.string()))
        known = pc.and_(case.is_valid(), finding.is_valid())
        row, column = (pc.filter(each, known).to_numpy() for each in (finding, case))
        calls[row, column] = pc.filter(part["score"], known).to_numpy() >= cuts[row]
    return calls


def _center_of(names: pa.ChunkedArray, cases: pa.Table) -> pa.ChunkedArray:
    """Return the center of each case; null for cases that are not in the cohort."""
    return cases["center"].cast(pa.string()).take(pc.index_in(names, cases["case"]))


def shift_table(found: CalledShift, manifest: ModelManifest) -> str:
    """Return the shift as a text table; empty if there is only one center."""
    if len(found.centers) < 2 or not found.called:
        return ""
    heads = [_head(center, found, manifest) for center in found.centers]
    rows = [[finding, *map(_rate, rates)] for finding, rates in found.called.items()]
    lines = list(in_columns([["called present", *heads], *rows]))
    if found.unlabelled:
        names = ", ".join(map(visible_name, found.unlabelled))
        lines.append(
            f"{names}: no film has a label, so this is a shift of scores and says nothing "
            "about how often they are right."
        )
    return "\n".join(lines) + "\n"


def _head(center: str, found: CalledShift, manifest: ModelManifest) -> str:
    name = visible_name(center)
    marks = [each for each in (manifest.origins.get(center), "no labels" * (center in found.unlabelled)) if each]
    return f"{name} ({', '.join(marks)})" if marks else name


def _rate(rate: Rate) -> str:
    return f"{rate.hits:,} of {rate.n:,}: {percent_rate_text(rate)}" if rate.n else NO_FILMS
