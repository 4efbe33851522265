"""Saves an ensemble as a model of its cohort (scores, thresholds and manifest), and deletes these files together."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.analysis.ensembles.ensemble import MeanKind, combine_scores
from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import Folder, additions_folder, checked_name
from explorer.cohorts.listing import listed_scores, shards_in
from explorer.cohorts.manifest import ModelManifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.predictions_table import predictions_table
from explorer.cohorts.schema import OPERATING_POINTS
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.core.arrays import Floats
from explorer.core.in_sample import ORIGINS, Origin, Origins
from explorer.core.word_lists import and_list
from explorer.metrics.thresholds import ThresholdRule, fit_thresholds
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

ENSEMBLE_PREPROCESSING = "none of its own: the mean of what models of this cohort say"  # marks a saved ensemble
CROSS_FITTED_RULE = "Youden's J on the ensemble's scores of the other splits"
IN_SAMPLE_RULE = "Youden's J on the ensemble's scores of these very films: F1, precision and recall are optimistic"
ThresholdRows = list[tuple[str, str | None, float, str]]  # rows of OPERATING_POINTS


class EnsembleRefused(Refusal):
    """An ensemble that cannot be saved or deleted: `title` says why, `detail` what to do."""


def keep_ensemble(store: Store, folder: Folder, models: Sequence[str], mean: MeanKind, name: str) -> ModelManifest:
    """Save the ensemble of `models` as model `name` of the cohort in `folder`; no film is read.

    It scores the films and findings that every member scored. Raises EnsembleRefused, NoCohort for an invalid name or a
    cohort without a folder, and the store's errors.
    """
    refuse_study_cohort(folder, "ensembles")
    _check_members(folder, models, checked_name(name))
    about = [store.model(folder.name, model) for model in models]
    findings = tuple(each for each in about[0].findings if all(each in other.findings for other in about))
    grids = [store.grid(folder.name, model) for model in models]
    places = [[grid.findings.index(finding) for finding in findings] for grid in grids]
    scores = np.stack([grid.score[:, place] for grid, place in zip(grids, places, strict=True)])
    whole = np.asarray(~np.isnan(scores).any(axis=(0, 2)))
    if not findings or not whole.any():
        raise EnsembleRefused(
            f"{and_list(list(models))} have no film and finding in common",
            "An ensemble scores only films and findings that every member scored. Leave a model out.",
        )
    scales = [each.scale if each.unit == "margin" else None for each in about]
    found = combine_scores(scores[:, whole], scales, mean)
    cases = [case for case, here in zip(store.patients(folder.name), whole, strict=True) if here]
    labels = grids[0].label[:, places[0]][whole]
    cuts = _cuts(findings, labels, found, _splits(folder, cases), folder.name, cases)
    with _locked(folder, name) as place:
        write_table(place.operating_points(name), _points(cuts))
        write_table(place.predictions(name) / "part-00000.parquet", predictions_table(cases, findings, found))
        made = ModelManifest(
            model=name,
            title=f"Mean of {mean} of {and_list(list(models))}, of equal weight",
            sha256=None,
            preprocessing=ENSEMBLE_PREPROCESSING,
            split=_split(about),
            findings=findings,
            origins=_origins(about),
            scored=len(cases),
            failed=int((~whole).sum()),
            thresholds=cuts[0][3] if cuts else "none: no finding has films with and without it",
            files=listed_scores(place, name),
        )
        write_manifest(place.model(name), made)  # last: without a manifest, an incomplete model does not count
    return made


def delete_ensemble(folder: Folder, name: str) -> None:
    """Delete a saved ensemble, its manifest first. Raises EnsembleRefused for any other model, and NoCohort."""
    kept = kept_ensembles(folder)
    if checked_name(name) not in kept:
        there = f"Saved ensembles: {', '.join(kept)}." if kept else "None is saved."
        raise EnsembleRefused(
            f"{folder.name} has no ensemble {name!r}", f"Only a saved ensemble can be deleted. {there}"
        )
    place = Folder(folder.model(name).parent.parent)
    place.model(name).unlink()
    place.operating_points(name).unlink(missing_ok=True)
    shutil.rmtree(place.predictions(name), ignore_errors=True)


def kept_ensembles(folder: Folder) -> tuple[str, ...]:
    """Return the names of a cohort's models that are saved ensembles."""
    return tuple(
        model
        for model in folder.models()
        if read_model_manifest(folder.model(model)).preprocessing == ENSEMBLE_PREPROCESSING
    )


