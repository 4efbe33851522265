"""Parses which films and labels a recipe trains on, beyond centers and views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.training.nearest_name import unknown_name
from models.training.parameters import has_type_of

# What becomes of a label that a report hedges (CheXpert, Irvin et al., AAAI 2019, "Uncertainty Approaches").
UNCERTAIN_POLICIES = ("ignore", "zeros", "ones", "self-trained", "three-class")
LABELS = ("exact",)  # as they are on simulated films, without what reports miss and doubt
STUDY_SCORES = ("mean of views",)  # models/training/inference/mean_of_views.py
FILM_FIELDS = (
    "labels",
    "uncertain",
    "teacher",
    "judge",
    "pseudo_centers",
    "told_shares",
    "folds",
    "fold",
    "simulated_tail",
    "study_scores",
)
MAX_FOLDS = 10


def film_fields_in(table: Mapping[str, Any], head: str) -> dict[str, Any]:
    """Return the FILM_FIELDS of a recipe's table, as `LabRecipe` describes them. Raises ValueError."""
    uncertain, teacher, judge = table.get("uncertain", ""), table.get("teacher"), table.get("judge")
    if uncertain != "" and uncertain not in UNCERTAIN_POLICIES:
        raise ValueError(unknown_name("policy for uncertain labels", str(uncertain), UNCERTAIN_POLICIES))
    labels = table.get("labels", "")
    if labels != "" and labels not in LABELS:
        raise ValueError(unknown_name("kind of labels", str(labels), LABELS))
    if labels and uncertain:
        raise ValueError("Exact labels have nothing uncertain. Remove `labels` or `uncertain`.")
    for key, name in (("teacher", teacher), ("judge", judge)):
        if name is not None and not isinstance(name, str):
            raise ValueError(f"{key} is not a recipe name.")
    pseudo = table.get("pseudo_centers", [])
    if not isinstance(pseudo, list) or not all(isinstance(name, str) for name in pseudo):
        raise ValueError('pseudo_centers is not a list of names. Write it like ["B"].')
    scores = table.get("study_scores", "")
    if scores != "" and scores not in STUDY_SCORES:
        raise ValueError(unknown_name("way of scoring studies", str(scores), STUDY_SCORES))
    if (uncertain == "self-trained" or bool(pseudo)) != (teacher is not None):
        raise ValueError('A teacher needs `pseudo_centers`, or uncertain = "self-trained"; both need a teacher.')
    if (uncertain == "three-class") != (head == "three-class"):
        raise ValueError('uncertain = "three-class" and head = { name = "three-class" } need each other.')
    return {
        "labels": labels,
        "uncertain": uncertain,
        "teacher": teacher,
        "judge": judge,
        "pseudo_centers": tuple(pseudo),
        "told_shares": _told_shares(table.get("told_shares", [])),
        **_folds(table),
        "simulated_tail": _tail(table.get("simulated_tail", 0.0)),
        "study_scores": scores,
    }


def _told_shares(shares: object) -> tuple[float, ...]:
    if shares == []:
        return ()
    numbers = tuple(shares) if isinstance(shares, list) else ()
    if len(numbers) != 2 or not has_type_of(numbers, ()) or not 0 <= numbers[0] < numbers[1] <= 1:
        raise ValueError("told_shares is not two shares. Write it like [0.02, 1.0], for findings on at least 2 %.")
    return numbers


def _folds(table: Mapping[str, Any]) -> dict[str, int]:
    folds, fold = table.get("folds", 0), table.get("fold", 0)
    whole = has_type_of(folds, 0) and has_type_of(fold, 0)
    if not whole or not ((folds == fold == 0) or (2 <= folds <= MAX_FOLDS and 1 <= fold <= folds)):
        raise ValueError(f"folds is {folds!r} and fold {fold!r}. Give 2 to {MAX_FOLDS} folds, and a fold from 1 on.")
    return {"folds": folds, "fold": fold}


def _tail(share: object) -> float:
    if not has_type_of(share, 0.0) or not 0 <= float(str(share)) <= 2:
        raise ValueError(f"simulated_tail is {share!r}. Give a share of the training films, from 0 to 2.")
    return float(str(share))
