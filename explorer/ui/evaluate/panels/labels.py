"""Labels against labels: the same models and films under two sources of labels, and how far the sources agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypedDict

from explorer.analysis.comparisons.label_sources import (
    Ranked,
    UnderSources,
    source_intervals,
    under_sources,
    without_label_source,
)
from explorer.analysis.comparisons.subgroups import Figures
from explorer.analysis.leaderboard.means import FindingFigures
from explorer.analysis.leaderboard.report import MEANS, BoardReport, title
from explorer.cohorts.public_ids import opaque
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import quantity
from explorer.ui.evaluate.filter_choices import ChoicePayload
from explorer.ui.evaluate.panels.figure_words import difference_words, value_words
from explorer.ui.evaluate.panels.in_background import in_background
from explorer.ui.evaluate.panels.labels_chart import labels_chart
from explorer.ui.evaluate.panels.model_colors import colors_of
from explorer.ui.evaluate.panels.panel import Asked, Content, Panel
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import ValuePayload

MEASURES: tuple[Ranked, ...] = ("AP", "AUROC")
WORDS = ("one", "other")  # of the address: the two sources


class AlikePayload(TypedDict):
    """Whose order, and how alike it is under both sources: Kendall's tau-b, Spearman's rho."""

    name: str
    tau: ValuePayload
    rho: ValuePayload


class FindingPayload(TypedDict):
    """A finding: films that every source labels; by source its positives and the models' figures; the agreement."""

    finding: str
    films: int
    positives: list[int]
    figures: list[list[ValuePayload]]
    only: list[int]
    kappa: ValuePayload | None


class LabelsPayload(TypedDict):
    """What the panel draws. `chosen` are the sources compared, one or two of `sources`; `means` by source and model."""

    plotly: str
    figure: Plotly | None  # of two sources
    measure: Ranked
    mean: str
    measures: list[ChoicePayload]
    sources: list[ChoicePayload]
    chosen: list[ChoicePayload]
    cohort: str
    models: list[str]
    films: int
    counted: int
    means: list[list[ValuePayload]]
    alike: list[AlikePayload]
    findings: list[FindingPayload]


def _content(asked: Asked) -> Content:
    sources, complaints = _sources(asked)
    found, measure = _found(asked, sources), _measure(asked)
    cohort = asked.subject.chosen.cohort
    report = _report(asked)
    payload: LabelsPayload = {
        "plotly": PLOTLY,
        "figure": labels_chart(found, MEANS[measure], colors_of(report)) if len(sources) > 1 else None,
        "measure": measure,
        "mean": MEANS[measure],
        "measures": [{"word": each.lower(), "name": each} for each in MEASURES],
        "sources": [_choice(cohort, each) for each in _every(asked)],
        "chosen": [_choice(cohort, each) for each in sources],
        "cohort": cohort,
        "models": list(found.models),
        "films": found.films,
        "counted": len(found.counted),
        "means": [[_value(each, model) for model in range(len(found.models))] for each in found.means],
        "alike": [{"name": name, "tau": _estimate(tau), "rho": _estimate(rho)} for name, tau, rho in _alike(found)],
        "findings": [_finding(found, place) for place in range(len(found.findings))],
    }
    words = {word: opaque(cohort, "labels", source) for word, source in zip(WORDS, sources, strict=False)}
    return Content(
        title(report),
        tuple(_notes(asked, found)),
        dict(payload),
        computing=not found.resamples,
        words=words if len(_every(asked)) > 2 else {},
        complaints=complaints,
    )


