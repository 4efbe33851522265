"""The calls of Explore's panels: table, scatter, comparison, confusions, label issues, where it fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict
from urllib.parse import parse_qsl

from explorer.analysis.cases.marked_sentence import marked_sentence
from explorer.analysis.label_issues.rules import label_issues
from explorer.analysis.performance.compare import SliceComparison, adjust_comparisons
from explorer.analysis.performance.confusions import confusions, missed_findings
from explorer.analysis.performance.performance_table import build_performance_table, table_slice
from explorer.cohorts.schema import Unit
from explorer.core.group_sources import GROUP_SOURCES
from explorer.store.slices import Slice
from explorer.ui.explore.cell_payload import IntervalsPayload, TablePayload, progress_payload, table_payload
from explorer.ui.explore.compare_payload import ComparedPayload, PairPayload, compared_payload, computed_pairs
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
from explorer.ui.explore.scatter_points import PointPayload, point_payload, scatter_points
from explorer.ui.explore.where_it_fails_calls import (
    FailsFilePayload,
    FailsPanelPayload,
    LookingPanelPayload,
    where_it_fails_csv,
    where_it_fails_panel,
)
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.links import PINNED_WORDS, resolve_slice
from explorer.ui.shared.panel_words import FEW_POSITIVES
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import clamped, state_in
from explorer.ui.shared.services import Services
from models.refusal import Refusal

NUMBERS_HIDDEN: RefusedPayload = {
    "stage": "refused",
    "title": "The numbers are hidden with the labels",
    "detail": "Turn Hide labels off to see them.",
}
WIDTH_LIMITS, HEIGHT_LIMITS = (240, 2400), (240, 1600)  # size limits of a figure in px


class CountedPayload(TypedDict):
    """The sentence about a slice, and its counts."""

    sentence: str
    pairs: int
    films: int


class TablePanelPayload(CountedPayload, TablePayload, IntervalsPayload):
    """The findings by centers, with the intervals so far; rates of fewer than `few` positives are grayed."""

    stage: Literal["table"]
    source: str
    thresholds: str
    unit: Unit
    few: int
    taxonomies: list[TaxonomyPayload]
    relations: list[str]


class IntervalsPanelPayload(IntervalsPayload):
    """The intervals computed since the page's last answer."""

    stage: Literal["intervals"]


class ScatterPanelPayload(CountedPayload):
    """The figure, for the script at `plotly`; its points as numbers; and findings without a point, with the reason.

    `known` counts the intervals known so far.
    """

    stage: Literal["scatter"]
    plotly: str
    figure: Plotly
    points: list[PointPayload]
    undrawn: list[str]
    computing: bool
    known: int
    few: int


class UnchangedPayload(TypedDict):
    """Nothing was computed since the page's last answer."""

    stage: Literal["unchanged"]
    computing: Literal[True]


class NothingPinnedPayload(CountedPayload):
    """No slice is pinned."""

    stage: Literal["nothing pinned"]


class ComparePanelPayload(TypedDict):
    """The slice compared with each pinned one.

    `sentences` describe the slices, `over` the populations compared, `against` holds one comparison for each pinned
    slice.
    """

    stage: Literal["compared"]
    sentences: list[str]
    over: list[str]
    against: list[ComparedPayload]


class ComparedIntervalsPayload(TypedDict):
    """What was computed since the page's last answer, for each pinned slice."""

    stage: Literal["compared intervals"]
    against: list[list[PairPayload]]


class NoFindingPayload(CountedPayload, CandidatesPayload):
    """The slice has no finding; these can be chosen."""

    stage: Literal["no finding"]


class ConfusionsPanelPayload(CountedPayload, ConfusionsPayload):
    """What was flagged where the finding was missed."""

    stage: Literal["confusions"]


class IssuesPanelPayload(CountedPayload):
    """Label issues by rule."""

    stage: Literal["label issues"]
    rules: list[RulePayload]


def calls(services: Services) -> list[Callable[[object], object]]:
    """The script's calls. Each takes {state, ...} and returns a payload with a stage, or a refusal."""
    panels = Panels(services)
    tables = (panels.cell_table, panels.cell_intervals, panels.prevalence, panels.two_slices, panels.compared_intervals)
    more = (panels.confused_with, panels.label_issues, panels.where_it_fails, panels.where_it_fails_file)
    files = (panels.crosswalk, panels.crosswalk_file)
    return [_call(services, each) for each in (*tables, *more, *files)]


