"""Data of a cohort as pandas frames with plain columns. Unknown values are missing (NaN or None)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa

from explorer.analysis.exports.slice_export import slice_provenance
from explorer.cohorts.public_ids import opaque_id
from explorer.core.age_bands import age_band
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.in_sample import origin_words
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.store import Store

FILM_COLUMNS = ("case", "center", "view", "sex", "age", "patient")
FINDING_COLUMNS = ("finding", "group", "films", "positives", "negatives")
MODEL_COLUMNS = ("model", "title", "unit", "findings", "films", "origin")
PAIR_COLUMNS = (*FILM_COLUMNS, "finding", "group", "label", "score", "threshold", "margin", "outcome")


def frame_of(columns: Iterable[str], rows: Iterable[tuple[object, ...]], about: Mapping[str, object]) -> pd.DataFrame:
    """Return rows as a frame with these columns; `about` goes into its `attrs`."""
    made = pd.DataFrame.from_records(list(rows), columns=list(columns))
    made.attrs.update({"use": NOT_FOR_MEDICAL_USE, **about})
    return made


def cohort_attrs(cohort: Manifest) -> dict[str, object]:
    """Return the `attrs` that every frame of a cohort has."""
    return {"cohort": cohort.name, "cohort_version": cohort.version, "films": simulated_or_real(cohort)}


def simulated_or_real(cohort: Manifest) -> str:
    """Return "SIMULATED" or "real"."""
    return "SIMULATED" if cohort.simulated else "real"


def public_patient(cohort: str, patient: str | None) -> str | None:
    """Return a pseudonymous id, equal for films of one patient; None if the patient is unknown."""
    return None if patient is None else opaque_id(cohort, "patient", patient)


def models_frame(cohort: Manifest, models: Iterable[ModelManifest]) -> pd.DataFrame:
    """One row per model; `origin`: how these films relate to its training films, empty if unknown."""
    rows = (
        (each.model, each.title, each.unit, len(each.findings), each.scored, origin_words(each.origins))
        for each in sorted(models, key=lambda each: each.model)
    )
    return frame_of(MODEL_COLUMNS, rows, cohort_attrs(cohort))


def films_frame(store: Store, cohort: Manifest) -> pd.DataFrame:
    """One row per film, sorted by case name; `present`: the findings labeled present, separated by `; `."""
    lines = store.cases(cohort.name, list(store.patients(cohort.name)))
    rows = (
        (
            *(each.case, each.center, each.view, each.sex, age_band(each.age)),
            public_patient(cohort.name, each.patient),
            "; ".join(each.present),
        )
        for each in lines
    )
    return frame_of((*FILM_COLUMNS, "present"), rows, cohort_attrs(cohort))


def findings_frame(store: Store, cohort: Manifest, chosen: Slice) -> pd.DataFrame:
    """One row per finding that the slice's model scores: its films, and those labeled present and absent."""
    groups = store.groups(cohort.name, chosen.model, chosen.source)
    tallies = store.tally(chosen)
    rows = (
        (
            *(finding, groups[finding], films),
            sum(each.positives for each in tallies if each.finding == finding),
            sum(each.negatives for each in tallies if each.finding == finding),
        )
        for finding, films in store.facets(cohort.name, chosen.model).findings.items()
    )
    return frame_of(FINDING_COLUMNS, rows, {**cohort_attrs(cohort), "group_source": chosen.source})


def pairs_frame(store: Store, chosen: Slice) -> pd.DataFrame:
    """One row per (film, finding) pair of the slice, worst first. Raises TooManyRows."""
    table = store.rows(chosen)
    found = pd.DataFrame({name: _plain(table.column(name)) for name in table.column_names})
    groups = store.groups(chosen.cohort, chosen.model, chosen.source)
    found["patient"] = [public_patient(chosen.cohort, patient) for patient in table.column("patient").to_pylist()]
    found["age"] = found["age_band"]
    found["group"] = [groups[finding] for finding in found["finding"]]
    found["margin"] = found["score"] - found["threshold"]
    pairs = found[list(PAIR_COLUMNS)]
    pairs.attrs.update(slice_provenance(store, chosen))
    return pairs


def _plain(column: pa.ChunkedArray) -> pd.Series:
    """Convert a column, with text as plain strings: pandas would also count categories that a selection lacks."""
    made: pd.Series = (column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column).to_pandas()
    return made