def _table(asked: Asked) -> ResultTable:
    sources, _ = _sources(asked)
    found = _found(asked, sources)
    lines = [(each, found.sources[place]) for place, each in enumerate(found.means)]
    rows: list[Cells] = [
        _row(found, source, model, MEANS[found.measure], "", None, _value(figures, model))
        for figures, source in lines
        for model in range(len(found.models))
    ]
    rows += [
        _row(found, source, model, found.measure, finding, place, _cell(figures, model, place))
        for source, figures in zip(found.sources, found.by_finding, strict=True)
        for place, finding in enumerate(found.findings)
        for model in range(len(found.models))
    ]
    for name, tau, rho in _alike(found):
        for metric, value in (("Kendall tau-b", tau), ("Spearman rho", rho)):
            rows.append(_cells("", name, metric, "", None, None, _estimate(value)))
    for each in found.agreement:
        rows.append(_cells("", "", "Cohen kappa", each.finding, each.films, None, _estimate(each.kappa)))
    means = tuple(
        (name, *(value_words(_value(figures, model)) for figures, _ in lines))
        for model, name in enumerate(found.models)
    )
    grids = [TextGrid(f"{MEANS[found.measure]} by source of labels", ("model", *found.sources), means)]
    if found.agreement:
        alike = tuple(
            (name, difference_words(_estimate(tau)), difference_words(_estimate(rho)))
            for name, tau, rho in _alike(found)
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
    return ResultTable(title(_report(asked)), tuple(_notes(asked, found)), tuple(grids), tuple(rows))


def _found(asked: Asked, sources: Sequence[str]) -> UnderSources:
    """With intervals where these are there; they are begun otherwise."""
    subject = asked.subject
    question = (asked.services.store, subject.chosen, subject.models, tuple(sources), _measure(asked))
    points = under_sources(*question)
    return in_background(asked, ("labels", *question[3:]), partial(source_intervals, *question)) or points


def _measure(asked: Asked) -> Ranked:
    """The address's metric where it is one of scores; AP otherwise."""
    return "AUROC" if asked.subject.measure == "AUROC" else "AP"


def _report(asked: Asked) -> BoardReport:
    """Whose labels count is what this panel asks: the filter by source says nothing here."""
    subject = replace(asked.subject, chosen=without_label_source(asked.subject.chosen))
    return Asked(asked.services, subject, asked.state).points()


def _every(asked: Asked) -> list[str]:
    """The sources of labels: the one that counts by itself, then those of most films."""
    store, cohort = asked.services.store, asked.subject.chosen.cohort
    films = store.facets(cohort, asked.subject.models[0]).label_sources
    default = store.default_source(cohort)
    return sorted(films, key=lambda source: (source != default, -films[source], source))


def _sources(asked: Asked) -> tuple[list[str], tuple[str, ...]]:
    """The one or two that are compared; complaints. Raises what the leaderboard raises where nobody labels a film."""
    asked.points()
    every = _every(asked)
    named = {opaque(asked.subject.chosen.cohort, "labels", source): source for source in every}
    sent = [str(asked.state[word]) for word in WORDS if asked.state.get(word)]
    known = list(dict.fromkeys(named[word] for word in sent if word in named))
    complaints = ("The link names a source of labels that is not here. It was ignored.",)
    chosen = [*known, *(source for source in every if source not in known)][:2]
    return chosen, complaints if any(word not in named for word in sent) else ()


def _choice(cohort: str, source: str) -> ChoicePayload:
    return {"word": opaque(cohort, "labels", source), "name": source}


def _alike(found: UnderSources) -> Iterator[tuple[str, Estimate, Estimate]]:
    """Whose order it is, tau and rho: of the models by their means, and of the findings by each model."""
    if found.over_models:
        yield (f"the {quantity(len(found.models), 'model')}, by {MEANS[found.measure]}", *found.over_models)
    for name, estimates in zip(found.models, found.over_findings, strict=False):
        yield (f"findings of {name}, by {found.measure}", *estimates)


def _finding(found: UnderSources, place: int) -> FindingPayload:
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


def _notes(asked: Asked, found: UnderSources) -> Iterator[str]:
    report = _report(asked)
    if report.simulated:
        yield "SIMULATED films."
    if len(found.sources) > 1:
        yield (
            "Only films count of which both sources say present or absent, finding by finding. Means are over the seen "
            f"findings that are defined under both sources for every model: {len(found.counted)}."
        )
        yield (
            "Kendall's tau-b and Spearman's rho: 1 where both sources give the same order, 0 where the orders have "
            "nothing in common. Kappa is Cohen's, of the two sources; undefined where both always say the same word."
        )
    if found.resamples:
        yield (
            f"Intervals are 95 %: percentiles of {found.resamples:,} exact bootstrap resamples of whole patients, the "
            "same for all sources and models."
        )


def _row(
    found: UnderSources, source: str, model: int, metric: str, finding: str, place: int | None, value: ValuePayload
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


def _value(figures: Figures, model: int) -> ValuePayload:
    value, low, high = (or_none(each[model]) for each in (figures.value, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _cell(figures: FindingFigures, model: int, place: int) -> ValuePayload:
    value, low, high = (or_none(each[model, place]) for each in (figures.point, figures.low, figures.high))
    return {"value": value, "low": low, "high": high}


def _estimate(estimate: Estimate) -> ValuePayload:
    return {"value": or_none(estimate.value), "low": or_none(estimate.low), "high": or_none(estimate.high)}


LABELS = Panel("labels", "Labels against labels", _content, _table)
