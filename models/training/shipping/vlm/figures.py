"""Measures nih-mini-vlm on unseen patients: with trained phrases, other phrases, and untrained findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32
from models.cards.card import CardPoint
from models.exact_products import row_products
from models.prompts.terms import terms
from models.training.films import TrainingFilms
from models.training.nih.dataset import NIH_FINDINGS
from models.training.nih.result import MIN_POSITIVES, operating_point
from models.training.score import CountedEstimate, pair_auroc, phrase_estimates
from models.training.shipping.vlm.blind import BlindTowers, pass_blind_towers
from models.training.shipping.vlm.spoken import EncodedCaptions
from models.training.shipping.vlm.unseen import (
    GROUPS,
    HALVES,
    UNSEEN_RECIPE,
    patient_halves,
    tower_path,
    without_findings,
)

FINDING_NAMES = tuple(NIH_FINDINGS.values())
MARGIN_RULE = "Youden's J on out-of-fold margins of the training films, counted in folds that did not choose it"


@dataclass(frozen=True, slots=True)
class PromptPhrases:
    """Questions: `of` (m,) is the finding of each, `directions` (m, d) their directions."""

    of: NDArray[np.int64]
    directions: Float32

    def about(self, findings: Sequence[int]) -> PromptPhrases:
        """Select the questions about some findings."""
        rows = np.isin(self.of, findings)
        return PromptPhrases(self.of[rows], self.directions[rows])


@dataclass(frozen=True, slots=True)
class PromptMeasure:
    """Pair AUROC by finding, averaged over its phrases; the phrases' range; and the mean over findings."""

    findings: Mapping[int, CountedEstimate]
    ranges: Mapping[int, tuple[float, float]]
    macro: CountedEstimate


@dataclass(frozen=True, slots=True)
class PromptFigures:
    """All results on the card. `unseen` and `control` are None if their towers do not exist."""

    own: PromptMeasure  # the classifier's own scores
    standard: PromptMeasure
    held_out: PromptMeasure
    lay: PromptMeasure
    not_in_captions: PromptMeasure  # findings in no caption, with towers that learned them
    unseen: PromptMeasure | None  # findings in no caption, with towers that did not learn them either
    control: PromptMeasure | None  # with as many films, but towers and captions that learned every finding


def phrases_of_kind(kind: str) -> tuple[NDArray[np.int64], list[str]]:
    """Return the questions of a kind (names, lay, held_out) with their findings; for names, only the standard one."""
    of: list[int] = []
    asked: list[str] = []
    for k, name in enumerate(FINDING_NAMES):
        phrases = (name.lower(),) if kind == "names" else getattr(terms()[name], kind)
        of += [k] * len(phrases)
        asked += phrases
    return np.array(of), asked


def measure_prompts(films: TrainingFilms, scores: Float32, of: NDArray[np.int64]) -> PromptMeasure:
    """Measure `scores` (n, m), where `of` (m,) is the finding that each column ranks."""
    findings, macro = phrase_estimates(films.labels, scores, of, films.folders, films.patients, MIN_POSITIVES)
    each = np.array([pair_auroc(films.labels[:, k], scores[:, m], films.folders) for m, k in enumerate(of)])
    ranges = {int(k): (float(each[of == k].min()), float(each[of == k].max())) for k in np.unique(of)}
    return PromptMeasure(findings, ranges, macro)


def prompt_figures(
    films: TrainingFilms,
    seen: BlindTowers,
    embeddings: Float32,
    spoken: EncodedCaptions,
    questions: Mapping[str, PromptPhrases],
    runs: Path,
) -> PromptFigures:
    """Compute all results; `embeddings` (n, d) are out of fold, `runs` is the output folder of `vlm.unseen`."""

    def asked(kind: str) -> PromptMeasure:
        return measure_prompts(films, row_products(embeddings, questions[kind].directions), questions[kind].of)

    names = questions["names"]
    groups = {group: _places(findings) for group, findings in GROUPS.items() if findings}
    not_in_captions = {group: _without(seen, spoken, places) for group, places in groups.items()}
    halved = _halved(films, spoken, groups, runs)
    control = _control(films, spoken, runs)
    return PromptFigures(
        own=measure_prompts(films, seen.logits, np.arange(len(FINDING_NAMES))),
        standard=asked("names"),
        held_out=asked("held_out"),
        lay=asked("lay"),
        not_in_captions=_left_out(films, not_in_captions, groups, names),
        unseen=None if halved is None else _left_out(films, halved, groups, names),
        control=None if control is None else measure_prompts(films, row_products(control, names.directions), names.of),
    )


def margin_points(films: TrainingFilms, margins: Float32, folds: NDArray[np.int64]) -> dict[str, CardPoint]:
    """Return the operating point of every finding with enough films, from out-of-fold margins (n, findings)."""
    return {
        name: operating_point(films.labels[:, k] > 0.5, margins[:, k], folds, MARGIN_RULE)
        for k, name in enumerate(FINDING_NAMES)
        if films.labels[:, k].sum() >= MIN_POSITIVES
    }


def prompt_warnings(standard: PromptMeasure) -> dict[str, str]:
    """Return the findings with standard prompts that may rank no better than chance, with a sentence on each."""
    return {
        FINDING_NAMES[k]: (
            f"Out of fold the standard prompts may rank this finding no better than chance: AUROC {each.value:.2f} "
            f"[{each.low:.2f}-{each.high:.2f}], n+ {each.positives}."
        )
        for k, each in standard.findings.items()
        if not each.low > 0.5
    }


def _places(findings: Sequence[str]) -> list[int]:
    return [FINDING_NAMES.index(finding) for finding in findings]


def _without(towers: BlindTowers, spoken: EncodedCaptions, places: Sequence[int]) -> Float32:
    """Return embeddings (n, d) made without some findings in the captions or in the towers' last layer."""
    kept = [k for k in range(len(FINDING_NAMES)) if k not in places]
    known = towers.only(kept) if towers.labels.shape[1] == len(FINDING_NAMES) else towers
    return known.embed(known.projections(spoken.directions(kept)))


def _halved(
    films: TrainingFilms, spoken: EncodedCaptions, groups: Mapping[str, Sequence[int]], runs: Path
) -> dict[str, Float32] | None:
    """Return embeddings from towers that never learned a group; None until all towers exist."""
    if not all(_trained(runs, group) for group in groups):
        return None
    return {group: _without(_towers(films, group, runs), spoken, places) for group, places in groups.items()}


def _control(films: TrainingFilms, spoken: EncodedCaptions, runs: Path) -> Float32 | None:
    return _without(_towers(films, "control", runs), spoken, ()) if _trained(runs, "control") else None


def _trained(runs: Path, group: str) -> bool:
    return all(tower_path(runs, group, half).exists() for half in range(HALVES))


def _towers(films: TrainingFilms, group: str, runs: Path) -> BlindTowers:
    checkpoints = [tower_path(runs, group, half) for half in range(HALVES)]
    return pass_blind_towers(checkpoints, patient_halves(films), without_findings(films, GROUPS[group]), UNSEEN_RECIPE)


def _left_out(
    films: TrainingFilms, embeddings: Mapping[str, Float32], groups: Mapping[str, Sequence[int]], names: PromptPhrases
) -> PromptMeasure:
    """Measure each finding with the embeddings of the group that leaves it out."""
    parts = [(names.about(places), embeddings[group]) for group, places in groups.items()]
    scores = np.concatenate([row_products(vectors, asked.directions) for asked, vectors in parts], 1)
    return measure_prompts(films, scores, np.concatenate([asked.of for asked, _ in parts]))