def _check_members(folder: Folder, models: Sequence[str], name: str) -> None:
    if len(set(models)) < 2:
        raise EnsembleRefused("An ensemble needs two models", "Name two or more models of the cohort, each once.")
    if len(set(models)) < len(models):
        raise EnsembleRefused("A model is named twice", "Members count equally: name each model once.")
    there = folder.models()
    for model in models:
        if model not in there:
            raise EnsembleRefused(f"{model!r} has not scored {folder.name}", f"Models with scores: {', '.join(there)}.")
    if name in there:
        raise EnsembleRefused(
            f"{folder.name} already has a model {name}",
            "Choose another name. To delete an ensemble: "
            f"`python -m explorer ensemble --cohort {folder.name} --name {name} --delete`.",
        )


@contextmanager
def _locked(folder: Folder, name: str) -> Iterator[Folder]:
    """Lock and yield the folder that the ensemble is written to, so that no other process writes there."""
    place = additions_folder(folder)
    predictions = place.predictions(name)
    predictions.mkdir(parents=True, exist_ok=True)
    with (
        locked_folder(folder.path, exclusive=False) as cohort_locked,
        locked_folder(predictions, exclusive=True) as scores_locked,
    ):
        unfinished = [part for part in shards_in(predictions) if not place.operating_points(name).exists()]
        if not cohort_locked or not scores_locked or unfinished or name in folder.models():
            raise EnsembleRefused(f"Scores of {name} are already being written", "Choose another name, or wait.")
        yield place


def _splits(folder: Folder, cases: Sequence[str]) -> list[str | None]:
    """Return the split of each case."""
    table = read_table(folder.cases, ["case", "split"])
    of = dict(zip(table["case"].to_pylist(), table["split"].to_pylist(), strict=True))
    return [of[case] for case in cases]


def _cuts(
    findings: Sequence[str],
    labels: Floats,
    scores: NDArray[np.float32],
    splits: Sequence[str | None],
    cohort: str,
    cases: Sequence[str],
) -> ThresholdRows:
    """Return thresholds for each split, fitted on the other splits, or on all films if there are fewer than two."""
    names = sorted({split for split in splits if split is not None})
    if len(names) < 2 or None in splits:
        return list(_chosen(findings, labels, scores, None, IN_SAMPLE_RULE, cohort, cases))
    of = np.array(splits, dtype=object)
    rows: ThresholdRows = []
    for split in names:
        others = of != split
        those = [case for case, other in zip(cases, others, strict=True) if other]
        rows += _chosen(findings, labels[others], scores[others], split, CROSS_FITTED_RULE, cohort, those)
    return rows


def _chosen(
    findings: Sequence[str],
    labels: Floats,
    scores: NDArray[np.float32],
    split: str | None,
    rule: str,
    cohort: str,
    cases: Sequence[str],
) -> Iterator[tuple[str, str | None, float, str]]:
    fitted = fit_thresholds(labels, scores, findings, ThresholdRule("youden"), cohort=cohort, case_ids=cases)
    return ((cut.finding, split, cut.value, rule) for cut in fitted.cuts if cut.value is not None)


def _points(cuts: ThresholdRows) -> pa.Table:
    columns = list(zip(*cuts, strict=True)) if cuts else [()] * len(OPERATING_POINTS)
    return pa.table(list(map(list, columns)), schema=OPERATING_POINTS)


def _split(about: Sequence[ModelManifest]) -> str:
    """Describe how test and training films are separated, in one phrase if all members agree."""
    descriptions = list(dict.fromkeys(each.split for each in about))
    if len(descriptions) == 1:
        return descriptions[0]
    if all(each.out_of_fold for each in about):
        return f"out of fold for every member: {and_list([each.model for each in about])}"
    return "; ".join(f"{each.model}: {each.split}" for each in about)


def _origins(about: Sequence[ModelManifest]) -> Origins:
    """Return each center's origin: the least favorable one of any member.

    A center that one member does not name is left out, unless another member was or may have been trained there.
    """
    centers = sorted({center for each in about for center in each.origins})
    worst = {center: _worst([each.origins.get(center) for each in about]) for center in centers}
    return {center: origin for center, origin in worst.items() if origin is not None}


def _worst(descriptions: Sequence[Origin | None]) -> Origin | None:
    optimistic = [origin for origin in ("in-sample", "possibly in-sample") if origin in descriptions]
    if optimistic or None in descriptions:
        return next((origin for origin in ORIGINS if origin in optimistic), None)
    return next(origin for origin in ORIGINS if origin in descriptions)
