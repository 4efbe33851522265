"""Runs `thresholds` and prints its table as text, or as the CSV that `evaluate --operating-points` reads."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import closing

from explorer.analysis.thresholds.carried import carry, origin_of
from explorer.analysis.thresholds.choice import choose_by_hand as set_by_hand
from explorer.analysis.thresholds.choice import choose_by_rule
from explorer.analysis.thresholds.table import ThresholdLine, ThresholdTable, threshold_table
from explorer.cli.leaderboard import check_names
from explorer.cli.prepared import prepare_with_progress
from explorer.cohorts.chosen_thresholds import BY_HAND
from explorer.core.figures import rate_text, significant
from explorer.core.finding_names import match_finding
from explorer.core.named_values import named_values
from explorer.core.rates import Rate
from explorer.core.text_grid import in_columns
from explorer.core.threshold_rules import RuleName
from explorer.core.visible_text import visible
from models.refusal import Refusal

THRESHOLDS_HEADER = ("finding", "n+", "threshold", "sensitivity", "specificity")


class WrongByHand(Refusal):
    """A threshold set by hand that cannot be read: `title` says which, `detail` how to write it."""


def chosen_or_shown(
    cohort: str, model: str, rule: RuleName | None, where: str, by_hand: str, *, reset: bool
) -> ThresholdTable:
    """Choose thresholds by a rule or by hand, if asked to, and return those in force.

    Raises WrongName, WrongByHand, WrongFilter, NoThresholds, and the store's errors.
    """
    from explorer.store.store import Store

    with closing(Store()) as store:
        (model,) = check_names(store, cohort, [model])
        prepare_with_progress(store, cohort, [model])
        values = _values(by_hand, store.model(cohort, model).findings)
        chosen = None if rule is None else choose_by_rule(store, cohort, model, rule, where)
        if values:
            chosen = set_by_hand(store, cohort, model, values, chosen)
        if chosen is not None or reset:
            store.keep_thresholds(cohort, model, chosen)
        prepare_with_progress(store, cohort, [model])
        return threshold_table(store, cohort, model)


def carried(cohort: str, model: str, rule: RuleName | None, origin: str, to: str | None) -> ThresholdTable:
    """Take thresholds and calibration from other films, and return those in force.

    Raises WrongName, WrongFilter, NoThresholds, and the store's errors.
    """
    from explorer.store.store import Store

    with closing(Store()) as store:
        films = origin_of(origin)
        for each in dict.fromkeys((cohort, films.cohort or cohort)):
            (model,) = check_names(store, each, [model])
            prepare_with_progress(store, each, [model])
        store.keep_thresholds(cohort, model, carry(store, cohort, model, films, rule, to))
        prepare_with_progress(store, cohort, [model])
        return threshold_table(store, cohort, model)


def thresholds_as_text(table: ThresholdTable) -> str:
    """Return aligned columns, headed by where the thresholds come from and which films the rates are on."""
    rows = in_columns([THRESHOLDS_HEADER, *map(_cells, table.lines)])
    lines = [f"Thresholds: {table.words}.", table.films, "", *rows]
    return "\n".join(map(visible, lines)) + "\n"


def thresholds_csv(table: ThresholdTable) -> str:
    """Return one row per threshold; findings without one are left out. A blank split means every film."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("finding", "split", "threshold", "by_hand", "n_positive"))
    for line in table.lines:
        for split, value in line.thresholds:
            writer.writerow((line.finding, split, repr(value), int(line.by_hand), line.positives))
    return text.getvalue()


def _cells(line: ThresholdLine) -> tuple[str, ...]:
    values = sorted({value for _, value in line.thresholds})
    value = " to ".join(significant(each) for each in dict.fromkeys((values[0], values[-1]))) if values else "none"
    note = f" {BY_HAND}" if line.by_hand else f": {line.reason}" if line.reason else ""
    return line.finding, f"{line.positives:,}", value + note, _rate(line.sensitivity), _rate(line.specificity)


def _rate(rate: Rate) -> str:
    return f"{rate_text(rate)} n {rate.n:,}" if rate.n else "nothing to count"


def _values(text: str, own: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for word, value in _pairs(text):
        finding = match_finding(word, own) or word
        if finding in found:
            raise WrongByHand(f"{finding} is given twice", "Give one threshold per finding.")
        found[finding] = value
    return found


def _pairs(text: str) -> Iterator[tuple[str, float]]:
    for name, value in named_values(text):
        try:
            yield name, float(value or "")
        except ValueError as error:
            raise WrongByHand(
                f"{name + ('' if value is None else '=' + value)!r} is not a threshold",
                'Write thresholds as "Finding=0.3", separated by commas.',
            ) from error
