"""Outcomes of a slice by finding and center, summed so that films of one patient can be counted together.

The database returns the outcomes; the sums over patients are matrix products of one finding at a time, because a group
for each finding, center and patient takes DuckDB five times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.core.outcomes import OUTCOMES, PRESENT_OUTCOMES
from explorer.core.rates import PatientSums
from explorer.store.cursor import Cursor
from explorer.store.prepared.tables import Tables
from explorer.store.slices import Slice

_OUTCOMES = len(OUTCOMES)
_PRESENT = [OUTCOMES.index(outcome) for outcome in PRESENT_OUTCOMES]
_ABSENT = [place for place in range(_OUTCOMES) if place not in _PRESENT]
_BLOCK = 2**21  # counts held at once: 16 MB


@dataclass(frozen=True, slots=True, eq=False)
class PatientCounts:
    """Films by outcome, in the order of OUTCOMES, and sums over patients; `c` is the number of centers.

    `films` (c, 4) counts films. `products` (c, 4, c, 4) sums over patients the product of two such counts of one
    patient. `patients` (c + 1, 2) counts patients with a film labeled present, and absent: by center, then anywhere.
    """

    centers: tuple[str, ...]
    films: NDArray[np.int64]
    products: NDArray[np.float64]
    patients: NDArray[np.int64]


def patient_counts(cursor: Cursor, tables: Tables, chosen: Slice) -> dict[str, PatientCounts]:
    """Return the counts by finding; films without an outcome are left out, each film without a patient is its own."""
    asked = tables.where(chosen)
    codes = " ".join(f"WHEN '{outcome}' THEN {place}" for place, outcome in enumerate(OUTCOMES))
    pairs = cursor.arrow(
        f"""SELECT finding, film, (CASE outcome {codes} END)::UTINYINT AS outcome
        FROM {tables.pairs} WHERE outcome IS NOT NULL AND {asked.sql}""",
        asked.parameters,
    )
    films = cursor.arrow(f"FROM {tables.cohort}.by_patient")
    findings, outcomes = _by_film(pairs, films["film"].to_numpy())
    counted = (outcomes < _OUTCOMES).any(axis=0)
    unit = films["unit"].to_numpy()[counted]
    centers, center = _codes(films["center"].filter(pa.array(counted)))
    patient = np.cumsum(np.diff(unit, prepend=unit[:1]) != 0)  # numbered from 0
    return {
        finding: _sums(row[counted], patient, center, centers) for finding, row in zip(findings, outcomes, strict=True)
    }


def sums_by_patient(
    cursor: Cursor, tables: Tables, pairs: str, rates: Sequence[str], parameters: Sequence[object]
) -> Iterator[tuple[str, list[PatientSums]]]:
    """Yield findings, by name, with the sums of a rate for each condition on `pairs` (finding, film, hit, ...).

    A film has at most one pair of a finding. A film without a patient is its own.
    """
    flags = " + ".join(f"{2 << place} * ({rate})::UTINYINT" for place, rate in enumerate(("hit", *rates)))
    there = np.zeros((len(tables.scored), tables.facets.films), np.uint8)
    statement = f"SELECT enum_code(finding) AS finding, film, (1 + {flags})::UTINYINT AS flags FROM {pairs}"
    for batch in cursor.batches(statement, parameters):
        there[batch["finding"].to_numpy(), batch["film"].to_numpy()] = batch["flags"].to_numpy()
    films = cursor.arrow(f"FROM {tables.cohort}.by_patient")
    patient = np.empty(len(films), np.int64)
    patient[films["film"].to_numpy()] = films["unit"].to_numpy()
    for finding, row in sorted(zip(tables.scored, there, strict=True), key=lambda each: each[0]):
        if row.any():
            yield finding, [_patient_sums(row, 4 << place, patient) for place in range(len(rates))]


def _patient_sums(flags: NDArray[np.uint8], rate: int, patient: NDArray[np.int64]) -> PatientSums:
    """Sum the hits and the rest of films with this bit in their `flags` (n,) over their patients (n,)."""
    counted = flags & rate > 0
    hits = np.bincount(patient[counted & (flags & 2 > 0)], minlength=len(patient))
    rest = np.bincount(patient[counted & (flags & 2 == 0)], minlength=len(patient))
    squared, crossed, rest_squared = (int(one @ other) for one, other in ((hits, hits), (hits, rest), (rest, rest)))
    patients = int(np.count_nonzero(hits + rest))
    return PatientSums(int(hits.sum()), int(rest.sum()), squared, crossed, rest_squared, patients)


def _by_film(pairs: pa.Table, order: NDArray[np.int32]) -> tuple[tuple[str, ...], NDArray[np.uint8]]:
    """Return the findings, by name, and each one's outcomes (findings, films) for films in this order; 4 if none."""
    findings, finding = _codes(pairs["finding"])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    outcomes = np.full((len(findings), len(order)), _OUTCOMES, dtype=np.uint8)
    outcomes[finding, rank[pairs["film"].to_numpy()]] = pairs["outcome"].to_numpy()
    return findings, outcomes


def _codes(words: pa.ChunkedArray) -> tuple[tuple[str, ...], NDArray[np.integer]]:
    """Return the words that occur, sorted, and the place of each row's word among them."""
    found = words.dictionary_encode().unify_dictionaries().combine_chunks()
    codes, names = found.indices.to_numpy(), found.dictionary.to_pylist()
    used = np.flatnonzero(np.bincount(codes, minlength=len(names)))
    order = sorted(used.tolist(), key=names.__getitem__)
    rank = np.zeros(len(names), dtype=np.uint16)
    rank[order] = np.arange(len(order), dtype=np.uint16)
    return tuple(names[place] for place in order), rank[codes]


def _sums(
    outcome: NDArray[np.uint8], patient: NDArray[np.int64], center: NDArray[np.integer], centers: tuple[str, ...]
) -> PatientCounts:
    """Sum over the patients, numbered in ascending order, of films (n,) with these outcomes and centers."""
    columns = len(centers) * _OUTCOMES
    films = np.zeros((len(centers), _OUTCOMES))
    products, patients = np.zeros((columns, columns)), np.zeros((len(centers) + 1, 2), dtype=np.int64)
    known = outcome < _OUTCOMES
    column = center.astype(np.int64) * _OUTCOMES + outcome
    for block, n in _blocks(patient, columns):
        here = known[block]
        key = (patient[block][here] - patient[block.start]) * columns + column[block][here]
        counts = np.bincount(key, minlength=n * columns).astype(np.float64).reshape(n, columns)
        products += counts.T @ counts
        by_center = counts.reshape(n, len(centers), _OUTCOMES)
        films += by_center.sum(axis=0)
        for place, label in enumerate((_PRESENT, _ABSENT)):
            there = by_center[:, :, label].sum(axis=2)
            patients[:-1, place] += np.count_nonzero(there, axis=0)
            patients[-1, place] += np.count_nonzero(there.sum(axis=1))
    shape = (len(centers), _OUTCOMES) * 2
    return PatientCounts(centers, films.astype(np.int64), products.reshape(shape), patients)


def _blocks(patient: NDArray[np.int64], columns: int) -> Iterator[tuple[slice, int]]:
    """Yield the films of as many whole patients as fit into a block, and the number of these patients."""
    patients, step = int(patient[-1]) + 1 if len(patient) else 0, max(1, _BLOCK // columns)
    for first in range(0, patients, step):
        last = min(first + step, patients)
        yield slice(*np.searchsorted(patient, (first, last)).tolist()), last - first
