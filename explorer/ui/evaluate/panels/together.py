"""Together: which findings stand together in labels, which in a model's calls, and where the two differ most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypedDict, get_args

import numpy as np

from explorer.analysis.comparisons.co_occurrence import LISTED, Pair, Together, furthest, together
from explorer.analysis.comparisons.head_to_tail import by_frequency
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.report import BoardReport, left_out, title
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import difference_text, share_text
from explorer.core.findings import Outcome
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.evaluate.panels.together_chart import Shown, together_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import model_id, slice_words
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

OF, SHOW = "of", "show"
SHOWN: tuple[Shown, ...] = get_args(Shown)
TITLES = ("most too often", "most too rarely")
HEADER = ("where", "also", "called", "at all", "labeled", "at all", "excess of calls")


class PairPayload(TypedDict):
    """A pair of findings with its shares and n; `words` are of Explore's address that shows its mistakes."""

    given: str
    other: str
    called: ValuePayload
    calls: int
    labeled: ValuePayload
    labels: int
    difference: ValuePayload
    called_at_all: float | None
    labeled_at_all: float | None
    words: dict[str, str]


class TogetherPayload(TypedDict):
    """What the panel draws; `often` and `rarely` are the furthest pairs."""

    plotly: str
    figure: Plotly
    model: str
    models: list[dict[str, str]]
    of: str
    show: Shown
    shown: list[dict[str, str]]
    few: int
    calls: bool
    often: list[PairPayload]
    rarely: list[PairPayload]


@dataclass(frozen=True, slots=True)
class _Answer:
    """All that is shown; `model` is a place."""

    report: BoardReport
    model: int
    show: Shown
    found: Together
    often: tuple[Pair, ...]
    rarely: tuple[Pair, ...]
    computing: bool
    words: dict[str, str]
    complaints: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.report.board.models[self.model]


def _answer(asked: Asked) -> _Answer:
    report, subject, services = asked.report(), asked.subject, asked.services
    words: dict[str, str] = {}
    complaints: list[str] = []
    of, show = asked.state.get(OF), asked.state.get(SHOW)
    ids = [model_id(subject.chosen.cohort, name) for name in subject.models]
    model = ids.index(str(of)) if of in ids else report.reference
    if of and of not in ids:
        complaints.append("The link shows the calls of a model that is not among these. It was ignored.")
    chosen = next((each for each in SHOWN if each == show), SHOWN[0])
    if show and chosen != show:
        complaints.append("The link shows what this panel does not. It was ignored.")
    if model != report.reference:
        words[OF] = ids[model]
    if chosen != SHOWN[0]:
        words[SHOW] = chosen
    joint = joint_scores(services.store, subject.chosen, subject.models)
    found = together(joint, model, natural=subject.natural)
    often, rarely = furthest(found, FEW_POSITIVES)
    sure = services.intervals.pairs(subject.chosen, subject.models, model, (*often, *rarely), natural=subject.natural)
    if sure is not None:
        often, rarely = sure[: len(often)], sure[len(often) :]
    return _Answer(report, model, chosen, found, often, rarely, sure is None, words, tuple(complaints))


def _content(asked: Asked) -> Content:
    answer = _answer(asked)
    report, cohort = answer.report, asked.subject.chosen.cohort
    payload: TogetherPayload = {
        "plotly": PLOTLY,
        "figure": together_chart(answer.found, by_frequency(report.board), answer.show, FEW_POSITIVES),
        "model": answer.name,
        "models": [{"word": model_id(cohort, name), "name": name} for name in report.board.models],
        "of": model_id(cohort, answer.name),
        "show": answer.show,
        "shown": [{"word": each, "name": each} for each in SHOWN],
        "few": FEW_POSITIVES,
        "calls": bool(answer.found.called.any()),
        "often": [_pair(asked, answer, each, Outcome.FALSE_ALARM) for each in answer.often],
        "rarely": [_pair(asked, answer, each, Outcome.MISS) for each in answer.rarely],
    }
    notes = tuple(_notes(answer))
    return Content(title(report), notes, dict(payload), answer.computing, answer.words, answer.complaints)


