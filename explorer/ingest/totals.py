"""Summarizes an import in one line: patients, studies, films, centers, positives."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.schema import NO_CENTER
from explorer.cohorts.study_cohorts import studies_sentence
from explorer.core.word_lists import quantity


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts of an import. `patients`: named ones; `nameless`: films without one; studies and centers: if stated.

    `several`: studies with more than one film; `alone`: films without a study.
    """

    patients: int
    nameless: int
    studies: int
    films: int
    centers: int
    positives: int
    findings: int  # with a label on any film
    several: int = 0
    alone: int = 0

    def __str__(self) -> str:
        patients = quantity(self.patients, "patient") if self.patients else "patients not stated"
        without = f" and {quantity(self.nameless, 'film')} without one" if self.patients and self.nameless else ""
        centers = quantity(self.centers, "center") if self.centers else "center not stated"
        positives = f"{quantity(self.positives, 'positive')} of {quantity(self.findings, 'finding')}"
        labels = positives if self.findings else "no labels"
        studies = f", {self.studies:,} {'study' if self.studies == 1 else 'studies'}" if self.studies else ""
        return f"{patients}{without}{studies}, {quantity(self.films, 'film')}, {centers}, {labels}"

    @property
    def studies_words(self) -> str:
        """Return how many films the studies have; empty if no study is stated."""
        if not self.studies:
            return ""
        alone = f"; {quantity(self.alone, 'film')} without a study, each counted as its own" if self.alone else ""
        return f"{studies_sentence(self.films - self.alone, self.studies, self.several)}{alone}"


def totals_of(folder: Folder, cases: Collection[str] | None = None) -> Totals:
    """Count a cohort's films, or only `cases`. As elsewhere, a label on which two sources disagree counts as none."""
    films = read_table(folder.cases, ["case", "patient", "study", "center"])
    if cases is not None:
        films = films.filter(pc.is_in(films["case"], pa.array(list(cases), pa.string())))
    centers = set(films["center"].to_pylist()) - {NO_CENTER}
    studies = _films_by_study(films)
    positives, findings = _positives(folder, None if cases is None else films["case"])
    return Totals(
        patients=pc.count_distinct(films["patient"]).as_py(),
        nameless=films["patient"].null_count,
        studies=len(studies),
        films=films.num_rows,
        centers=len(centers),
        positives=positives,
        findings=findings,
        several=pc.sum(pc.greater(studies, 1)).as_py() or 0,
        alone=films["study"].null_count,
    )


def _films_by_study(films: pa.Table) -> pa.ChunkedArray:
    """Return the number of films of each study: those with the same study, patient and center."""
    stated = films.filter(pc.is_valid(films["study"]))
    text = pa.table({name: stated[name].cast(pa.string()) for name in ("center", "patient", "study")})
    return text.group_by(text.column_names).aggregate([([], "count_all")])["count_all"]


def _positives(folder: Folder, cases: pa.ChunkedArray | None) -> tuple[int, int]:
    """Return the number of (film, finding) pairs labeled present, and of labeled findings, in all cases or in some.

    Words are compared by their dictionary codes, because sixteen million labels would make sixteen million strings.
    """
    names = ["finding", "label", "source"]
    sources = pc.unique(read_table(folder.labels, ["source"])["source"]).to_pylist()
    counts = read_manifest(folder.manifest).default_source if folder.manifest.exists() else None
    several = counts is None and len(sources) > 1
    labels = read_table(folder.labels, names if cases is None and not several else ["case", *names])
    if counts is not None:
        labels = labels.filter(_is(labels["source"], counts))
    if cases is not None:
        labels = labels.filter(pc.is_in(labels["case"], cases.combine_chunks()))
    labels = labels.filter(pc.invert(_is(labels["label"], "unknown")))
    findings = pc.count_distinct(pc.unique(labels["finding"]).cast(pa.string())).as_py() if labels.num_rows else 0
    present = _is(labels["label"], "present")
    if not several:
        return pc.sum(present).as_py() or 0, findings
    # Encode pairs as numbers: grouping strings takes ten times as long.
    films, named = (_places(labels[column]) for column in ("case", "finding"))
    pairs, is_present = films.astype(np.int64) * (int(named.max(initial=0)) + 1) + named, present.to_numpy()
    return int(np.isin(np.unique(pairs[is_present]), pairs[~is_present], invert=True).sum()), findings


def _places(words: pa.ChunkedArray) -> NDArray[np.int32]:
    """Return an integer code per text, equal for equal texts."""
    encoded = words if pa.types.is_dictionary(words.type) else pc.dictionary_encode(words)
    encoded = encoded.unify_dictionaries()
    return np.concatenate([np.zeros(0, np.int32), *(chunk.indices.to_numpy() for chunk in encoded.chunks)])


def _is(words: pa.ChunkedArray, word: str) -> pa.ChunkedArray:
    """Whether each row of a dictionary column holds a word."""
    chunks = []
    for chunk in words.chunks:
        known = chunk.dictionary.to_pylist()
        place = known.index(word) if word in known else -1
        chunks.append(pc.equal(chunk.indices, place))
    return pa.chunked_array(chunks, pa.bool_())
