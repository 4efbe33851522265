"""What the panels beside the gallery ask: table, scatter, two slices, confusions, label issues, where it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict
from urllib.parse import parse_qsl

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.analysis.label_issues.rules import label_issues
from explorer.analysis.performance.compare import shown_together
from explorer.analysis.performance.confusions import candidates, confusions
from explorer.analysis.performance.performance_table import over, table
from explorer.cohorts.schema import Unit
from explorer.core.group_sources import GROUP_SOURCES
from explorer.store.slices import Slice
from explorer.ui.explore.cell_payload import IntervalsPayload, TablePayload, progress_payload, table_payload
from explorer.ui.explore.compare_payload import ComparedPayload, compared_payload
from explorer.ui.explore.confusions_payload import (
    CandidatesPayload,
    ConfusionsPayload,
    candidates_payload,
    confusions_payload,
)
from explorer.ui.explore.crosswalk_payload import (
    CrosswalkFilePayload,
    CrosswalkPayload,
    TaxonomyPayload,
    crosswalk_file,
    crosswalk_payload,
    relations_words,
    taxonomies_payload,
)
from explorer.ui.explore.figures import prevalence_scatter
from explorer.ui.explore.label_issues_payload import RulePayload, rules_payload
from explorer.ui.explore.scatter_points import PointPayload, point_payload, points_of
from explorer.ui.explore.where_it_fails_calls import (
    FailsFilePayload,
    FailsPanelPayload,
    LookingPanelPayload,
    where_it_fails_csv,
    where_it_fails_panel,
)
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import PINNED, chosen
from explorer.ui.shared.panel_words import FEW
from explorer.ui.shared.refusals import RefusedPayload, refused
from explorer.ui.shared.request_values import state_in, within
from explorer.ui.shared.services import Services
from models.refusal import Refusal

HIDDEN: RefusedPayload = {
    "stage": "refused",
    "title": "The numbers are hidden with the labels",
    "detail": "Turn Hide labels off to see them.",
}
WIDTHS, HEIGHTS = (240, 2400), (240, 1600)  # px that a figure may have


class CountedPayload(TypedDict):
    """The sentence of a slice with what it counts."""

    sentence: str
    pairs: int
    films: int


class TablePanelPayload(CountedPayload, TablePayload, IntervalsPayload):
    """The findings x centers table with its intervals so far; rates of fewer than `few` positives are grayed."""

    stage: Literal["table"]
    source: str
    thresholds: str
    unit: Unit
    few: int
    taxonomies: list[TaxonomyPayload]
    relations: list[str]


class IntervalsPanelPayload(IntervalsPayload):
    """The intervals that have come since."""

    stage: Literal["intervals"]


class ScatterPanelPayload(CountedPayload):
    """The figure for the script that `plotly` names, its points in numbers, and which findings have none, and why."""

    stage: Literal["scatter"]
    plotly: str
    figure: Plotly
    points: list[PointPayload]
    undrawn: list[str]
    computing: bool
    few: int


class NothingPinnedPayload(CountedPayload):
    """There is only one slice."""

    stage: Literal["nothing pinned"]


class ComparePanelPayload(TypedDict):
    """The slice and those that are pinned, each in words, the populations that they are compared over, and the slice
    `against` each that is pinned. `computing`: some of the intervals are still to come.
    """

    stage: Literal["compared"]
    sentences: list[str]
    over: list[str]
    against: list[ComparedPayload]
    computing: bool


class NoFindingPayload(CountedPayload, CandidatesPayload):
    """The slice has no finding: those to choose from."""

    stage: Literal["no finding"]


class ConfusionsPanelPayload(CountedPayload, ConfusionsPayload):
    """What was called where the finding was missed."""

    stage: Literal["confusions"]


class IssuesPanelPayload(CountedPayload):
    """Label issues by rule."""

    stage: Literal["label issues"]
    rules: list[RulePayload]


def calls(services: Services) -> list[Callable[[object], object]]:
    """What the script may ask. Each takes {state, ...} and answers with a stage; a refusal says why."""
    panels = Panels(services)
    asked = (panels.cell_table, panels.cell_intervals, panels.prevalence, panels.two_slices, panels.confused_with)
    more = (panels.label_issues, panels.where_it_fails, panels.where_it_fails_file)
    files = (panels.crosswalk, panels.crosswalk_file)
    return [_call(services, each) for each in (*asked, *more, *files)]


@dataclass(frozen=True, slots=True)
class Panels:
    """Answers from the cohorts and from what the background has computed by now."""

    services: Services

    def cell_table(self, asked: Slice, _: Mapping[str, Any]) -> TablePanelPayload:
        """The findings x centers table, over the population of the slice without its finding and center."""
        store = self.services.store
        model = store.model(asked.cohort, asked.model)
        return {
            "stage": "table",
            **self._said(over(asked)),
            **table_payload(table(store, asked)),
            **progress_payload(asked.cohort, self.services.intervals.cells(asked)),
            "source": GROUP_SOURCES[asked.source].panel,
            "thresholds": model.thresholds,
            "unit": model.unit,
            "few": FEW,
            "taxonomies": taxonomies_payload(),
            "relations": relations_words(store, asked),
        }

    def cell_intervals(self, asked: Slice, _: Mapping[str, Any]) -> IntervalsPanelPayload:
        """The intervals of average precision that are there; asking keeps the others coming."""
        progress = self.services.intervals.cells(asked)
        return {"stage": "intervals", **progress_payload(asked.cohort, progress)}

    def prevalence(self, asked: Slice, sent: Mapping[str, Any]) -> ScatterPanelPayload:
        """The scatter of prevalence against average precision, at the center of the slice if it has one."""
        known = self.services.intervals.cells(asked)
        points, undrawn = points_of(table(self.services.store, asked), known, asked.center)
        said = self._said(over(asked, center=asked.center))
        size = (within(sent.get("width"), WIDTHS), within(sent.get("height"), HEIGHTS))
        figure = prevalence_scatter(points, said["sentence"], *size, chosen=asked.finding)
        return {
            "stage": "scatter",
            **said,
            "plotly": PLOTLY,
            "figure": figure,
            "points": [point_payload(point) for point in points],
            "undrawn": undrawn,
            "computing": not known.complete,
            "few": FEW,
        }

    def two_slices(self, asked: Slice, sent: Mapping[str, Any]) -> ComparePanelPayload | NothingPinnedPayload:
        """The slice against those that were pinned, which the state carries as PINNED."""
        store, state = self.services.store, state_in(sent)
        words = [word for name in PINNED if isinstance(word := state.get(name), str) and word]
        if not words:
            return {"stage": "nothing pinned", **self._said(asked)}
        pinned = [chosen(store, dict(parse_qsl(word))) for word in words]
        known = shown_together([self.services.intervals.compared(asked, each) for each in pinned])
        every = (asked, *pinned)
        return {
            "stage": "compared",
            "sentences": [marked_sentence(store, each) for each in every],
            "over": [marked_sentence(store, each.population()) for each in every],
            "against": [compared_payload(each) for each in known],
            "computing": not all(each.intervals for each in known),
        }

    def confused_with(self, asked: Slice, _: Mapping[str, Any]) -> ConfusionsPanelPayload | NoFindingPayload:
        """What the model called where it missed the finding of the slice; without one, the findings to choose from."""
        store, said = self.services.store, self._said(over(asked, center=asked.center))
        if asked.finding is None:
            return {"stage": "no finding", **said, **candidates_payload(candidates(store, asked))}
        return {"stage": "confusions", **said, **confusions_payload(confusions(store, asked, asked.finding))}

    def label_issues(self, asked: Slice, _: Mapping[str, Any]) -> IssuesPanelPayload:
        """Labels that a rule speaks against, with their films."""
        rules = rules_payload(self.services, asked.cohort, label_issues(self.services.store, asked))
        return {"stage": "label issues", **self._said(asked.population()), "rules": rules}

    def where_it_fails(self, asked: Slice, sent: Mapping[str, Any]) -> FailsPanelPayload | LookingPanelPayload:
        """Slices on which the model fails more often than on the other films."""
        return where_it_fails_panel(self.services, asked, sent)

    def where_it_fails_file(self, asked: Slice, sent: Mapping[str, Any]) -> FailsFilePayload:
        """The same as CSV."""
        return where_it_fails_csv(self.services, asked, sent)

    def crosswalk(self, asked: Slice, sent: Mapping[str, Any]) -> CrosswalkPayload:
        """The taxonomy of the state beside the findings of the model."""
        return crosswalk_payload(self.services.store, asked, state_in(sent).get("taxonomy"))

    def crosswalk_file(self, asked: Slice, sent: Mapping[str, Any]) -> CrosswalkFilePayload:
        """The same as CSV."""
        return crosswalk_file(self.services.store, asked, state_in(sent).get("taxonomy"))

    def _said(self, counted: Slice) -> CountedPayload:
        count = self.services.store.count(counted)
        return {"sentence": marked_sentence(self.services.store, counted), "pairs": count.pairs, "films": count.films}


def _call(services: Services, panel: Callable[[Slice, Mapping[str, Any]], object]) -> Callable[[object], object]:
    """A function with the panel's name that reads the state and tells a refusal; nothing while labels are hidden."""

    def call(sent: object) -> object:
        state = state_in(sent)
        if state.get("hide"):
            return HIDDEN
        try:
            return panel(chosen(services.store, state), sent if isinstance(sent, dict) else {})
        except Refusal as refusal:
            return refused(refusal)

    call.__name__ = panel.__name__
    return call
