"""Reads a file of scores: one row per image, one column per finding, from 0 to 1, or as logits if requested."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from explorer.core.arrays import Floats
from explorer.tabular.cells import NO_SCORE, NOT_FROM_0_TO_1, parse_logit, parse_score
from explorer.tabular.notes import Notes, Recognized, some
from explorer.tabular.own_columns import OwnColumns
from explorer.tabular.problems import Problems
from explorer.tabular.sheet import NO_OWN, Sheet, read_sheet

MIN_SHARE_OUTSIDE = 0.25  # of the cells; if more lie outside 0 to 1, the whole scale is wrong
NO_LOGIT = "cells without a number"
_LARGEST = parse_logit("1")  # the largest score that a number from 0 to 1 gives if read as a logit


@dataclass(slots=True)
class _Outside:
    """Counts the numbers of a file that lie outside 0 to 1."""

    count: int = 0
    lowest: float = math.inf
    highest: float = -math.inf

    def see(self, cell: str) -> None:
        """Count a cell that is not a score."""
        try:
            value = float(cell)
        except ValueError:
            return
        if not 0 <= value <= 1 and math.isfinite(value):
            self.count += 1
            self.lowest, self.highest = min(self.lowest, value), max(self.highest, value)

    def advice(self, scores: Floats) -> str:
        """Return advice if the numbers look like logits or percentages; `scores` are the valid ones."""
        if not self.count or self.count < MIN_SHARE_OUTSIDE * scores.size:
            return ""
        valid = scores[~np.isnan(scores)].tolist()
        lowest, highest = min([self.lowest, *valid]), max([self.highest, *valid])
        numbers = f"All numbers go from {lowest:g} to {highest:g}"
        if lowest < 0:
            return f"{numbers}, as logits do: add --logits, and each x is read as 1 / (1 + exp(-x))"
        return f"{numbers}: if they are percentages, divide them by 100" if highest <= 100 else ""


def read_scores_sheet(
    path: Path,
    image: str,
    problems: Problems,
    notes: Notes,
    *,
    own: OwnColumns = NO_OWN,
    logits: bool = False,
    texts: Sequence[str] = (),
) -> Sheet:
    """Read a file of scores. With `logits`, each number x is read as 1 / (1 + exp(-x)), and that is noted.

    `own` gives the columns that are findings no taxonomy has. Numbers that are not scores are problems, as are logits
    that all lie from 0 to 1. Raises WrongInput if the file is unusable.
    """
    outside = _Outside()
    sheet = read_sheet(
        path, parse_logit if logits else parse_score, image, texts, problems, notes, own=own, wrong=outside.see
    )
    if not logits and (advice := outside.advice(sheet.values)):
        problems.advise(path, NOT_FROM_0_TO_1, advice)
    if advice := _without_scores(sheet):
        problems.advise(path, NO_LOGIT if logits else NO_SCORE, advice)
    if logits:
        notes.add(Recognized.LOGITS, path, "logits x, read as 1 / (1 + exp(-x))")
        if sheet.values.size and (sheet.values >= 0.5).all() and (sheet.values <= _LARGEST).all():
            problems.add("all numbers are from 0 to 1: these are scores already. Leave out --logits", path)
    return sheet


def _without_scores(sheet: Sheet) -> str:
    """Return advice on images and findings without scores; empty if all have scores."""
    there = ~np.isnan(sheet.values)
    if there.all():
        return ""
    never = [name for place, name in enumerate(sheet.columns.values()) if not there[:, place].any()]
    if never:
        return f"No image has a score in {some(never)}: --not-finding {never[0]!r} leaves it out"
    return "Score these images, or leave them out of both files; --not-finding NAME leaves a finding out"
