"""Groups the films of a cohort into studies, and chooses the film that stands for each study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.study_cohorts import NoStudies
from explorer.core.word_lists import comma_list, quantity

_VIEW_ORDER: Mapping[str, int] = {"PA": 0, "AP": 0, "unknown": 1}  # which view stands for a study: a lateral comes last
_LAST = 2
_NONE = -1  # code of a missing value


@dataclass(frozen=True, slots=True, eq=False)
class StudyFilms:
    """The films (n,) of a cohort, grouped into studies (m,).

    A film is a row of the cohort's table sorted by case name. `order` (n,) lists the films study by study, `starts`
    (m,) says where each study begins in it, and `representatives` (m,) are the films that stand for the studies,
    ascending. `shared`: study identifiers that several patients or centers use.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    representatives: NDArray[np.intp]
    shared: int

    @property
    def several(self) -> int:
        """How many studies have more than one film."""
        return int((np.diff(self.starts, append=len(self.order)) > 1).sum())


def study_films(cases: pa.Table, scored: NDArray[np.bool_]) -> StudyFilms:
    """Group films into studies: those with the same study identifier, patient and center.

    Study identifiers are unique only within a patient and center, as everywhere in a cohort. A film without one is its
    own study. A study is represented by a film that was `scored` (n,), if it has one; among these by a frontal one, a
    lateral last; then by the one with the smallest name.

    Args:
        cases: columns case, patient, study, center, view and split of the films, sorted by case.

    Raises:
        NoStudies: films of one study are in different splits.
    """
    study = _codes(cases["study"])
    names = study  # of (study, center, patient), as one number
    for column in ("center", "patient"):
        code = _codes(cases[column])
        names = names * (code.max(initial=0) + 2) + code + 1
    films = np.arange(len(study))
    stated = study != _NONE
    group = np.unique(np.where(stated, names, names.max(initial=0) + 1 + films), return_inverse=True)[1]
    views = np.array([_VIEW_ORDER.get(view, _LAST) for view in cases["view"].to_pylist()], np.int64)
    best_first = np.lexsort([films, views, ~scored, group])
    best = best_first[np.flatnonzero(np.diff(group[best_first], prepend=-1))]
    number = np.argsort(np.argsort(best))[group]  # of each film's study, by the name of its representative
    order = np.argsort(number, kind="stable")
    used = np.unique(np.stack([study[stated], names[stated]]), axis=1)[0]
    found = StudyFilms(
        order=order,
        starts=np.flatnonzero(np.diff(number[order], prepend=-1)),
        representatives=np.sort(best),
        shared=int((np.bincount(used) > 1).sum()) if len(used) else 0,
    )
    _check_splits(cases, found)
    return found


def _codes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """Return a number for each text, the same for the same text, _NONE for none."""
    text = pa.array(column.to_pylist(), pa.string()).dictionary_encode()
    codes: NDArray[np.int64] = text.indices.fill_null(_NONE).to_numpy(zero_copy_only=False).astype(np.int64)
    return codes


def _check_splits(cases: pa.Table, films: StudyFilms) -> None:
    """Raise NoStudies if the films of a study are in different splits."""
    splits = _codes(cases["split"])[films.order]
    differ = np.flatnonzero(np.minimum.reduceat(splits, films.starts) != np.maximum.reduceat(splits, films.starts))
    if len(differ):
        start = int(films.starts[differ[0]])
        first = films.order[start : int(np.append(films.starts, len(films.order))[differ[0] + 1])]
        named = sorted({str(split or "none") for split in cases["split"].take(pa.array(first)).to_pylist()})
        study = cases["study"][int(first[0])].as_py()
        raise NoStudies(
            f"{quantity(len(differ), 'study has', 'studies have')} films in different splits",
            f"The films of study {study} are in the splits {comma_list(named)}. "
            "A study belongs to one split: correct the table of films and import it again.",
        )
