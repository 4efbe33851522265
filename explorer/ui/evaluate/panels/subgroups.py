"""Subgroups: a metric's mean on films that share a property, and its difference from the other films."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TypedDict

import numpy as np

from explorer.analysis.comparisons.subgroup_films import FINDINGS_PER_FILM
from explorer.analysis.comparisons.subgroups import (
    ModelEstimates,
    SubgroupComparison,
    SubgroupRequest,
    adjusted_p,
    complement_index,
    subgroup_intervals,
    subgroup_points,
)
from explorer.analysis.leaderboard.groups import BoardPart
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, BoardMeasure
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_title, left_out_notes
from explorer.core.arrays import Floats, or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import p_text, share_text
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.metrics import tail_p
from explorer.metrics.paired_rows import MIN_POSITIVES_FOR_TAIL, smallest_counted_p
from explorer.store.filter_kinds import as_word
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.figure_words import difference_words, value_words
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.model_colors import ColorPayload, model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.subgroup_chart import subgroup_chart
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload

DEFAULT_MEASURE: BoardMeasure = "AUROC"  # independent of prevalence
MAX_SUBGROUP_P = 0.05  # adjusted p below which a difference counts
PREVALENCE_DEPENDENT_MEASURES: frozenset[BoardMeasure] = frozenset({"AP", "F1", "precision", "ECE"})


class SubgroupDifferencePayload(ValuePayload):
    """A subgroup minus the others; `p` is adjusted over all cells, null if undefined or not yet computed."""

    p: float | None


class SubgroupPayload(TypedDict):
    """A subgroup: its films, the other films, the counted findings, and the figures by model."""

    name: str
    films: int
    others: int
    counted: int
    fewest: int
    figures: list[ValuePayload]
    differences: list[SubgroupDifferencePayload]


class PropertyPayload(TypedDict):
    """The subgroups of one property."""

    by: str
    subgroups: list[SubgroupPayload]


class SubgroupsPayload(TypedDict):
    """The panel's data; figures are in the order of `models`; the chosen group has `findings` findings.

    `prevalence`: the metric depends on prevalence, which differs between subgroups.
    """

    plotly: str
    figure: Plotly
    measure: BoardMeasure
    mean: str
    measures: list[OptionPayload]
    over: str
    parts: list[OptionPayload]
    findings: int
    models: list[ColorPayload]
    respects: list[PropertyPayload]
    prevalence: bool
    few: int


def _content(request: PanelRequest) -> PanelContent:
    report, measure = request.points(), _measure(request)
    part, complaints = _part(request, report)
    every = _comparisons(request, measure, part)
    complete = all(each.resamples for each in every)
    p = _adjusted_p(every)
    models = model_colors(report)
    payload: SubgroupsPayload = {
        "plotly": PLOTLY,
        "figure": subgroup_chart(every, MEAN_NAMES[measure], models),
        "measure": measure,
        "mean": MEAN_NAMES[measure],
        "measures": [{"word": each.lower(), "name": each} for each in BOARD_MEASURES],
        "over": as_word(part.name),
        "parts": [{"word": as_word(each.name), "name": each.name} for each in _parts(report)],
        "findings": len(part.members),
        "models": models,
        "respects": [
            {"by": by, "subgroups": [_subgroup(each, adjusted) for each, adjusted in members]}
            for by, members in groupby(zip(every, p, strict=True), key=lambda one: one[0].subgroup.by)
        ],
        "prevalence": measure in PREVALENCE_DEPENDENT_MEASURES,
        "few": FEW_POSITIVES,
    }
    return PanelContent(
        board_title(report),
        tuple(_notes(report, part, every)),
        dict(payload),
        computing=not complete,
        done=sum(each.resamples > 0 for each in every),
        words=_words(request, measure, part, report),
        complaints=complaints,
    )


def _comparisons(request: PanelRequest, measure: BoardMeasure, part: BoardPart) -> tuple[SubgroupComparison, ...]:
    """Return the subgroups in page order, with intervals if they are ready; otherwise start computing them."""
    subject, store = request.subject, request.services.store
    question = SubgroupRequest(subject.chosen, subject.models, measure, part.members, subject.natural)
    points = subgroup_points(store, question)
    found = list(points)
    for place in reversed(range(len(points))):  # the last request is computed first
        first = complement_index(points, place)
        work = partial(subgroup_intervals, store, question, first)
        known = in_background(request, ("subgroup", measure, part.members, first), work)
        if known is not None:
            found[place] = known if first == place else known.mirrored(points[place].subgroup)
    return tuple(found)


def _adjusted_p(every: Sequence[SubgroupComparison]) -> Sequence[Floats | None]:
    """Return adjusted p by model for each subgroup, once all are computed."""
    complete = every and all(each.resamples for each in every)
    return list(adjusted_p(every)) if complete else [None] * len(every)


def _subgroup(each: SubgroupComparison, p: Floats | None) -> SubgroupPayload:
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


def _table(request: PanelRequest) -> ResultTable:
    report, measure = request.points(), _measure(request)
    part, _ = _part(request, report)
    every = _comparisons(request, measure, part)
    p = _adjusted_p(every)
    rows: list[Cells] = [
        {
            "by": each.subgroup.by,
            "subgroup": each.subgroup.name,
            "films": each.films,
            "other_films": each.others,
            "findings": len(each.counted),
            "fewest_positives": each.fewest,
            "model": name,
            "metric": MEAN_NAMES[measure],
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
    grid = TextGrid(f"{MEAN_NAMES[measure]}; difference from the other films", header, texts)
    return ResultTable(board_title(report), tuple(_notes(report, part, every)), (grid,), tuple(rows))


def _measure(request: PanelRequest) -> BoardMeasure:
    """Return the address's metric, by default AUROC."""
    return request.subject.measure if request.state.get("metric") else DEFAULT_MEASURE


