"""The leaderboard as the script gets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from explorer.analysis.leaderboard.columns import COLUMNS, BoardColumn, ComparedFigure, FigureUnit
from explorer.analysis.leaderboard.groups import Kind, Part
from explorer.analysis.leaderboard.joint_metrics import MEASURES, SMALL_IS_GOOD, Measure
from explorer.analysis.leaderboard.joint_scores import classifiers
from explorer.analysis.leaderboard.means import Winner
from explorer.analysis.leaderboard.report import MEANS, BoardReport, notes, title
from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import shown_name
from explorer.core.arrays import or_none
from explorer.core.group_sources import GROUP_SOURCES
from explorer.metrics.joint_means import JointMeans
from explorer.metrics.ranks import RankShares
from explorer.store.filter_kinds import as_word
from explorer.store.where_words import choices
from explorer.ui.evaluate.filter_choices import (
    ChoicePayload,
    FilterChoicePayload,
    MoreFilterPayload,
    film_filters,
    more_filters,
    picked_sentences,
)
from explorer.ui.evaluate.leaderboard_chart import board_charts
from explorer.ui.evaluate.published_rows import PublishedPayload, published_payload
from explorer.ui.evaluate.subject import Subject, words_of
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.facets import offered_cohorts
from explorer.ui.shared.links import cohort_id, model_id, slice_words
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload, bounds_payload

if TYPE_CHECKING:
    from explorer.store.store import Store


class ModelChoicePayload(ChoicePayload):
    """A model that has scored the cohort; `findings` it scores; `chosen`: it is compared; `comparable`: it scores what
    the reference does."""

    title: str
    unit: Unit
    findings: int
    chosen: bool
    comparable: bool


class ChoicesPayload(TypedDict):
    """What can be chosen, and what is: `words` of the address. Filters of one value are left out.

    `filters` are those of films, `more` all others of Explore; `picked` says what they mean here; `explore` are the
    words of Explore's address for these films.
    """

    words: dict[str, str]
    cohorts: list[ChoicePayload]
    cohort: str
    models: list[ModelChoicePayload]
    sources: list[ChoicePayload]
    source: str
    filters: list[FilterChoicePayload]
    more: list[MoreFilterPayload]
    picked: list[str]
    explore: dict[str, str]
    metrics: list[ChoicePayload]
    metric: str


class PartPayload(TypedDict):
    """A column: a group of findings; `films` with a known label, `fewest` positives of a finding; `counted` findings
    are in the means of the metric; `incomplete` resamples lack one of them.
    """

    word: str
    kind: Kind
    name: str
    center: str | None
    findings: int
    counted: int
    films: int
    fewest: int
    incomplete: int


class ColumnPayload(TypedDict):
    """A column that compares models; `falls`: its largest figure is the best, and stands first when it sorts."""

    key: str
    unit: FigureUnit
    title: str
    note: str
    falls: bool


class RowPayload(TypedDict):
    """A model, by part: its mean; its figure in each column that compares, by key (null of the model that others are
    compared with); how often it has each place.
    """

    word: str
    name: str
    title: str
    origin: str
    reference: bool
    figures: list[ValuePayload]
    compared: dict[str, list[ComparedFigure | None]]
    places: list[list[float] | None]


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
    larger_is_better: bool
    mean: str
    few: int
    resamples: int
    computing: bool
    parts: list[PartPayload]
    columns: list[ColumnPayload]
    rows: list[RowPayload]
    winners: list[Winner]
    published: list[PublishedPayload]
    plotly: str
    figures: list[Plotly]


def choices_payload(store: Store, subject: Subject) -> ChoicesPayload:
    """What can be chosen of the cohort, and the other cohorts that a model has scored."""
    chosen, asked = subject.chosen, subject.in_explore
    known = choices(store, chosen.cohort, chosen.model)
    comparable = {*classifiers(store, chosen.cohort, subject.models[subject.reference])}
    return {
        "words": words_of(subject),
        "cohorts": [
            {"word": cohort_id(each.name), "name": shown_name(each.name)}
            for each in offered_cohorts(store, chosen.cohort)
        ],
        "cohort": cohort_id(chosen.cohort),
        "models": [
            {
                "word": model_id(chosen.cohort, each.model),
                "name": each.model,
                "title": each.title,
                "unit": each.unit,
                "findings": len(each.findings),
                "chosen": each.model in subject.models,
                "comparable": each.model in comparable,
            }
            for each in sorted(store.models(chosen.cohort), key=lambda each: each.model)
        ],
        "sources": [{"word": as_word(source), "name": said.choice} for source, said in GROUP_SOURCES.items()],
        "source": as_word(chosen.source),
        "filters": film_filters(asked, known),
        "more": more_filters(store, asked, known),
        "picked": picked_sentences(asked),
        "explore": slice_words(asked),
        "metrics": [{"word": measure.lower(), "name": measure} for measure in MEASURES],
        "metric": subject.measure.lower(),
    }


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
        "larger_is_better": measure not in SMALL_IS_GOOD,
        "mean": MEANS[measure],
        "few": FEW_POSITIVES,
        "resamples": board.resamples,
        "computing": not board.resamples,
        "parts": [_part(part, board.means[place, measure]) for place, part in enumerate(board.parts)],
        "columns": [_column(each, measure, board.models[report.reference]) for each in reversed(COLUMNS)],
        "rows": _rows(store, subject, report),
        "winners": list(board.winners),
        "published": published_payload(board, measure, subject.chosen.source),
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
        "fewest": part.fewest_of(means.counted),
        "incomplete": means.incomplete if len(means.samples) else 0,
    }


def _column(column: BoardColumn, measure: Measure, reference: str) -> ColumnPayload:
    return {
        "key": column.key,
        "unit": column.unit,
        "title": column.title.format_map({"reference": reference}),
        "note": column.note,
        "falls": column.falls(measure),
    }


def _rows(store: Store, subject: Subject, report: BoardReport) -> list[RowPayload]:
    board, cohort, places = report.board, subject.chosen.cohort, range(len(report.board.parts))
    titles = {each.model: each.title for each in store.models(cohort)}
    means = [board.means[place, subject.measure] for place in places]
    compared = {each.key: [each.figures(report, place, subject.measure) for place in places] for each in COLUMNS}
    orders = [board.order(place, subject.measure) for place in places]
    return [
        {
            "word": model_id(cohort, name),
            "name": name,
            "title": titles[name],
            "origin": report.origins[model],
            "reference": model == report.reference,
            "figures": [_figure(each, model) for each in means],
            "compared": {key: [figures[model] for figures in by_part] for key, by_part in compared.items()},
            "places": [_places(each, model) for each in orders],
        }
        for model, name in enumerate(board.models)
    ]


def _figure(means: JointMeans, model: int) -> ValuePayload:
    return {"value": or_none(means.point[model]), **bounds_payload(means.interval(model))}


def _places(order: RankShares, model: int) -> list[float] | None:
    """None of a model that is not compared, and of all while resamples are still to come."""
    shares = order.of_rank[model]
    return None if np.isnan(shares).any() else shares.tolist()
