"""The leaderboard as the script gets it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from explorer.analysis.board_parts import Kind, Part
from explorer.analysis.board_report import MEANS, BoardReport, notes, title
from explorer.analysis.joint_metrics import MEASURES, SMALL_IS_GOOD
from explorer.cohorts.schema import Unit
from explorer.core.arrays import or_none
from explorer.core.findings import FrequencyGroup
from explorer.core.group_sources import GROUP_SOURCES
from explorer.metrics.joint_means import JointMeans
from explorer.metrics.paired_rows import PairedRows
from explorer.metrics.ranks import RankShares
from explorer.store.filter_kinds import Choice, as_word
from explorer.store.filters import FILM_FILTERS, FILTERS
from explorer.store.marked import every_marked
from explorer.store.marked_filter import MARKED
from explorer.ui.chart_look import Plotly
from explorer.ui.evaluate.board_chart import board_charts
from explorer.ui.evaluate.published_rows import PublishedPayload, published_payload
from explorer.ui.evaluate.subject import Subject, words_of
from explorer.ui.explore.links import cohort_id, model_id
from explorer.ui.explore.panel_words import FEW, ValuePayload, bounds
from explorer.ui.routes import PLOTLY

if TYPE_CHECKING:
    from explorer.cohorts.case_marks import CaseMarks
    from explorer.store.results import Facets
    from explorer.store.slices import Slice
    from explorer.store.store import Store


class ChoicePayload(TypedDict):
    """Something to choose: the address's word for it, its name."""

    word: str
    name: str


class ModelChoicePayload(ChoicePayload):
    """A model that has scored the cohort; `findings` it scores; `chosen`: it is compared."""

    title: str
    unit: Unit
    findings: int
    chosen: bool


class FilterChoicePayload(TypedDict):
    """A filter of films with its values; `chosen` is empty for all films."""

    key: str
    title: str
    values: list[ChoicePayload]
    chosen: str


class ChoicesPayload(TypedDict):
    """What can be chosen, and what is: `words` of the address. Filters of one value are left out."""

    words: dict[str, str]
    cohorts: list[ChoicePayload]
    cohort: str
    models: list[ModelChoicePayload]
    sources: list[ChoicePayload]
    source: str
    filters: list[FilterChoicePayload]
    metrics: list[ChoicePayload]
    metric: str


class PartPayload(TypedDict):
    """A column: a group of findings; `films` with a known label, `fewest` positives of a finding; `counted` findings
    are in the means of the metric.
    """

    word: str
    kind: Kind
    name: str
    center: str | None
    findings: int
    counted: int
    films: int
    fewest: int


class DifferencePayload(ValuePayload):
    """A model minus the reference; `p` is adjusted over the rows; null while it is still to come, or undefined."""

    p: float | None


class RowPayload(TypedDict):
    """A model, by part: its mean, its difference to the reference (null of the reference itself), how often it is the
    first over the resamples, and how often it has each place.
    """

    word: str
    name: str
    title: str
    origin: str
    reference: bool
    figures: list[ValuePayload]
    differences: list[DifferencePayload | None]
    first: list[float | None]
    places: list[list[float] | None]


class WinnerPayload(TypedDict):
    """The best models of a finding by AP, ties broken by AUROC; none where it is undefined."""

    finding: str
    group: FrequencyGroup | None
    films: int
    positives: int
    models: list[str]
    value: float | None
    share: float | None


class BoardPayload(ChoicesPayload):
    """The leaderboard by one metric; `computing`: intervals are still to come. `few` positives tell little.

    `figures` are of each part, for the script that `plotly` names.
    """

    stage: Literal["board"]
    title: str
    notes: list[str]
    complaints: list[str]
    simulated: bool
    weighted: bool
    natural: bool
    upward: bool
    mean: str
    few: int
    resamples: int
    computing: bool
    parts: list[PartPayload]
    rows: list[RowPayload]
    winners: list[WinnerPayload]
    published: list[PublishedPayload]
    plotly: str
    figures: list[Plotly]


def choices_payload(store: Store, subject: Subject) -> ChoicesPayload:
    """What can be chosen of the cohort, and the other cohorts that a model has scored."""
    chosen = subject.chosen
    facets = store.facets(chosen.cohort, subject.models[0])
    scored = [each for each in store.cohorts() if store.models(each.name)]
    return {
        "words": words_of(subject),
        "cohorts": [{"word": cohort_id(each.name), "name": each.name} for each in scored],
        "cohort": cohort_id(chosen.cohort),
        "models": [
            {
                "word": model_id(chosen.cohort, each.model),
                "name": each.model,
                "title": each.title,
                "unit": each.unit,
                "findings": len(each.findings),
                "chosen": each.model in subject.models,
            }
            for each in sorted(store.models(chosen.cohort), key=lambda each: each.model)
        ],
        "sources": [{"word": as_word(source), "name": said.choice} for source, said in GROUP_SOURCES.items()],
        "source": as_word(chosen.source),
        "filters": _filters(chosen, facets, store.marks(chosen.cohort)),
        "metrics": [{"word": measure.lower(), "name": measure} for measure in MEASURES],
        "metric": subject.measure.lower(),
    }


