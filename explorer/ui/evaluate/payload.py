"""Converts the leaderboard to JSON for the page's script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from explorer.analysis.leaderboard.columns import BOARD_COLUMNS, BoardColumn, BoardFigure, FigureUnit
from explorer.analysis.leaderboard.groups import BoardPart, PartKind
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.joint_scores import comparable_models
from explorer.analysis.leaderboard.means import Winner
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_notes, board_title
from explorer.cohorts.counted import Counted
from explorer.cohorts.schema import Unit
from explorer.cohorts.unlisted import public_name
from explorer.core.arrays import or_none
from explorer.core.group_sources import GROUP_SOURCES
from explorer.core.metric_plan import IntervalKind
from explorer.metrics.joint_means import JointMeans
from explorer.metrics.ranks import RankShares
from explorer.store.filter_kinds import as_word
from explorer.store.where_words import choices
from explorer.ui.evaluate.filter_choices import (
    FilterChoicePayload,
    MoreFilterPayload,
    OptionPayload,
    UncertainChoicePayload,
    film_filters,
    more_filters,
    picked_sentences,
    uncertain_choice,
)
from explorer.ui.evaluate.leaderboard_chart import board_charts
from explorer.ui.evaluate.study_calls import UnitPayload, out_of_date, unit_payload
from explorer.ui.evaluate.subject import INTERVAL_KINDS, MINIMUM_CHOICES, Subject, subject_words
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.facets import offered_cohorts
from explorer.ui.shared.links import cohort_id, model_id, slice_words
from explorer.ui.shared.panel_words import FEW_POSITIVES, ValuePayload, bounds_payload

if TYPE_CHECKING:
    from explorer.store.store import Store


class ComparedModelPayload(OptionPayload):
    """A model with scores of the cohort, for `findings` findings; `chosen`: it is compared; `comparable`: it scores the
    reference's findings.
    """

    title: str
    unit: Unit
    findings: int
    chosen: bool
    comparable: bool


class ChoicesPayload(TypedDict):
    """Available choices, and the current ones as `words` of the address.

    `filters` are film filters, `more` Explore's other filters, except those with a single value; `picked` holds notes
    on them; `uncertain` says how uncertain labels count, and can; `explore` holds the words of Explore's address for
    these films. Means leave out findings with fewer positives than `minimum`.
    """

    words: dict[str, str]
    cohorts: list[OptionPayload]
    cohort: str
    models: list[ComparedModelPayload]
    sources: list[OptionPayload]
    source: str
    filters: list[FilterChoicePayload]
    uncertain: UncertainChoicePayload
    more: list[MoreFilterPayload]
    picked: list[str]
    explore: dict[str, str]
    metrics: list[OptionPayload]
    metric: str
    minimums: list[OptionPayload]
    minimum: str
    intervals: list[OptionPayload]
    interval: IntervalKind
    unit: UnitPayload


NO_CHOICES: ChoicesPayload = {  # on a machine without a cohort with scores
    "words": {},
    "cohorts": [],
    "cohort": "",
    "models": [],
    "sources": [],
    "source": "",
    "filters": [],
    "uncertain": {"labels": 0, "values": [], "chosen": ""},
    "more": [],
    "picked": [],
    "explore": {},
    "metrics": [],
    "metric": "",
    "minimums": [],
    "minimum": "",
    "intervals": [],
    "interval": "percentile",
    "unit": {"counted": "film", "offered": False},
}


class PartPayload(TypedDict):
    """A column for a group of findings.

    `films` have a known label, and the rarest finding has `fewest` positives. The metric's means include `counted`
    findings; `incomplete` resamples lack one of them.
    """

    word: str
    kind: PartKind
    name: str
    center: str | None
    findings: int
    counted: int
    films: int
    fewest: int
    incomplete: int


class ColumnPayload(TypedDict):
    """A column that compares models; `falls`: it sorts with the largest figure first."""

    key: str
    unit: FigureUnit
    title: str
    note: str
    falls: bool


class BoardRowPayload(TypedDict):
    """A model's means, comparisons by column key (null for the reference) and rank frequencies, each by part.

    `ties` are mean AUROCs by part, which decide between equal means.
    """

    word: str
    name: str
    title: str
    origin: str
    reference: bool
    figures: list[ValuePayload]
    compared: dict[str, list[BoardFigure | None]]
    places: list[list[float] | None]
    ties: list[float | None]


class LeaderboardPayload(ChoicesPayload):
    """The leaderboard by one metric; `computing`: intervals are not ready.

    Figures based on at most `few` positives are unreliable.

    `figures` has a chart per part, for the Plotly script at the address `plotly`.
    """

    stage: Literal["board"]
    counted: Counted
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
    rows: list[BoardRowPayload]
    winners: list[Winner]
    plotly: str
    figures: list[Plotly]


def evaluate_choices(store: Store, subject: Subject) -> ChoicesPayload:
    """Return the choices within the cohort, and the other cohorts with scores."""
    chosen, explored = subject.chosen, subject.in_explore
    known = choices(store, chosen.cohort, chosen.model)
    comparable = {*comparable_models(store, chosen.cohort, subject.models[subject.reference])}
    return {
        "words": subject_words(subject),
        "cohorts": [
            {"word": cohort_id(each.name), "name": public_name(each.name)}
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
        "sources": [{"word": as_word(source), "name": names.choice} for source, names in GROUP_SOURCES.items()],
        "source": as_word(chosen.source),
        "filters": film_filters(explored, known),
        "uncertain": uncertain_choice(explored, known),
        "more": more_filters(store, explored, known),
        "picked": picked_sentences(explored, store.counted(chosen.cohort)),
        "explore": slice_words(explored),
        "metrics": [{"word": measure.lower(), "name": measure} for measure in BOARD_MEASURES],
        "metric": subject.measure.lower(),
        "minimums": [{"word": str(each or ""), "name": f"n+ {each}" if each else "all"} for each in MINIMUM_CHOICES],
        "minimum": str(subject.minimum or ""),
        "intervals": [{"word": each, "name": each} for each in INTERVAL_KINDS],
        "interval": subject.intervals,
        "unit": unit_payload(store, chosen),
    }


def board_payload(store: Store, subject: Subject, report: BoardReport) -> LeaderboardPayload:
    """Return the leaderboard by the subject's metric."""
    board, measure = report.board, subject.measure
    return {
        **evaluate_choices(store, subject),
        "stage": "board",
        "counted": store.counted(subject.chosen.cohort),
        "title": board_title(report),
        "notes": list(board_notes(report)),
        "complaints": [*subject.complaints, *out_of_date(store, subject.chosen.cohort)],
        "simulated": report.simulated,
        "weighted": board.weighted,
        "natural": report.natural,
        "larger_is_better": measure not in LOWER_IS_BETTER,
        "mean": MEAN_NAMES[measure],
        "few": FEW_POSITIVES,
        "resamples": board.resamples,
        "computing": not board.resamples,
        "parts": [_part(part, board.means[place, measure]) for place, part in enumerate(board.parts)],
        "columns": [_column(each, measure, board.models[report.reference]) for each in reversed(BOARD_COLUMNS)],
        "rows": _rows(store, subject, report),
        "winners": list(board.winners),
        "plotly": PLOTLY,
        "figures": board_charts(report, measure),
    }


