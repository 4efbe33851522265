"""Finds labels that a model contradicts with a score that is extreme for films labeled that way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.label_issues.eligible_films import EligibleFilms, left_out_words
from explorer.analysis.label_issues.issue import CheckedFinding, LabelIssue, RuleIssues
from explorer.analysis.performance.performance_table import FindingLine
from explorer.cohorts.schema import Unit
from explorer.core.figures import MARGIN_DIGITS, score_text, signed, significant
from explorer.core.in_sample import optimistic_centers
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.results import Column
    from explorer.store.store import Store

EXTREME_SHARE = 0.95  # share of oppositely labeled films that have a less extreme score

IssueStrength = tuple[float, float]  # share of films with a less extreme score, distance from the threshold


def confident_disagreements(
    store: Store, population: Slice, lines: Sequence[FindingLine], names: Sequence[str], limit: int
) -> RuleIssues:
    """Return confident disagreements in the population; `names` are all cases of the cohort in order.

    The strongest issue of each finding comes first, then the second of each, so that common findings do not crowd out
    the tail.
    """
    made = store.model(population.cohort, population.model)
    fitted = optimistic_centers(made.origins)
    found: list[tuple[int, IssueStrength, LabelIssue]] = []
    looked_at, excluded = [], []
    for line in lines:
        column = store.column(population, line.finding)
        eligible = EligibleFilms.of(column, fitted)
        if eligible.too_few:
            excluded.append((line.finding, eligible.too_few))
            continue
        against = sorted(
            _disagreements(line.finding, column, eligible.inside, names, made.unit), key=_strength, reverse=True
        )
        found += [(place, strength, issue) for place, (strength, issue) in enumerate(against)]
        looked_at.append(CheckedFinding(line.finding, eligible.positives, eligible.negatives, len(against)))
    found.sort(key=lambda each: (-each[0], each[1]), reverse=True)
    return RuleIssues(
        "confident",
        "A confident model disagrees with the label",
        _explanation(population.model, fitted),
        len(found),
        tuple(issue for _, _, issue in found[:limit]),
        tuple(excluded),
        tuple(looked_at),
    )


def _strength(ranked: tuple[IssueStrength, LabelIssue]) -> IssueStrength:
    return ranked[0]


def _explanation(model: str, fitted: Sequence[str]) -> str:
    percent = f"{EXTREME_SHARE * 100:g} %"
    return (
        f"Labeled absent, but {model} scores the film higher than {percent} of those labeled present; or labeled "
        f"present, but scored lower than {percent} of those labeled absent. The model may be wrong. The strongest of "
        f"each finding come first.{left_out_words(fitted)}"
    )


def _disagreements(
    finding: str, column: Column, eligible: NDArray[np.bool_], names: Sequence[str], unit: Unit
) -> Iterator[tuple[IssueStrength, LabelIssue]]:
    margin = np.abs(np.nan_to_num(column.score - column.threshold))
    absent, present = (eligible & (column.label == label) for label in (0, 1))
    for here, others, sign, words in (
        (absent, present, 1, "is labeled absent, but {}, higher than {} of the {:,} films labeled present."),
        (present, absent, -1, "is labeled present, but {}, lower than {} of the {:,} films labeled absent."),
    ):
        ordered = np.sort(sign * column.score[others])
        beyond = np.searchsorted(ordered, sign * column.score, "left") / len(ordered)
        for row in np.flatnonzero(here & (beyond > EXTREME_SHARE)):
            score = float(column.score[row])
            scored = (
                f"scored {score_text(score)}" if unit == "score" else f"has the margin {signed(score, MARGIN_DIGITS)}"
            )
            share = "all" if beyond[row] == 1 else f"{significant(np.floor(1000 * beyond[row]) / 10)} %"
            reason = f"{finding} {words.format(scored, share, len(ordered))}"
            strength = float(beyond[row]), float(margin[row])
            yield strength, LabelIssue("confident", reason, (names[column.case[row]],), finding)
