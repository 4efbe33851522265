"""Labels against labels: the same models and films evaluated with two readings of the labels, and their agreement.

A reading is a source's labels, or those that count with uncertain labels counted as absent or as present.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypedDict

from explorer.analysis.comparisons.label_ranges import LabelRanges
from explorer.analysis.comparisons.label_sources import (
    UNCERTAIN_NAMES,
    LabelReading,
    RankedMeasure,
    SourceComparison,
    compare_sources,
    same_order,
    source_intervals,
    without_label_source,
)
from explorer.analysis.comparisons.subgroups import ModelEstimates
from explorer.analysis.leaderboard.means import FindingFigures
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_title
from explorer.cohorts.public_ids import opaque_id
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.ui.evaluate.filter_choices import OptionPayload
from explorer.ui.evaluate.panels.figure_words import difference_words, value_words
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.labels_chart import labels_chart
from explorer.ui.evaluate.panels.labels_ranges import (
    LabelRangesPayload,
    range_grids,
    range_rows,
    ranges_payload,
    ranges_sentence,
)
from explorer.ui.evaluate.panels.model_colors import model_colors
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import ValuePayload

LABEL_MEASURES: tuple[RankedMeasure, ...] = ("AP", "AUROC")
SOURCE_WORDS = ("one", "other")  # address words of the two sources


class OrderAgreementPayload(TypedDict):
    """Agreement of an order under both sources: Kendall's tau-b and Spearman's rho."""

    name: str
    tau: ValuePayload
    rho: ValuePayload


class LabeledFindingPayload(TypedDict):
    """A finding: films that all sources label, positives and models' figures by source, and agreement."""

    finding: str
    films: int
    positives: list[int]
    figures: list[list[ValuePayload]]
    only: list[int]
    kappa: ValuePayload | None


class LabelsPayload(TypedDict):
    """The panel's data; `chosen` are the one or two compared `sources`; `means` are by source and model.

    `ranges`: what uncertain labels can do, once computed, if both readings are of these.
    """

    plotly: str
    figure: Plotly | None  # only with two sources
    measure: RankedMeasure
    mean: str
    measures: list[OptionPayload]
    sources: list[OptionPayload]
    chosen: list[OptionPayload]
    cohort: str
    models: list[str]
    films: int
    counted: int
    means: list[list[ValuePayload]]
    alike: list[OrderAgreementPayload]
    findings: list[LabeledFindingPayload]
    ranges: LabelRangesPayload | None


def _content(request: PanelRequest) -> PanelContent:
    every, sources, complaints = _sources(request)
    found, measure = _comparison(request, sources), _measure(request)
    cohort = request.subject.chosen.cohort
    report = _report(request)
    payload: LabelsPayload = {
        "plotly": PLOTLY,
        "figure": labels_chart(found, MEAN_NAMES[measure], model_colors(report)) if len(sources) > 1 else None,
        "measure": measure,
        "mean": MEAN_NAMES[measure],
        "measures": [{"word": each.lower(), "name": each} for each in LABEL_MEASURES],
        "sources": [_option(cohort, each) for each in every],
        "chosen": [_option(cohort, each) for each in sources],
        "cohort": cohort,
        "models": list(found.models),
        "films": found.films,
        "counted": len(found.counted),
        "means": [[_value(each, model) for model in range(len(found.models))] for each in found.means],
        "alike": [
            {"name": name, "tau": _estimate(tau), "rho": _estimate(rho)} for name, tau, rho in _order_agreement(found)
        ],
        "findings": [_finding(found, place) for place in range(len(found.findings))],
        "ranges": None if (ranges := _ranges(found, sources)) is None else ranges_payload(ranges),
    }
    words = {word: _word(cohort, source) for word, source in zip(SOURCE_WORDS, sources, strict=False)}
    return PanelContent(
        board_title(report),
        tuple(_notes(request, found, sources)),
        dict(payload),
        computing=not found.resamples,
        words=words if len(every) > 2 else {},
        complaints=complaints,
    )


