"""Combines the labels of a study's films into the study's labels, for each source of labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.analysis.studies.study_films import StudyFilms
from explorer.cohorts.layout import Folder
from explorer.cohorts.schema import LABEL_ROWS, LABELS, Label
from explorer.store.prepared.film_tables import Numbers, check_labels
from explorer.store.prepared.labels import together
from explorer.store.prepared.parquet_batches import batches, words

STRONGEST: tuple[Label, ...] = ("present", "uncertain", "absent", "unknown")
_BITS = {label: 1 << place for place, label in enumerate(LABELS)}
_SETS = range(1 << len(LABELS))  # each set of labels as bits


def study_labels(folder: Folder, numbers: Numbers, films: StudyFilms, names: pa.Array) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the studies' labels file, a batch per source and finding.

    A study has a finding if any of its films is labeled present. Else it is uncertain if any is, else absent if any is
    labeled absent, else unknown. Sources are combined separately. Memory holds a byte per film, finding and source.

    Args:
        folder: the cohort of the films.
        numbers: the films' numbers by case.
        names: the cases (m,) that stand for the studies.

    Raises:
        DamagedCohort: the labels cannot be read.
    """
    check_labels(folder)
    findings = words([folder.labels], LABEL_ROWS.field("finding"))
    sources = words([folder.labels], LABEL_ROWS.field("source"))
    said = _labels_by_film(folder, numbers, findings, sources)
    for source, of_source in enumerate(said):
        for finding, of_films in enumerate(of_source):
            label = _STUDY_LABEL[np.bitwise_or.reduceat(_FILM_LABEL[of_films[films.order]], films.starts)]
            labeled = np.flatnonzero(label >= 0)
            if len(labeled):
                columns = [
                    names.take(pa.array(labeled)),
                    _same(finding, len(labeled), findings),
                    pa.DictionaryArray.from_arrays(label[labeled], list(LABELS)),
                    _same(source, len(labeled), sources),
                ]
                yield pa.RecordBatch.from_arrays(columns, schema=LABEL_ROWS)


def _labels_by_film(
    folder: Folder, numbers: Numbers, findings: Sequence[str], sources: Sequence[str]
) -> NDArray[np.uint8]:
    """Return the labels of each pair as bits (sources, findings, films)."""
    said = np.zeros((len(sources), len(findings), len(numbers)), np.uint8)
    flat = said.reshape(-1)
    for batch in batches(folder.labels, LABEL_ROWS, once=("case",)):
        film = numbers.of(batch["case"]).astype(np.int64)
        source, finding = _places(batch["source"], sources), _places(batch["finding"], findings)
        bit = (1 << _places(batch["label"], LABELS)).astype(np.uint8)
        place = (source * len(findings) + finding) * len(numbers) + film
        np.bitwise_or.at(flat, place[film >= 0], bit[film >= 0])
    return said


def _places(column: pa.DictionaryArray, words: Sequence[str]) -> NDArray[np.int64]:
    """Return the place of each row's word among `words`; 0 for a word that no row has."""
    known = {word: place for place, word in enumerate(words)}
    places = np.array([known.get(word, 0) for word in column.dictionary.to_pylist()], np.int64)
    found: NDArray[np.int64] = places[column.indices.to_numpy()]
    return found


def _same(place: int, n: int, words: Sequence[str]) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), [words[place]])


def _labels_in(bits: int) -> list[Label]:
    return [label for label, bit in _BITS.items() if bits & bit]


# What several labels of one film by one source mean, as a bit, and what those of a study's films mean, as a place in
# LABELS; -1 for no label.
_FILM_LABEL = np.array([_BITS[together(_labels_in(bits))] if bits else 0 for bits in _SETS], np.uint8)
_STUDY_LABEL = np.array(
    [next((LABELS.index(each) for each in STRONGEST if each in _labels_in(bits)), -1) for bits in _SETS], np.int32
)
