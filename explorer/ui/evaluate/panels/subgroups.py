"""Subgroups: the mean of a metric on films that are alike in one respect, and its difference to the other films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TypedDict

import numpy as np

from explorer.analysis.comparisons.subgroup_films import FINDINGS_PER_FILM
from explorer.analysis.comparisons.subgroups import (
    AgainstRest,
    Figures,
    Question,
    adjusted,
    mirror,
    subgroup_intervals,
    subgroup_points,
)
from explorer.analysis.leaderboard.groups import Part
from explorer.analysis.leaderboard.joint_metrics import MEASURES, Measure
from explorer.analysis.leaderboard.report import MEANS, BoardReport, left_out, title
from explorer.core.arrays import Floats, or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import p_text, share_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.metrics import tail_p
from explorer.metrics.paired_rows import FEWEST_FOR_TAIL, counted_least
from explorer.store.filter_kinds import as_word
from explorer.ui.evaluate.filter_choices import ChoicePayload
from explorer.ui.evaluate.panels.figure_words import difference_words, value_words
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.model_colors import ColorPayload, colors_of
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.evaluate.panels.subgroup_chart import subgroup_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

USUAL: Measure = "AUROC"  # which no prevalence moves
PASSES = 0.05  # adjusted p below which a difference is read as one
OF_PREVALENCE: frozenset[Measure] = frozenset({"AP", "F1", "precision", "ECE"})


class DifferencePayload(ValuePayload):
    """A subgroup minus the others; `p` is adjusted over all cells; null while it is still to come, or undefined."""

    p: float | None


class SubgroupPayload(TypedDict):
    """A column: its films and the others, the findings in both means, and the figures by model."""

    name: str
    films: int
    others: int
    counted: int
    fewest: int
    figures: list[ValuePayload]
    differences: list[DifferencePayload]


class RespectPayload(TypedDict):
    """Subgroups that tell films apart in one respect."""

    by: str
    subgroups: list[SubgroupPayload]


class SubgroupsPayload(TypedDict):
    """What the panel draws; `models` in the order of the figures, `findings` are in the group that is chosen.

    `prevalence`: the metric follows how often findings are present, which differs between subgroups.
    """

    plotly: str
    figure: Plotly
    measure: Measure
    mean: str
    measures: list[ChoicePayload]
    over: str
    parts: list[ChoicePayload]
    findings: int
    models: list[ColorPayload]
    respects: list[RespectPayload]
    prevalence: bool
    few: int


def _content(asked: Asked) -> Content:
    report, measure = asked.points(), _measure(asked)
    part, complaints = _part(asked, report)
    every = _every(asked, measure, part)
    complete = all(each.resamples for each in every)
    p = _p(every)
    models = colors_of(report)
    payload: SubgroupsPayload = {
        "plotly": PLOTLY,
        "figure": subgroup_chart(every, MEANS[measure], models),
        "measure": measure,
        "mean": MEANS[measure],
        "measures": [{"word": each.lower(), "name": each} for each in MEASURES],
        "over": as_word(part.name),
        "parts": [{"word": as_word(each.name), "name": each.name} for each in _parts(report)],
        "findings": len(part.members),
        "models": models,
        "respects": [
            {"by": by, "subgroups": [_subgroup(each, adjusted) for each, adjusted in members]}
            for by, members in groupby(zip(every, p, strict=True), key=lambda one: one[0].subgroup.by)
        ],
        "prevalence": measure in OF_PREVALENCE,
        "few": FEW_POSITIVES,
    }
    return Content(
        title(report),
        tuple(_notes(report, part, every)),
        dict(payload),
        computing=not complete,
        done=sum(each.resamples > 0 for each in every),
        words=_words(asked, measure, part, report),
        complaints=complaints,
    )


def _every(asked: Asked, measure: Measure, part: Part) -> tuple[AgainstRest, ...]:
    """The subgroups in the order of the page, with intervals where these are there; they are begun otherwise."""
    subject, store = asked.subject, asked.services.store
    question = Question(subject.chosen, subject.models, measure, part.members, subject.natural)
    points = subgroup_points(store, question)
    found = list(points)
    for place in reversed(range(len(points))):  # the last one asked is computed first
        first = mirror(points, place)
        work = partial(subgroup_intervals, store, question, first)
        known = in_background(asked, ("subgroup", measure, part.members, first), work)
        if known is not None:
            found[place] = known if first == place else known.mirrored(points[place].subgroup)
    return tuple(found)


def _p(every: Sequence[AgainstRest]) -> Sequence[Floats | None]:
    """Adjusted p by model of each subgroup, over all cells: so they come last of all."""
    complete = every and all(each.resamples for each in every)
    return list(adjusted(every)) if complete else [None] * len(every)


def _subgroup(each: AgainstRest, p: Floats | None) -> SubgroupPayload:
    places = range(len(each.here.value))
    return {
        "name": each.subgroup.name,
        "films": each.films,
        "others": each.others,
        "counted": len(each.counted),
        "fewest": each.fewest,
        "figures": [_value(each.here, place) for place in places],
        "differences": [
            {**_value(each.difference, place), "p": None if p is None else or_none(p[place])} for place in places
        ],
    }


def _table(asked: Asked) -> ResultTable:
    report, measure = asked.points(), _measure(asked)
    part, _ = _part(asked, report)
    every = _every(asked, measure, part)
    p = _p(every)
    rows: list[Cells] = [
        {
            "by": each.subgroup.by,
            "subgroup": each.subgroup.name,
            "films": each.films,
            "other_films": each.others,
            "findings": len(each.counted),
            "fewest_positives": each.fewest,
            "model": name,
            "metric": MEANS[measure],
            **_ends("", each.here, model),
            **_ends("other_films_", each.rest, model),
            **_ends("difference_", each.difference, model),
            "p": or_none(each.p[model]) if each.resamples else None,
            "p_adjusted": None if adjusted is None else or_none(adjusted[model]),
        }
        for each, adjusted in zip(every, p, strict=True)
        for model, name in enumerate(report.board.models)
    ]
    texts = tuple(
        (
            f"{each.subgroup.by}: {each.subgroup.name}",
            f"{each.films:,}",
            str(len(each.counted)),
            str(each.fewest),
            *(
                f"{value_words(_value(each.here, model))}; {difference_words(_value(each.difference, model))}"
                for model in range(len(report.board.models))
            ),
        )
        for each in every
    )
    header = ("subgroup", "n", "findings", "n+ from", *report.board.models)
    grid = TextGrid(f"{MEANS[measure]}; difference to the other films", header, texts)
    return ResultTable(title(report), tuple(_notes(report, part, every)), (grid,), tuple(rows))


def _measure(asked: Asked) -> Measure:
    """The address's metric; AUROC where it names none."""
    return asked.subject.measure if asked.state.get("metric") else USUAL


