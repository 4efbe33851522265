"""How good the twin is on unseen patients: for its own words, for other words, for findings it never met."""

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
from models.training.films import Films
from models.training.nih.dataset import FINDINGS
from models.training.nih.result import LEAST, operating_point
from models.training.score import CountedEstimate, pair_auroc, phrase_estimates
from models.training.shipping.vlm.blind import Blind, blind
from models.training.shipping.vlm.spoken import Spoken
from models.training.shipping.vlm.unseen import GROUPS, HALVES, RECIPE, halves, tower, without

NAMES = tuple(FINDINGS.values())
RULE = "Youden's J on out-of-fold margins of the training films, counted in folds that did not choose it"


@dataclass(frozen=True, slots=True)
class Phrases:
    """Questions: `of` (m,) is the finding of each, `directions` (m, d) where they point."""

    of: NDArray[np.int64]
    directions: Float32

    def about(self, findings: Sequence[int]) -> Phrases:
        """Those of some findings."""
        rows = np.isin(self.of, findings)
        return Phrases(self.of[rows], self.directions[rows])


@dataclass(frozen=True, slots=True)
class PromptMeasure:
    """Pair AUROC by finding, averaged over its phrases, the range over these, and the mean over findings."""

    findings: Mapping[int, CountedEstimate]
    ranges: Mapping[int, tuple[float, float]]
    macro: CountedEstimate


@dataclass(frozen=True, slots=True)
class PromptFigures:
    """Everything the card says in numbers. Two are None where the towers for them are not there."""

    own: PromptMeasure  # the classifier's own scores
    standard: PromptMeasure
    held_out: PromptMeasure
    lay: PromptMeasure
    untold: PromptMeasure  # findings that no caption names, in towers that learned them
    unseen: PromptMeasure | None  # nor did the towers learn them
    control: PromptMeasure | None  # towers of as many films that learned every finding, every caption


def words(kind: str) -> tuple[NDArray[np.int64], list[str]]:
    """The questions of a kind (names, lay, held_out) with the finding of each; of names only the standard one."""
    of: list[int] = []
    asked: list[str] = []
    for k, name in enumerate(NAMES):
        phrases = (name.lower(),) if kind == "names" else getattr(terms()[name], kind)
        of += [k] * len(phrases)
        asked += phrases
    return np.array(of), asked


def measure(films: Films, scores: Float32, of: NDArray[np.int64]) -> PromptMeasure:
    """What `scores` (n, m) are worth; `of` (m,) is the finding that each column ranks."""
    findings, macro = phrase_estimates(films.labels, scores, of, films.folders, films.patients, LEAST)
    each = np.array([pair_auroc(films.labels[:, k], scores[:, m], films.folders) for m, k in enumerate(of)])
    ranges = {int(k): (float(each[of == k].min()), float(each[of == k].max())) for k in np.unique(of)}
    return PromptMeasure(findings, ranges, macro)


def figures(
    films: Films, seen: Blind, embeddings: Float32, spoken: Spoken, questions: Mapping[str, Phrases], runs: Path
) -> PromptFigures:
    """Work out every figure; `embeddings` (n, d) are out of fold, `runs` is where `vlm.unseen` writes."""

    def asked(kind: str) -> PromptMeasure:
        return measure(films, row_products(embeddings, questions[kind].directions), questions[kind].of)

    names = questions["names"]
    groups = {group: _places(findings) for group, findings in GROUPS.items() if findings}
    untold = {group: _without(seen, spoken, places) for group, places in groups.items()}
    halved = _halved(films, spoken, groups, runs)
    control = _control(films, spoken, runs)
    return PromptFigures(
        own=measure(films, seen.logits, np.arange(len(NAMES))),
        standard=asked("names"),
        held_out=asked("held_out"),
        lay=asked("lay"),
        untold=_left_out(films, untold, groups, names),
        unseen=None if halved is None else _left_out(films, halved, groups, names),
        control=None if control is None else measure(films, row_products(control, names.directions), names.of),
    )


def points(films: Films, margins: Float32, folds: NDArray[np.int64]) -> dict[str, CardPoint]:
    """The operating point of every finding with enough films, on margins (n, findings) out of fold."""
    return {
        name: operating_point(films.labels[:, k] > 0.5, margins[:, k], folds, RULE)
        for k, name in enumerate(NAMES)
        if films.labels[:, k].sum() >= LEAST
    }


def warnings(standard: PromptMeasure) -> dict[str, str]:
    """Findings whose standard prompts may rank no better than chance."""
    return {
        NAMES[k]: (
            f"Out of fold the standard prompts may rank this finding no better than chance: AUROC {each.value:.2f} "
            f"[{each.low:.2f}-{each.high:.2f}], n+ {each.positives}."
        )
        for k, each in standard.findings.items()
        if not each.low > 0.5
    }


def _places(findings: Sequence[str]) -> list[int]:
    return [NAMES.index(finding) for finding in findings]


def _without(towers: Blind, spoken: Spoken, places: Sequence[int]) -> Float32:
    """Embeddings (n, d) where neither captions nor the use of the towers' last layer know some findings."""
    kept = [k for k in range(len(NAMES)) if k not in places]
    known = towers.only(kept) if towers.labels.shape[1] == len(NAMES) else towers
    return known.embed(known.projections(spoken.directions(kept)))


def _halved(films: Films, spoken: Spoken, groups: Mapping[str, Sequence[int]], runs: Path) -> dict[str, Float32] | None:
    """Embeddings by the towers that never learned a group; None until all are there."""
    if not all(_trained(runs, group) for group in groups):
        return None
    return {group: _without(_towers(films, group, runs), spoken, places) for group, places in groups.items()}


def _control(films: Films, spoken: Spoken, runs: Path) -> Float32 | None:
    return _without(_towers(films, "control", runs), spoken, ()) if _trained(runs, "control") else None


def _trained(runs: Path, group: str) -> bool:
    return all(tower(runs, group, half).exists() for half in range(HALVES))


def _towers(films: Films, group: str, runs: Path) -> Blind:
    checkpoints = [tower(runs, group, half) for half in range(HALVES)]
    return blind(checkpoints, halves(films), without(films, GROUPS[group]), RECIPE)


def _left_out(
    films: Films, embeddings: Mapping[str, Float32], groups: Mapping[str, Sequence[int]], names: Phrases
) -> PromptMeasure:
    """Each finding by the embeddings of the group that leaves it out."""
    parts = [(names.about(places), embeddings[group]) for group, places in groups.items()]
    scores = np.concatenate([row_products(vectors, asked.directions) for asked, vectors in parts], 1)
    return measure(films, scores, np.concatenate([asked.of for asked, _ in parts]))
