"""Summarizes a finished run: operating points, Platt scaling, confounded findings, AUROC by folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from models.cards.card import CardPoint, FindingFree, Platt, UnsureBand
from models.statistics import fit_platt, unsure_band, youden_threshold
from models.training.films import TrainingFilms
from models.training.finding_free import finding_free
from models.training.nih.dataset import NIH_FINDINGS
from models.training.nih.nih_recipe import NihRecipe
from models.training.score import CountedEstimate, auroc_estimates

MIN_POSITIVES = 10  # positives needed for a threshold or a calibration
THRESHOLD_RULE = "Youden's J on out-of-fold scores of the training films, counted in folds that did not choose it"

FINDING_FREE_FILMS = "films without findings, out of fold"


@dataclass(frozen=True, slots=True)
class MeanAuroc:
    """AUROC of every finding on some films, and the mean over findings with at least `MIN_POSITIVES` positives."""

    films: int
    findings: list[CountedEstimate]
    macro: CountedEstimate


@dataclass(frozen=True, slots=True)
class OutOfFoldFigures:
    """The out-of-fold results of a model, for its registry file and its card."""

    films: int
    patients: int
    points: dict[str, CardPoint]
    bands: dict[str, UnsureBand]
    platt: dict[str, Platt]
    warnings: dict[str, str]
    cannot_judge: dict[str, str]
    finding_free: FindingFree
    overall: MeanAuroc
    folders: dict[str, MeanAuroc]


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """The facts about a run for the registry file and the card."""

    chosen: NihRecipe
    epoch: int
    sha256: str
    heat_maximum: float
    figures: OutOfFoldFigures


def out_of_fold_figures(
    films: TrainingFilms, folds: NDArray[np.integer], logits: NDArray[np.float32]
) -> OutOfFoldFigures:
    """Compute all results from out-of-fold `logits` (n, findings); `folds` (n,) is the fold that held out each film."""
    enough = [k for k in range(len(NIH_FINDINGS)) if films.labels[:, k].sum() >= MIN_POSITIVES]
    names = list(NIH_FINDINGS.values())
    overall = _ranking(films, logits, np.ones(len(films), dtype=bool))
    scores = expit(logits.astype(np.float64))
    points = {names[k]: operating_point(films.labels[:, k] > 0.5, scores[:, k], folds, THRESHOLD_RULE) for k in enough}
    bands = {names[k]: _band(films.labels[:, k] > 0.5, logits[:, k], points[names[k]].threshold) for k in enough}
    not_ranked = _not_ranked(overall)
    return OutOfFoldFigures(
        films=len(films),
        patients=len(np.unique(films.patients)),
        points=points,
        bands={finding: band for finding, band in bands.items() if band},
        platt={names[k]: platt_calibration(films.labels[:, k] > 0.5, logits[:, k]) for k in enough},
        warnings={name: why for name, why in _confounded(films).items() if name not in not_ranked},
        cannot_judge=not_ranked,
        finding_free=finding_free_out_of_fold(
            films.labels > 0.5, scores, folds, films.patients, [k for k in enough if names[k] not in not_ranked]
        ),
        overall=overall,
        folders={str(folder): _ranking(films, logits, films.folders == folder) for folder in np.unique(films.folders)},
    )


def _ranking(films: TrainingFilms, logits: NDArray[np.float32], rows: NDArray[np.bool_]) -> MeanAuroc:
    findings, macro = auroc_estimates(
        films.labels[rows], logits[rows], films.folders[rows], films.patients[rows], least=MIN_POSITIVES
    )
    return MeanAuroc(int(rows.sum()), findings, macro)


def operating_point(
    present: NDArray[np.bool_], scores: NDArray[np.floating], folds: NDArray[np.integer], rule: str
) -> CardPoint:
    """Return the threshold chosen on all films, with rates counted in each fold at the threshold of the other folds."""
    flagged = np.empty(len(scores), dtype=bool)
    for fold in np.unique(folds):
        held_out = folds == fold
        flagged[held_out] = scores[held_out] >= youden_threshold(present[~held_out], scores[~held_out])
    return CardPoint(
        threshold=round(youden_threshold(present, scores), 6),
        rule=rule,
        sensitivity=round(float(flagged[present].mean()), 4),
        specificity=round(float((~flagged[~present]).mean()), 4),
        positives=int(present.sum()),
        negatives=int((~present).sum()),
    )


def finding_free_out_of_fold(
    labels: NDArray[np.bool_],
    scores: NDArray[np.float64],
    folds: NDArray[np.integer],
    patients: NDArray[np.str_],
    judged: Sequence[int],
) -> FindingFree:
    """Count flagged and unsure findings on films labeled Normal, using the other folds' thresholds and bands.

    `labels` and `scores` (n, findings); `judged` are the columns that count, without Normal.
    """
    normal = list(NIH_FINDINGS.values()).index("Normal")
    free = labels[:, normal]
    columns = [k for k in judged if k != normal]
    above, unsure = (np.zeros((len(scores), len(columns)), dtype=bool) for _ in range(2))
    for fold in np.unique(folds):
        held_out = folds == fold
        for place, k in enumerate(columns):
            present, others = labels[~held_out, k], scores[~held_out, k]
            threshold = youden_threshold(present, others)
            low, high = unsure_band(present, others, threshold) or (threshold, threshold)
            unsure[held_out, place] = (scores[held_out, k] >= low) & (scores[held_out, k] < high)
            above[held_out, place] = scores[held_out, k] >= high
    return finding_free(above[free], unsure[free], patients[free], FINDING_FREE_FILMS)


def _band(present: NDArray[np.bool_], logits: NDArray[np.float32], threshold: float) -> UnsureBand | None:
    band = unsure_band(present, expit(logits.astype(np.float64)), threshold)
    return band and UnsureBand(round(band[0], 6), round(band[1], 6))


def platt_calibration(present: NDArray[np.bool_], logits: NDArray[np.float32]) -> Platt:
    """Return Platt's calibration of logits (n,), at the prevalence of these films."""
    slope, intercept = fit_platt(present, logits)
    return Platt(round(slope, 6), round(intercept, 6), round(float(present.mean()), 6))


def _not_ranked(ranking: MeanAuroc) -> dict[str, str]:
    """Return the findings with an AUROC that may be no better than chance, with a sentence on each."""
    return {
        finding: (
            f"Out of fold the model may not rank this finding better than chance: AUROC {estimate.value:.2f} "
            f"[{estimate.low:.2f}-{estimate.high:.2f}], n+ {estimate.positives}."
        )
        for finding, estimate in zip(NIH_FINDINGS.values(), ranking.findings, strict=True)
        if not round(estimate.low, 2) > 0.5  # rounded as printed; also true if undefined
    }


def _confounded(films: TrainingFilms) -> dict[str, str]:
    """Return findings that coincide with 'not Normal' in a folder, so that their scores may mean no more than that."""
    names = list(NIH_FINDINGS.values())
    normal = films.labels[:, names.index("Normal")] > 0.5
    found = {}
    for folder in np.unique(films.folders):
        rows = films.folders == folder
        for k, finding in enumerate(names):
            present = films.labels[rows, k] > 0.5
            if finding != "Normal" and normal[rows].any() and np.array_equal(present, ~normal[rows]):
                found[finding] = (
                    f"A high score says little more than that the film is abnormal: {int(rows.sum())} of the "
                    f"{len(films):,} training films are from a set in which every abnormal film has this label."
                )
    return found
