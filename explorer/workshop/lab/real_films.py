"""Compares NIH classifiers with simulated starts on real films: out-of-fold AUROC with paired differences.

Pairs of films count within a folder and a fold, so that only scores of the same network are compared. Pairs across
folds, which the cards count too, also reflect differences between the folds' networks if a finding is rare: the more
films with the finding are held out, the fewer remain for training, and the lower all scores are. Intervals are 95 %,
resampling patients, with the same resamples for every model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.workshop.lab.interval_words import PointInterval, interval_words
from models.array_types import Floating
from models.cards.classifier_card import classifier_card
from models.statistics import patient_resamples
from models.training.nih.kept_numbers import comparable_numbers
from models.training.nih.members import NIH_CLASSIFIERS
from models.training.nih.result import MIN_POSITIVES
from models.training.ranked_pairs import RankedPairs

COMPARED_MODELS = NIH_CLASSIFIERS  # the first is the reference
MACRO_MEAN = "macro"


@dataclass(frozen=True, slots=True, eq=False)
class OutOfFold:
    """Names (n,), labels (n, k), patients (n,) and folders (n,) of films, and logits (n, k) by model.

    Each logit comes from a fold that saw none of the patient's films. Only films with equal `folds` (n,), which combine
    folder and fold, are compared.
    """

    findings: tuple[str, ...]
    image_ids: tuple[str, ...]
    labels: Floating
    patients: NDArray[np.str_]
    folders: NDArray[np.str_]
    folds: NDArray[np.str_]
    logits: Mapping[str, Floating]


@dataclass(frozen=True, slots=True)
class RealFigure:
    """A model's AUROC for a finding, or the mean for MACRO, and its difference from the first model, `ahead`."""

    model: str
    finding: str
    positives: int
    value: PointInterval
    ahead: PointInterval | None


def read_out_of_fold(names: Sequence[str] = COMPARED_MODELS) -> OutOfFold:
    """Return the shipped out-of-fold numbers of these models."""
    every = comparable_numbers([classifier_card(name) for name in names])
    first = every[0]
    return OutOfFold(
        first.findings,
        tuple(first.image_ids),
        first.labels.astype(np.float32),
        np.array(first.patients),
        np.array(first.folders),
        np.char.add(np.array(first.folders), first.folds.astype(str)),
        {name: kept.logits.astype(np.float64) for name, kept in zip(names, every, strict=True)},
    )


def compare_models(films: OutOfFold, resamples: int = 1000) -> tuple[RealFigure, ...]:
    """Compare the models by finding and over the findings with at least LEAST positives."""
    counts = films.labels.sum(0).astype(int)
    counted = counts >= MIN_POSITIVES
    pairs = [RankedPairs(films.labels, logits, films.folds) for logits in films.logits.values()]

    def each(rows: NDArray[np.intp] | None = None) -> Floating:
        """Return AUROC (models, findings), followed by the mean over the counted findings."""
        found = np.array([those.auroc(rows) for those in pairs])
        return np.concatenate([found, found[:, counted].mean(1, keepdims=True)], axis=1)

    point = each()
    samples = np.stack([each(rows) for rows in patient_resamples(films.patients, resamples)])
    positives = [*counts.tolist(), int(counts[counted].sum())]
    found = []
    for row, model in enumerate(films.logits):
        for column, finding in enumerate((*films.findings, MACRO_MEAN)):
            value = _interval(point[row, column], samples[:, row, column])
            behind = _interval(point[row, column] - point[0, column], samples[:, row, column] - samples[:, 0, column])
            found.append(RealFigure(model, finding, positives[column], value, behind if row else None))
    return tuple(found)


def compare_by_folder(films: OutOfFold, resamples: int = 1000) -> tuple[RealFigure, ...]:
    """Compare the models on each folder's films, by the mean over findings with at least LEAST positives there."""
    found = []
    for folder in np.unique(films.folders).tolist():
        rows = np.flatnonzero(films.folders == folder)
        inside = replace(
            films,
            image_ids=tuple(films.image_ids[row] for row in rows),
            labels=films.labels[rows],
            patients=films.patients[rows],
            folders=films.folders[rows],
            folds=films.folds[rows],
            logits={name: logits[rows] for name, logits in films.logits.items()},
        )
        figures = (each for each in compare_models(inside, resamples) if each.finding == MACRO_MEAN)
        found += [replace(each, finding=f"{MACRO_MEAN}, `{folder}`") for each in figures]
    return tuple(found)


def real_films_table(figures: Sequence[RealFigure]) -> str:
    """Return a table: one line per finding, one column per model, with differences from the first model."""
    models = list(dict.fromkeys(each.model for each in figures))
    by = {(each.model, each.finding): each for each in figures}
    lines = [f"| finding | n+ | {' | '.join(models)} |", "|---" * (2 + len(models)) + "|"]
    for finding in dict.fromkeys(each.finding for each in figures):
        row = [by[model, finding] for model in models]
        cells = [interval_words(each.value, each.ahead) for each in row]
        lines.append(f"| {finding} | {row[0].positives} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _interval(point: float, samples: Floating) -> PointInterval:
    """Return the point estimate with its interval, ignoring resamples in which the finding has no pair."""
    defined = samples[~np.isnan(samples)]
    low, high = np.quantile(defined, [0.025, 0.975]) if len(defined) else (np.nan, np.nan)
    return float(point), float(low), float(high)
