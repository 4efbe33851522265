"""What the store knows of a cohort, as pandas frames with plain columns. What is not known is missing (NaN or None)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import pandas as pd
import pyarrow as pa

from explorer.analysis.exports.slice_export import facts_of
from explorer.cohorts.public_ids import opaque
from explorer.core.age_bands import age_band
from explorer.core.csv_table import NOT_FOR_MEDICAL_USE
from explorer.core.in_sample import origin_words
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Manifest, ModelManifest
    from explorer.store.store import Store

FILM = ("case", "center", "view", "sex", "age", "patient")
FINDING = ("finding", "group", "films", "positives", "negatives")
MODEL = ("model", "title", "unit", "findings", "films", "origin")
PAIR = (*FILM, "finding", "group", "label", "score", "threshold", "margin", "outcome")


def framed(columns: Iterable[str], rows: Iterable[tuple[object, ...]], about: Mapping[str, object]) -> pd.DataFrame:
    """Rows under their columns; `about` stands in the frame's `attrs`."""
    made = pd.DataFrame.from_records(list(rows), columns=list(columns))
    made.attrs.update({"use": NOT_FOR_MEDICAL_USE, **about})
    return made


def provenance(cohort: Manifest) -> dict[str, object]:
    """What every frame of a cohort says of its films."""
    return {"cohort": cohort.name, "cohort_version": cohort.version, "films": films_word(cohort)}


def films_word(cohort: Manifest) -> str:
    """Whether the films are a simulator's."""
    return "SIMULATED" if cohort.simulated else "real"


def public_patient(cohort: str, patient: str | None) -> str | None:
    """An id that is the same for films of one patient and tells nothing else; None where the patient is not known."""
    return None if patient is None else opaque(cohort, "patient", patient)


def models_frame(cohort: Manifest, models: Iterable[ModelManifest]) -> pd.DataFrame:
    """A row for each model; `origin`: how its training and these films are related, empty where nothing is known."""
    rows = (
        (each.model, each.title, each.unit, len(each.findings), each.scored, origin_words(each.origins))
        for each in sorted(models, key=lambda each: each.model)
    )
    return framed(MODEL, rows, provenance(cohort))


def films_frame(store: Store, cohort: Manifest) -> pd.DataFrame:
    """A row for each film, in the order of the case names; `present`: the findings labeled present, `; ` between."""
    lines = store.cases(cohort.name, list(store.patients(cohort.name)))
    rows = (
        (
            *(each.case, each.center, each.view, each.sex, age_band(each.age)),
            public_patient(cohort.name, each.patient),
            "; ".join(each.present),
        )
        for each in lines
    )
    return framed((*FILM, "present"), rows, provenance(cohort))


def findings_frame(store: Store, cohort: Manifest, chosen: Slice) -> pd.DataFrame:
    """A row for each finding that the slice's model scores: its films, and those labeled present and absent."""
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
    return framed(FINDING, rows, {**provenance(cohort), "group_source": chosen.source})


def pairs_frame(store: Store, chosen: Slice) -> pd.DataFrame:
    """A row for each (film, finding) pair of the slice, the worst first. Raises TooManyRows."""
    table = store.rows(chosen)
    found = pd.DataFrame({name: _plain(table.column(name)) for name in table.column_names})
    groups = store.groups(chosen.cohort, chosen.model, chosen.source)
    found["patient"] = [public_patient(chosen.cohort, patient) for patient in table.column("patient").to_pylist()]
    found["age"] = found["age_band"]
    found["group"] = [groups[finding] for finding in found["finding"]]
    found["margin"] = found["score"] - found["threshold"]
    pairs = found[list(PAIR)]
    pairs.attrs.update(facts_of(store, chosen))
    return pairs


def _plain(column: pa.ChunkedArray) -> pd.Series:
    """A column with texts as texts: as categories those that a selection leaves without a row would be counted too."""
    made: pd.Series = (column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column).to_pandas()
    return made