def _parts(report: BoardReport) -> list[Part]:
    return [each for each in report.board.parts if each.center is None]


def _part(asked: Asked, report: BoardReport) -> tuple[Part, tuple[str, ...]]:
    """The group of findings that the address names, the first one where it names none; complaints."""
    named = {as_word(each.name): each for each in _parts(report)}
    word = asked.state.get("over")
    usual = next(iter(named.values()))
    if not word:
        return usual, ()
    if word in named:
        return named[str(word)], ()
    return usual, ("The link names a group of findings that is not here. It was ignored.",)


def _words(asked: Asked, measure: Measure, part: Part, report: BoardReport) -> dict[str, str]:
    words = {"metric": measure.lower()} if asked.state.get("metric") else {}
    return words if part is _parts(report)[0] else {**words, "over": as_word(part.name)}


def _floor(every: Sequence[AgainstRest], resamples: int) -> Iterator[str]:
    """How p goes below what resamples can count, and how many cells alone could never pass because theirs cannot."""
    cells, least = [int(np.isfinite(each.p).sum()) for each in every], counted_least(resamples)
    few = [count for count, each in zip(cells, every, strict=True) if each.fewest < FEWEST_FOR_TAIL]
    stays = share_text(min(1.0, sum(cells) * least))
    alone = f": adjusted over {sum(cells):,} cells, one that differs alone stays at {stays}."
    if resamples < tail_p.ENOUGH:
        if sum(cells) * least > PASSES:
            yield f"{resamples:,} resamples give no p below {p_text(least)}{alone}"
    else:
        yield f"p below {p_text(least)}, which resamples cannot count, is by a Pareto tail fitted to them."
        if sum(few) and sum(cells) * least > PASSES:
            yield f"{sum(few):,} cells, of under {FEWEST_FOR_TAIL} positives, have no p below {p_text(least)}{alone}"
    yield "The CSV has p as it is, too."


def _notes(report: BoardReport, part: Part, every: Sequence[AgainstRest]) -> Iterator[str]:
    if report.simulated:
        yield "SIMULATED films."
    yield (
        f"Means are over those of {quantity(len(part.members), 'finding')} ({part.name}) that are defined in the "
        "subgroup and on the other films, for every model; n+ from: the positives of the one that has the fewest, on "
        "the side that has fewer."
    )
    resamples = max((each.resamples for each in every), default=0)
    if resamples:
        yield (
            f"Intervals are 95 %: percentiles of {resamples:,} exact bootstrap resamples of whole patients, of each "
            "side by itself. p is two-sided, adjusted over all cells by Benjamini and Hochberg."
        )
        yield from _floor(every, resamples)
    shared = sorted({each.subgroup.by.lower() for each in every if each.shared})
    if shared:
        yield (
            f"Some patients have films on both sides ({', '.join(shared)}): there all patients are resampled together."
        )
    yield (
        f"{FINDINGS_PER_FILM} are counted from the labels, without Normal and Support Devices; a film with an unknown "
        "label may have more."
    )
    yield (
        "AP, F1, precision and ECE follow how often a finding is present: their difference between films of another "
        "prevalence is not one of the models. AUROC does not, though easier and harder films may still differ."
    )
    if report.natural:
        yield "Each film counts as often as nature has one like it; n counts films."
    yield from left_out(report.board)


def _value(figures: Figures, model: int) -> ValuePayload:
    value, low, high = (or_none(each[model]) for each in (figures.value, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _ends(name: str, figures: Figures, model: int) -> Cells:
    value = _value(figures, model)
    return {f"{name}value": value["value"], f"{name}ci_low": value["low"], f"{name}ci_high": value["high"]}


SUBGROUPS = Panel("subgroups", "Subgroups", _content, _table)