def _table(request: PanelRequest) -> ResultTable:
    _, sources, _ = _sources(request)
    found = _comparison(request, sources)
    lines = [(each, found.sources[place]) for place, each in enumerate(found.means)]
    rows: list[Cells] = [
        _row(found, source, model, MEAN_NAMES[found.measure], "", None, _value(figures, model))
        for figures, source in lines
        for model in range(len(found.models))
    ]
    rows += [
        _row(found, source, model, found.measure, finding, place, _cell(figures, model, place))
        for source, figures in zip(found.sources, found.by_finding, strict=True)
        for place, finding in enumerate(found.findings)
        for model in range(len(found.models))
    ]
    for name, tau, rho in _order_agreement(found):
        for metric, value in (("Kendall tau-b", tau), ("Spearman rho", rho)):
            rows.append(_cells("", name, metric, "", None, None, _estimate(value)))
    for each in found.agreement:
        rows.append(_cells("", "", "Cohen kappa", each.finding, each.films, None, _estimate(each.kappa)))
    ranges = _ranges(found, sources)
    for name, metric, end in range_rows(ranges) if ranges else ():
        rows.append(_cells("", name, metric, "", found.films, None, {"value": end, "low": None, "high": None}))
    means = tuple(
        (name, *(value_words(_value(figures, model)) for figures, _ in lines))
        for model, name in enumerate(found.models)
    )
    grids = [TextGrid(f"{MEAN_NAMES[found.measure]} by source of labels", ("model", *found.sources), means)]
    if found.agreement:
        alike = tuple(
            (name, difference_words(_estimate(tau)), difference_words(_estimate(rho)))
            for name, tau, rho in _order_agreement(found)
        )
        kappa = tuple(
            (
                each.finding,
                f"{each.films:,}",
                *map(str, (each.both, each.first, each.second)),
                difference_words(_estimate(each.kappa)),
            )
            for each in found.agreement
        )
        grids.append(TextGrid("order under both sources", ("of", "Kendall tau-b", "Spearman rho"), alike))
        header = ("finding", "n", "n+ both", *(f"n+ {source} alone" for source in found.sources), "kappa")
        grids.append(TextGrid("agreement of the sources", header, kappa))
    grids += range_grids(ranges) if ranges else ()
    return ResultTable(board_title(_report(request)), tuple(_notes(request, found, sources)), tuple(grids), tuple(rows))


def _ranges(found: SourceComparison, sources: Sequence[LabelReading]) -> LabelRanges | None:
    """Return what uncertain labels can do, if both readings are of these and it is computed."""
    return found.ranges if {each.uncertain for each in sources} == set(UNCERTAIN_NAMES) else None


def _comparison(request: PanelRequest, sources: Sequence[LabelReading]) -> SourceComparison:
    """Return the comparison, with intervals if they are ready; otherwise start computing them."""
    subject = request.subject
    question = (request.services.store, subject.chosen, subject.models, tuple(sources), _measure(request))
    points = compare_sources(*question)
    return in_background(request, ("labels", *question[3:]), partial(source_intervals, *question)) or points


def _measure(request: PanelRequest) -> RankedMeasure:
    """Return AUROC if the address names it, else AP."""
    return "AUROC" if request.subject.measure == "AUROC" else "AP"


def _report(request: PanelRequest) -> BoardReport:
    """Return the leaderboard without the filter by label source, which this panel varies itself."""
    subject = replace(request.subject, chosen=without_label_source(request.subject.chosen))
    return PanelRequest(request.services, subject, request.state).points()


def _readings(request: PanelRequest) -> list[LabelReading]:
    """Return the label sources, the default one, then by falling number of films; and uncertain labels either way.

    With one source, the latter come first: they are what can be compared. They are of the source that the films' filter
    names, if it names one.
    """
    store, cohort = request.services.store, request.subject.chosen.cohort
    facets, counts = store.facets(cohort, request.subject.models[0]), request.subject.chosen.label_source
    films = facets.label_sources
    default = store.default_source(cohort)
    sources = sorted(films, key=lambda source: (source != default, -films[source], source))
    uncertain = [LabelReading(counts, policy) for policy in UNCERTAIN_NAMES if facets.uncertain.get(counts or "")]
    by_source = list(map(LabelReading, sources))
    return [*by_source, *uncertain] if len(by_source) > 1 else [*uncertain, *by_source]


def _sources(request: PanelRequest) -> tuple[list[LabelReading], list[LabelReading], tuple[str, ...]]:
    """Return all readings, the one or two compared, and complaints. Raises the leaderboard's errors without labels."""
    request.points()
    every = _readings(request)
    named = {_word(request.subject.chosen.cohort, reading): reading for reading in every}
    sent = [str(request.state[word]) for word in SOURCE_WORDS if request.state.get(word)]
    known = list(dict.fromkeys(named[word] for word in sent if word in named))
    complaints = ("The link names a source of labels that is not here. It was ignored.",)
    chosen = [*known, *(source for source in every if source not in known)][:2]
    return every, chosen, complaints if any(word not in named for word in sent) else ()