def _filters(chosen: Slice, facets: Facets, marks: CaseMarks) -> list[FilterChoicePayload]:
    """Those of films, whose labels count, and marks that a film has."""
    offered: list[tuple[Choice, Sequence[Any]]] = [(each, list(facets.of_films[each.column])) for each in FILM_FILTERS]
    offered += [
        (each, list(facets.label_sources)) for each in FILTERS if isinstance(each, Choice) and each.key == "labels"
    ]
    offered.append((MARKED, [each for each in every_marked(marks) if each.cases or each == chosen.marked]))
    return [
        {
            "key": each.key,
            "title": each.title,
            "values": [{"word": _word(each, chosen, value), "name": each.word.title(value)} for value in values],
            "chosen": _word(each, chosen, getattr(chosen, each.word.field)),
        }
        for each, values in offered
        if len(values) > 1 or (values and each is MARKED)
    ]


def _word(each: Choice, chosen: Slice, value: object) -> str:
    """What an address has for a value; empty for none."""
    return "" if value is None else each.word.write(chosen.cohort, value) or ""


def board_payload(store: Store, subject: Subject, report: BoardReport) -> BoardPayload:
    """The board by the subject's metric."""
    board, measure = report.board, subject.measure
    return {
        **choices_payload(store, subject),
        "stage": "board",
        "title": title(report),
        "notes": list(notes(report)),
        "complaints": list(subject.complaints),
        "simulated": report.simulated,
        "weighted": board.weighted,
        "natural": report.natural,
        "upward": measure not in SMALL_IS_GOOD,
        "mean": MEANS[measure],
        "few": FEW,
        "resamples": board.resamples,
        "computing": not board.resamples,
        "parts": [_part(part, board.means[place, measure]) for place, part in enumerate(board.parts)],
        "rows": _rows(store, subject, report),
        "winners": [
            {
                "finding": each.finding,
                "group": each.group,
                "films": each.films,
                "positives": each.positives,
                "models": [board.models[place] for place in each.models],
                "value": each.value,
                "share": each.share,
            }
            for each in board.winners
        ],
        "published": published_payload(board.parts, measure, subject.chosen.source),
        "plotly": PLOTLY,
        "figures": board_charts(report, measure),
    }


def _part(part: Part, means: JointMeans) -> PartPayload:
    return {
        "word": as_word(part.name if part.center is None else f"center {part.center}"),
        "kind": part.kind,
        "name": part.name,
        "center": part.center,
        "findings": len(part.members),
        "counted": len(means.counted),
        "films": part.films,
        "fewest": part.fewest,
    }


def _rows(store: Store, subject: Subject, report: BoardReport) -> list[RowPayload]:
    board, cohort, places = report.board, subject.chosen.cohort, range(len(report.board.parts))
    titles = {each.model: each.title for each in store.models(cohort)}
    means = [board.means[place, subject.measure] for place in places]
    less = [board.against(place, subject.measure, report.reference) for place in places]
    orders = [board.order(place, subject.measure) for place in places]
    return [
        {
            "word": model_id(cohort, name),
            "name": name,
            "title": titles[name],
            "origin": report.origins[model],
            "reference": model == report.reference,
            "figures": [_figure(each, model) for each in means],
            "differences": [None if model == report.reference else _difference(each, model) for each in less],
            "first": [or_none(each.first[model]) for each in orders],
            "places": [_places(each, model) for each in orders],
        }
        for model, name in enumerate(board.models)
    ]


def _figure(means: JointMeans, model: int) -> ValuePayload:
    return {"value": or_none(means.point[model]), **bounds(means.interval(model))}


def _difference(less: PairedRows, model: int) -> DifferencePayload:
    low, high = or_none(less.low[model]), or_none(less.high[model])
    return {"value": or_none(less.value[model]), "low": low, "high": high, "p": or_none(less.adjusted[model])}


def _places(order: RankShares, model: int) -> list[float] | None:
    """None of a model that is not compared, and of all while resamples are still to come."""
    shares = order.of_rank[model]
    return None if np.isnan(shares).any() else shares.tolist()