def _pair(asked: Asked, answer: _Answer, pair: Pair, outcome: Outcome) -> PairPayload:
    found, at = answer.found, (pair.given, pair.other)
    given, other = found.findings[pair.given], found.findings[pair.other]
    films = asked.subject.chosen.whole_films()  # what picked them would pick among the mistakes, too
    mistakes = replace(films, model=answer.name, finding=other, outcomes=(outcome,), called=given)
    return {
        "given": given,
        "other": other,
        "called": _value(float(found.calls[at])),
        "calls": int(found.called[at]),
        "labeled": _value(float(found.labels[at])),
        "labels": int(found.labeled[at]),
        "difference": _value(pair.value, pair.low, pair.high),
        "called_at_all": or_none(found.call_rates[at]),
        "labeled_at_all": or_none(found.label_rates[at]),
        "words": slice_words(mistakes),
    }


def _value(value: float, low: float = np.nan, high: float = np.nan) -> ValuePayload:
    return {"value": or_none(value), "low": or_none(low), "high": or_none(high)}


def _table(asked: Asked) -> ResultTable:
    answer = _answer(asked)
    grids = tuple(
        TextGrid(f"pairs that {answer.name} puts together {words}", HEADER, tuple(_lines(answer.found, pairs)))
        for words, pairs in zip(TITLES, (answer.often, answer.rarely), strict=True)
    )
    return ResultTable(title(answer.report), tuple(_notes(answer)), grids, tuple(_rows(answer)))


def _lines(found: Together, pairs: tuple[Pair, ...]) -> Iterator[tuple[str, ...]]:
    for each in pairs:
        at = each.given, each.other
        yield (
            found.findings[each.given],
            found.findings[each.other],
            f"{_share(found.calls[at])} of {found.called[at]:,}",
            _share(found.call_rates[at]),
            f"{_share(found.labels[at])} of {found.labeled[at]:,}",
            _share(found.label_rates[at]),
            difference_text(each.value, each.low, each.high),
        )


def _share(value: float) -> str:
    return share_text(float(value), 3)


def _rows(answer: _Answer) -> Iterator[Cells]:
    """Every pair; intervals are those of the pairs that are listed."""
    found, order = answer.found, by_frequency(answer.report.board)
    known = {(each.given, each.other): each for each in (*answer.often, *answer.rarely)}
    for given in order:
        for other in order:
            if given == other:
                continue
            at = given, other
            listed = known.get(at)
            yield {
                "model": answer.name,
                "given": found.findings[given],
                "other": found.findings[other],
                "called_given": int(found.called[at]),
                "share_called": or_none(found.calls[at]),
                "rate_called": or_none(found.call_rates[at]),
                "labeled_given": int(found.labeled[at]),
                "share_labeled": or_none(found.labels[at]),
                "rate_labeled": or_none(found.label_rates[at]),
                "excess_of_calls": or_none(found.difference[at]),
                "ci_low": None if listed is None else or_none(listed.low),
                "ci_high": None if listed is None else or_none(listed.high),
            }


def _notes(answer: _Answer) -> Iterator[str]:
    if answer.report.simulated:
        yield "SIMULATED films."
    yield (
        "A cell is a share: of the films with the row's finding, how many also have the column's. Only films where both"
        " labels are known and both findings can be called count; unknown labels are left out."
    )
    yield (
        f"Listed are the {LISTED} pairs that differ most at each end, where at least {FEW_POSITIVES} films are labeled "
        f"and {FEW_POSITIVES} called with the first finding. They are chosen by their point, which is therefore too "
        "far out; the intervals, "
        "95 %, from resamples of whole patients, do not know that."
    )
    yield (
        "The excess of calls is how much the first finding raises the share of the second over its rate at all, in "
        "calls minus the same in labels: what is called too often everywhere has no excess for that alone."
    )
    if answer.report.natural:
        yield "Each film counts as often as nature has one like it; n counts films."
    yield from left_out(answer.report.board)


TOGETHER = Panel("together", "Together", _content, _table)