@dataclass(frozen=True, slots=True)
class Panels:
    """Answers the panels' calls from the cohorts and the background's results so far."""

    services: Services

    def cell_table(self, chosen: Slice, _: Mapping[str, Any]) -> TablePanelPayload:
        """The findings by centers, over the slice's population without its finding and center."""
        store = self.services.store
        model = store.model(chosen.cohort, chosen.model)
        return {
            "stage": "table",
            **self._counted(table_slice(chosen)),
            **table_payload(build_performance_table(store, chosen)),
            **progress_payload(chosen.cohort, self.services.intervals.cells(chosen, request=False)),
            "source": GROUP_SOURCES[chosen.source].panel,
            "thresholds": model.thresholds,
            "unit": model.unit,
            "few": FEW_POSITIVES,
            "taxonomies": taxonomies_payload(),
            "relations": relations_words(store, chosen),
        }

    def cell_intervals(self, chosen: Slice, sent: Mapping[str, Any]) -> IntervalsPanelPayload:
        """The intervals of average precision of findings that are not in `known`; requests their computation."""
        progress = self.services.intervals.cells(chosen)
        return {"stage": "intervals", **progress_payload(chosen.cohort, progress, _words(sent.get("known")))}

    def prevalence(self, chosen: Slice, sent: Mapping[str, Any]) -> ScatterPanelPayload | UnchangedPayload:
        """The scatter of prevalence against average precision, at the slice's center if it has one.

        Unchanged if no more than `known` intervals are known.
        """
        known = self.services.intervals.cells(chosen)
        if len(known.done) == sent.get("known") and not known.complete:
            return {"stage": "unchanged", "computing": True}
        points, undrawn = scatter_points(build_performance_table(self.services.store, chosen), known, chosen.center)
        counted = self._counted(table_slice(chosen, center=chosen.center))
        size = (clamped(sent.get("width"), WIDTH_LIMITS), clamped(sent.get("height"), HEIGHT_LIMITS))
        figure = prevalence_scatter(points, counted["sentence"], *size, chosen=chosen.finding)
        return {
            "stage": "scatter",
            **counted,
            "plotly": PLOTLY,
            "figure": figure,
            "points": [point_payload(point) for point in points],
            "undrawn": undrawn,
            "computing": not known.complete,
            "known": len(known.done),
            "few": FEW_POSITIVES,
        }

    def two_slices(self, chosen: Slice, sent: Mapping[str, Any]) -> ComparePanelPayload | NothingPinnedPayload:
        """The slice compared with those pinned in the state under PINNED."""
        store, pinned = self.services.store, self._pinned(sent)
        if not pinned:
            return {"stage": "nothing pinned", **self._counted(chosen)}
        every = (chosen, *pinned)
        return {
            "stage": "compared",
            "sentences": [marked_sentence(store, each) for each in every],
            "over": [marked_sentence(store, each.population()) for each in every],
            "against": [compared_payload(each) for each in self._compared(chosen, pinned, request=False)],
        }

    def compared_intervals(self, chosen: Slice, sent: Mapping[str, Any]) -> ComparedIntervalsPayload:
        """The computed measures of findings that are not in `known`, for each pinned slice; requests the others."""
        compared = self._compared(chosen, self._pinned(sent))
        return {"stage": "compared intervals", "against": computed_pairs(compared, _words(sent.get("known")))}

    def _pinned(self, sent: Mapping[str, Any]) -> list[Slice]:
        state = state_in(sent)
        words = [word for name in PINNED_WORDS if isinstance(word := state.get(name), str) and word]
        return [resolve_slice(self.services.store, dict(parse_qsl(word))) for word in words]

    def _compared(self, chosen: Slice, pinned: Sequence[Slice], *, request: bool = True) -> list[SliceComparison]:
        intervals = self.services.intervals
        return adjust_comparisons([intervals.compared(chosen, each, request=request) for each in pinned])

    def confused_with(self, chosen: Slice, _: Mapping[str, Any]) -> ConfusionsPanelPayload | NoFindingPayload:
        """What the model flagged where it missed the slice's finding; without a finding, those to choose from."""
        store, counted = self.services.store, self._counted(table_slice(chosen, center=chosen.center))
        if chosen.finding is None:
            return {"stage": "no finding", **counted, **candidates_payload(missed_findings(store, chosen))}
        return {"stage": "confusions", **counted, **confusions_payload(confusions(store, chosen, chosen.finding))}

    def label_issues(self, chosen: Slice, _: Mapping[str, Any]) -> IssuesPanelPayload:
        """Labels that a rule doubts, with their films."""
        rules = rules_payload(self.services, chosen.cohort, label_issues(self.services.store, chosen))
        return {"stage": "label issues", **self._counted(chosen.population()), "rules": rules}

    def where_it_fails(self, chosen: Slice, sent: Mapping[str, Any]) -> FailsPanelPayload | LookingPanelPayload:
        """Slices on which the model fails more often than on the other films."""
        return where_it_fails_panel(self.services, chosen, sent)

    def where_it_fails_file(self, chosen: Slice, sent: Mapping[str, Any]) -> FailsFilePayload:
        """The same slices as CSV."""
        return where_it_fails_csv(self.services, chosen, sent)

    def crosswalk(self, chosen: Slice, sent: Mapping[str, Any]) -> CrosswalkPayload:
        """The state's taxonomy mapped to the model's findings."""
        return crosswalk_payload(self.services.store, chosen, state_in(sent).get("taxonomy"))

    def crosswalk_file(self, chosen: Slice, sent: Mapping[str, Any]) -> CrosswalkFilePayload:
        """The same crosswalk as CSV."""
        return crosswalk_file(self.services.store, chosen, state_in(sent).get("taxonomy"))

    def _counted(self, counted: Slice) -> CountedPayload:
        count = self.services.store.count(counted)
        return {"sentence": marked_sentence(self.services.store, counted), "pairs": count.pairs, "films": count.films}


def _words(sent: object) -> frozenset[str]:
    return frozenset(each for each in sent if isinstance(each, str)) if isinstance(sent, list) else frozenset()


def _call(services: Services, panel: Callable[[Slice, Mapping[str, Any]], object]) -> Callable[[object], object]:
    """Wrap a panel, under its name, to parse the state and return refusals; refuse while labels are hidden."""

    def call(sent: object) -> object:
        state = state_in(sent)
        if state.get("hide"):
            return NUMBERS_HIDDEN
        try:
            return panel(resolve_slice(services.store, state), sent if isinstance(sent, dict) else {})
        except Refusal as refusal:
            return refusal_payload(refusal)

    call.__name__ = panel.__name__
    return call