def _option(cohort: str, reading: LabelReading) -> OptionPayload:
    return {"word": _word(cohort, reading), "name": reading.name}


def _word(cohort: str, reading: LabelReading) -> str:
    if reading.uncertain != "ignore":
        return f"uncertain-{reading.uncertain}"
    return opaque_id(cohort, "labels", reading.source or "")


def _order_agreement(found: SourceComparison) -> Iterator[tuple[str, Estimate, Estimate]]:
    """Yield tau and rho of the models' order by their means, and of the findings' order by each model."""
    if found.over_models:
        yield (f"the {quantity(len(found.models), 'model')}, by {MEAN_NAMES[found.measure]}", *found.over_models)
    for name, estimates in zip(found.models, found.over_findings, strict=False):
        yield (f"findings of {name}, by {found.measure}", *estimates)


def _finding(found: SourceComparison, place: int) -> LabeledFindingPayload:
    pair = found.agreement[place] if found.agreement else None
    return {
        "finding": found.findings[place],
        "films": found.known[place],
        "positives": [int(each) for each in found.positives[:, place]],
        "figures": [
            [_cell(figures, model, place) for model in range(len(found.models))] for figures in found.by_finding
        ],
        "only": [pair.first, pair.second] if pair else [],
        "kappa": _estimate(pair.kappa) if pair else None,
    }


def _notes(request: PanelRequest, found: SourceComparison, sources: Sequence[LabelReading]) -> Iterator[str]:
    report = _report(request)
    if report.simulated:
        yield "SIMULATED films."
    if len(found.sources) > 1:
        yield (
            "For each finding, only films count that both sources label present or absent. Means are over the seen "
            f"findings that are defined with both sources for every model: {len(found.counted)}."
        )
        yield (
            "Kendall's tau-b and Spearman's rho are 1 for the same order with both sources and 0 for unrelated orders. "
            "Cohen's kappa measures agreement of the sources; it is undefined if both always give the same label."
        )
    if {each.uncertain for each in sources} == set(UNCERTAIN_NAMES):
        yield _uncertain_words(found)
    if found.resamples:
        yield (
            f"95 % intervals are percentiles of {found.resamples:,} exact bootstrap resamples of whole patients, the "
            "same for all sources and models."
        )


def _uncertain_words(found: SourceComparison) -> str:
    """Return how many labels are uncertain, and whether the order of the models hangs on them."""
    pairs = sum(each.first + each.second for each in found.agreement)
    order = ""
    if len(found.models) > 1:
        same = same_order(*(each.value for each in found.means))
        order = f" The order of the models by {MEAN_NAMES[found.measure]} is {'the same' if same else 'another'}."
    if found.ranges is not None:
        tried = ranges_sentence(found.ranges)
    else:
        tried = "Mixed cases are not tried." if found.resamples else "Mixed cases follow with the intervals."
    return (
        f"{quantity(pairs, 'label')} of these films and findings {'is' if pairs == 1 else 'are'} uncertain, or sources "
        f"differ. All of them count as absent, or all as present.{order} {tried}"
    )


def _row(
    found: SourceComparison, source: str, model: int, metric: str, finding: str, place: int | None, value: ValuePayload
) -> Cells:
    at = found.sources.index(source)
    films = found.films if place is None else found.known[place]
    positives = None if place is None else int(found.positives[at, place])
    return _cells(source, found.models[model], metric, finding, films, positives, value)


def _cells(
    source: str, of: str, metric: str, finding: str, films: int | None, positives: int | None, value: ValuePayload
) -> Cells:
    return {
        "label_source": source,
        "of": of,
        "metric": metric,
        "finding": finding,
        "films": films,
        "positives": positives,
        "value": value["value"],
        "ci_low": value["low"],
        "ci_high": value["high"],
    }


def _value(figures: ModelEstimates, model: int) -> ValuePayload:
    value, low, high = (or_none(each[model]) for each in (figures.value, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _cell(figures: FindingFigures, model: int, place: int) -> ValuePayload:
    value, low, high = (or_none(each[model, place]) for each in (figures.point, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _estimate(estimate: Estimate) -> ValuePayload:
    return {"value": or_none(estimate.value), "low": or_none(estimate.low), "high": or_none(estimate.high)}


LABELS_PANEL = Panel("labels", "Labels against labels", _content, _table)