def _part(part: BoardPart, means: JointMeans) -> PartPayload:
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


def _column(column: BoardColumn, measure: BoardMeasure, reference: str) -> ColumnPayload:
    return {
        "key": column.key,
        "unit": column.unit,
        "title": column.title.format_map({"reference": reference}),
        "note": column.note,
        "falls": column.falls(measure),
    }


def _rows(store: Store, subject: Subject, report: BoardReport) -> list[BoardRowPayload]:
    board, cohort, places = report.board, subject.chosen.cohort, range(len(report.board.parts))
    titles = {each.model: each.title for each in store.models(cohort)}
    means = [board.means[place, subject.measure] for place in places]
    compared = {each.key: [each.figures(report, place, subject.measure) for place in places] for each in BOARD_COLUMNS}
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
            "ties": [or_none(board.means[place, "AUROC"].point[model]) for place in places],
        }
        for model, name in enumerate(board.models)
    ]


def _figure(means: JointMeans, model: int) -> ValuePayload:
    return {"value": or_none(means.point[model]), **bounds_payload(means.interval(model))}


def _places(order: RankShares, model: int) -> list[float] | None:
    """Return a model's rank frequencies; None if it is not compared or resamples are not ready."""
    shares = order.of_rank[model]
    return None if np.isnan(shares).any() else shares.tolist()
