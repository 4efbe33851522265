"""Labels that a model contradicts with a score as is seldom seen among the films that are labeled so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.label_issues.issue import LabelIssue, RuleIssues
from explorer.analysis.performance_table import FindingLine
from explorer.cohorts.schema import Unit
from explorer.core.findings import FrequencyGroup
from explorer.core.in_sample import optimistic_centers
from explorer.core.word_lists import and_list
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column
    from explorer.store.store import Store

ENOUGH = 30  # films labeled present, and absent: of fewer, nobody knows which scores are unusual
BEYOND = 0.95  # of the films that are labeled the other way score less extreme
RARE = (FrequencyGroup.RARE, FrequencyGroup.VERY_RARE)

Ranked = tuple[float, float, LabelIssue]  # how far beyond the others, how far beyond the threshold


def confident(
    store: Store, population: Slice, lines: Sequence[FindingLine], names: Sequence[str], limit: int
) -> RuleIssues:
    """Those of the population's films; `names` are all cases of the cohort in order."""
    made = store.model(population.cohort, population.model)
    fitted = optimistic_centers(made.origins)
    found: list[Ranked] = []
    excluded = []
    for line in lines:
        why = f"{line.group.value} ({population.source})" if line.group in RARE and line.group else ""
        if not why:
            column = store.column(population, line.finding)
            asked = ~np.isin(column.center.astype(str), fitted)
            why = _too_few(column, asked)
        if why:
            excluded.append((line.finding, why))
        else:
            found += _against(line.finding, column, asked, names, made.unit)
    found.sort(key=lambda each: each[:2], reverse=True)
    issues = tuple(issue for _, _, issue in found[:limit])
    explains = _explains(population.model, fitted)
    return RuleIssues(
        "confident", "A confident model disagrees with the label", explains, len(found), issues, tuple(excluded)
    )


def _explains(model: str, fitted: Sequence[str]) -> str:
    trained = f" Films of {and_list(fitted)} are left out: the model may have been fitted on them." if fitted else ""
    percent = f"{BEYOND * 100:g} %"
    return (
        f"Labeled absent, but {model} scores the film higher than {percent} of those labeled present; or labeled "
        f"present and scored lower than {percent} of those labeled absent. The model may be wrong.{trained}"
    )


def _too_few(column: Column, asked: NDArray[np.bool_]) -> str:
    """Why a finding is not asked about; empty where it is."""
    for label, word in ((1, "present"), (0, "absent")):
        n = int((asked & (column.label == label)).sum())
        if n < ENOUGH:
            return f"{n} labeled {word}, fewer than {ENOUGH}"
    return ""


def _against(
    finding: str, column: Column, asked: NDArray[np.bool_], names: Sequence[str], unit: Unit
) -> Iterator[Ranked]:
    margin = np.abs(np.nan_to_num(column.score - column.threshold))
    absent, present = (asked & (column.label == label) for label in (0, 1))
    said = "scored {:.2f}" if unit == "score" else "has the margin {:+.4f}"
    for here, others, sign, words in (
        (absent, present, 1, f"is labeled absent, but {said}, higher than {{}} of the {{:,}} films labeled present."),
        (present, absent, -1, f"is labeled present, but {said}, lower than {{}} of the {{:,}} films labeled absent."),
    ):
        less = np.sort(sign * column.score[others])
        beyond = np.searchsorted(less, sign * column.score, "left") / len(less)
        for row in np.flatnonzero(here & (beyond > BEYOND)):
            share = "all" if beyond[row] == 1 else f"{np.floor(1000 * beyond[row]) / 10:g} %"
            reason = f"{finding} {words.format(column.score[row], share, len(less))}"
            issue = LabelIssue("confident", reason, (names[column.case[row]],), finding)
            yield float(beyond[row]), float(margin[row]), issue