def _parts(report: BoardReport) -> list[BoardPart]:
    return [each for each in report.board.parts if each.center is None]


def _part(request: PanelRequest, report: BoardReport) -> tuple[BoardPart, tuple[str, ...]]:
    """Return the address's group of findings, by default the first, and complaints."""
    named = {as_word(each.name): each for each in _parts(report)}
    word = request.state.get("over")
    usual = next(iter(named.values()))
    if not word:
        return usual, ()
    if word in named:
        return named[str(word)], ()
    return usual, ("The link names a group of findings that is not here. It was ignored.",)


def _words(request: PanelRequest, measure: BoardMeasure, part: BoardPart, report: BoardReport) -> dict[str, str]:
    words = {"metric": measure.lower()} if request.state.get("metric") else {}
    return words if part is _parts(report)[0] else {**words, "over": as_word(part.name)}


def _smallest_p_notes(every: Sequence[SubgroupComparison], resamples: int) -> Iterator[str]:
    """Yield notes on the smallest possible p, and on cells that can never become significant because of it."""
    cells, least = [int(np.isfinite(each.p).sum()) for each in every], smallest_counted_p(resamples)
    few = [count for count, each in zip(cells, every, strict=True) if each.fewest < MIN_POSITIVES_FOR_TAIL]
    stays = share_text(min(1.0, sum(cells) * least))
    alone = f": adjusted over {sum(cells):,} cells, a single difference stays at {stays}."
    if resamples < tail_p.MIN_RESAMPLES:
        if sum(cells) * least > MAX_SUBGROUP_P:
            yield f"{resamples:,} resamples cannot give p below {p_text(least)}{alone}"
    else:
        yield f"p below {p_text(least)} comes from a Pareto tail fitted to the resamples."
        if sum(few) and sum(cells) * least > MAX_SUBGROUP_P:
            cells_with_few = f"{sum(few):,} cells with under {MIN_POSITIVES_FOR_TAIL} positives"
            yield f"{cells_with_few} cannot reach p < {p_text(least)}{alone}"
    yield "The CSV also has unadjusted p."


def _notes(report: BoardReport, part: BoardPart, every: Sequence[SubgroupComparison]) -> Iterator[str]:
    if report.simulated:
        yield "SIMULATED films."
    yield (
        f"Means are over those of {quantity(len(part.members), 'finding')} ({part.name}) that are defined in the "
        "subgroup and on the other films, for every model; n+ from: the positives of the rarest one, on the side with "
        "fewer."
    )
    resamples = max((each.resamples for each in every), default=0)
    if resamples:
        yield (
            f"95 % intervals are percentiles of {resamples:,} exact bootstrap resamples of whole patients, separate "
            "for each side. p is two-sided, adjusted over all cells by Benjamini and Hochberg."
        )
        yield from _smallest_p_notes(every, resamples)
    shared = sorted({each.subgroup.by.lower() for each in every if each.shared})
    if shared:
        yield (
            f"Some patients have films on both sides ({', '.join(shared)}): then all patients are resampled together."
        )
    yield (
        f"{FINDINGS_PER_FILM} are counted from the labels, without Normal and Support Devices; a film with an unknown "
        "label may have more."
    )
    yield (
        "AP, F1, precision and ECE depend on prevalence: where it differs, so do they, even for the same model. AUROC "
        "does not, though some films may still be harder than others."
    )
    if report.natural:
        yield "Films are weighted to natural prevalence; n counts films."
    yield from left_out_notes(report)


def _value(figures: ModelEstimates, model: int) -> ValuePayload:
    value, low, high = (or_none(each[model]) for each in (figures.value, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _ends(name: str, figures: ModelEstimates, model: int) -> Cells:
    value = _value(figures, model)
    return {f"{name}value": value["value"], f"{name}ci_low": value["low"], f"{name}ci_high": value["high"]}


SUBGROUPS_PANEL = Panel("subgroups", "Subgroups", _content, _table)
