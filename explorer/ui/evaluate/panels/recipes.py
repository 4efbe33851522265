"""Recipes: gains of each training method on the tail, variation between seeds, and costs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from explorer.analysis.comparisons.recipes import (
    RecipeFigure,
    RecipeModels,
    baseline_index,
    called_on_normal,
    recipe_figures,
    recipes_of,
)
from explorer.analysis.leaderboard.joint_metrics import LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.report import MEAN_NAMES, BoardReport, board_title, left_out_notes
from explorer.core.arrays import or_none
from explorer.core.csv_table import Cells
from explorer.core.figures import Estimate, figure_text, fixed, mean_text, signed
from explorer.core.result_table import ResultTable
from explorer.core.text_grid import TextGrid
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice
from explorer.ui.evaluate.panels.panel import Panel, PanelContent, PanelRequest
from explorer.ui.evaluate.panels.starts_chart import starts_chart
from explorer.ui.evaluate.published_rows import published_payload
from explorer.ui.routes import PLOTLY
from explorer.ui.shared.chart_look import Plotly
from explorer.ui.shared.panel_words import ValuePayload
from models.cards.start_probes import start_figures, starting_networks

if TYPE_CHECKING:
    from explorer.cohorts.manifest import Training
    from explorer.store.store import Store

STARTS_COHORT = "nih-oof"  # the cohort of the probes in models/cards/start_probes.py
_TEAM = re.compile(r"2026 Task 1 ([A-Z])\b")


class RecipeFigurePayload(ValuePayload):
    """`spread` holds the extremes of single seeds, null with one seed; `ahead` is null for the baseline."""

    spread: tuple[float, float] | None
    ahead: ValuePayload | None


class RecipePayload(TypedDict):
    """A recipe, or a model from outside the lab, which has no `changes` and no costs.

    `system` says whether the recipe is a team's whole system. `printed` are the team's figures.
    """

    name: str
    models: list[str]
    changes: str
    team: str
    system: bool
    seeds: int
    baseline: bool
    figures: list[RecipeFigurePayload]
    called: ValuePayload | None
    minutes: float | None
    parameters: int | None
    milliseconds: float | None
    printed: list[ValuePayload | None] | None


class PartNamePayload(TypedDict):
    """A column for a group of findings."""

    name: str
    center: None


class StartsPayload(TypedDict):
    """How well pretraining on simulated films transfers to the cohort: the chart, and its figures in words."""

    plotly: str
    figure: Plotly
    said: list[str]


class RecipesPayload(TypedDict):
    """The panel's data, best recipe first; `normal` films are labeled Normal; `source` cites the teams' figures.

    `starts` is set for one cohort only.
    """

    mean: str
    metric: str
    larger_is_better: bool
    trained: bool
    baseline: str
    parts: list[PartNamePayload]
    recipes: list[RecipePayload]
    normal: int
    source: str
    starts: StartsPayload | None


@dataclass(frozen=True, slots=True)
class _Compared:
    """The recipes with figures by indices of recipe and part, and their calls on normal films."""

    report: BoardReport
    measure: BoardMeasure
    recipes: tuple[RecipeModels, ...]
    baseline: int
    figures: Mapping[tuple[int, int], RecipeFigure]
    called: tuple[Estimate | None, ...]

    @property
    def order(self) -> list[int]:
        """Recipe indices, best over all findings first, undefined last."""
        sign = 1 if self.measure in LOWER_IS_BETTER else -1
        values = [self.figures[place, 0].value for place in range(len(self.recipes))]
        return sorted(range(len(values)), key=lambda place: (values[place] != values[place], sign * values[place]))


def _compared(request: PanelRequest) -> _Compared:
    report, subject, store = request.report(), request.subject, request.services.store
    recipes = recipes_of(store, subject.chosen.cohort, report.board.models)
    baseline = baseline_index(recipes, report.reference)
    figures = recipe_figures(report.board, recipes, baseline, subject.measure)
    return _Compared(report, subject.measure, recipes, baseline, figures, _called(request, recipes))


def _called(request: PanelRequest, recipes: tuple[RecipeModels, ...]) -> tuple[Estimate | None, ...]:
    chosen, models = request.subject.chosen, request.subject.models
    versions = tuple(request.services.store.version(chosen.cohort, model) for model in models)
    return _counted(request.services.store, chosen, models, recipes, versions)


@cached_per_owner(8)  # the page polls until intervals are ready
def _counted(
    store: Store, chosen: Slice, models: tuple[str, ...], recipes: tuple[RecipeModels, ...], _versions: tuple[str, ...]
) -> tuple[Estimate | None, ...]:
    return called_on_normal(joint_scores(store, chosen, models), recipes)


def _content(request: PanelRequest) -> PanelContent:
    found = _compared(request)
    board = found.report.board
    printed = published_payload(board, found.measure, request.subject.chosen.source)
    teams = {each["team"]: each["figures"] for task in printed for each in task["teams"] if task["kind"] == "seen"}
    payload: RecipesPayload = {
        "mean": MEAN_NAMES[found.measure],
        "metric": found.measure.lower(),
        "larger_is_better": found.measure not in LOWER_IS_BETTER,
        "trained": any(each.training for each in found.recipes),
        "baseline": found.recipes[found.baseline].name,
        "parts": [{"name": board.parts[part].name, "center": None} for part in _shown(found.report)],
        "recipes": [_recipe(found, place, teams) for place in found.order],
        "normal": max((each.n or 0 for each in found.called if each), default=0),
        "source": printed[0]["source"] if printed else "",
        "starts": _starts() if request.subject.chosen.cohort == STARTS_COHORT else None,
    }
    return PanelContent(board_title(found.report), tuple(_notes(found)), dict(payload), computing=not board.resamples)


def _recipe(found: _Compared, place: int, teams: dict[str, list[ValuePayload | None]]) -> RecipePayload:
    recipe, called = found.recipes[place], found.called[place]
    training = recipe.training
    team = printed_team(training, [each.training for each in found.recipes])
    return {
        "name": recipe.name,
        "models": [found.report.board.models[model] for model in recipe.models],
        "changes": training.changes if training else "",
        "team": training.team if training else "",
        "system": bool(training and training.system),
        "seeds": len(recipe.models),
        "baseline": place == found.baseline,
        "figures": [_figure(found, place, part) for part in _shown(found.report)],
        "called": None if called is None else {"value": called.value, "low": called.low, "high": called.high},
        "minutes": recipe.core_minutes,
        "parameters": training.parameters if training else None,
        "milliseconds": recipe.milliseconds,
        "printed": _of_shown(found.report, teams.get(f"team {team}")) if team else None,
    }


def printed_team(training: Training | None, every: Sequence[Training | None]) -> str | None:
    """Return the letter of the team whose printed figures belong beside a recipe; None if there are none.

    A recipe with one part of a team's system has them only where the whole system is not among the recipes `every`.
    """
    team = _team(training)
    whole = any(each and each.system and _team(each) == team for each in every)
    return None if training is None or (whole and not training.system) else team


def _team(training: Training | None) -> str | None:
    """Return the letter of the first team of 2026 Task 1 that used a recipe."""
    found = _TEAM.search(training.team) if training else None
    return found[1] if found else None


def _starts() -> StartsPayload:
    figures, known = start_figures(), starting_networks()
    shown = [known[each.start] for each in figures]
    sentences = [
        f"{start.name}, {start.films:,} simulated films, {start.learned}{', and masks' if start.masks else ''}: "
        f"{figure_text(each.value, each.low, each.high)}"
        for each, start in zip(figures, shown, strict=True)
    ]
    return {"plotly": PLOTLY, "figure": starts_chart(figures, shown), "said": sentences}


def _shown(report: BoardReport) -> list[int]:
    """Return the indices of the parts shown on the page; files include all."""
    return [place for place, part in enumerate(report.board.parts) if part.kind in ("seen", "group", "unseen")]


def _of_shown(report: BoardReport, figures: list[ValuePayload | None] | None) -> list[ValuePayload | None] | None:
    return None if figures is None else [figures[place] for place in _shown(report)]


def _figure(found: _Compared, place: int, part: int) -> RecipeFigurePayload:
    each = found.figures[place, part]
    ahead: ValuePayload = {
        "value": or_none(each.ahead),
        "low": or_none(each.ahead_low),
        "high": or_none(each.ahead_high),
    }
    alone = len(found.recipes[place].models) < 2 or each.value != each.value
    return {
        "value": or_none(each.value),
        "low": or_none(each.low),
        "high": or_none(each.high),
        "spread": None if alone else (each.least, each.most),
        "ahead": None if place == found.baseline else ahead,
    }


def _notes(found: _Compared) -> Iterator[str]:
    if found.report.simulated:
        yield "SIMULATED films."
    yield (
        "A recipe with several seeds is averaged over them; their range shows the effect of chance in training alone. "
        "Differences from the baseline's models of the same seeds are paired on the same resamples of patients, with "
        "95 % intervals."
    )
    yield (
        "Called on a normal film: how many findings exceed the model's own thresholds on films labeled Normal, a cost "
        "that mean AP does not show. Core minutes refer to one processor core, without the training that a recipe "
        "builds on; recipes without training cost none."
    )
    yield from left_out_notes(found.report)


def _table(request: PanelRequest) -> ResultTable:
    found = _compared(request)
    board = found.report.board
    rows = [row for place in found.order for row in _rows(found, place)]
    parts = [part.name if part.center is None else f"at {part.center}" for part in board.parts]
    header = ("recipe", "seeds", *parts, "called on a normal film", "core minutes")
    brackets = f"in brackets the difference from {found.recipes[found.baseline].name}"
    cells = tuple(_cells(found, place) for place in found.order)
    grid = TextGrid(f"{MEAN_NAMES[found.measure]} by recipe; {brackets}", header, cells)
    return ResultTable(board_title(found.report), tuple(_notes(found)), (grid,), tuple(rows))


def _rows(found: _Compared, place: int) -> Iterator[Cells]:
    recipe, called = found.recipes[place], found.called[place]
    for part, about in enumerate(found.report.board.parts):
        each = found.figures[place, part]
        yield {
            "recipe": recipe.name,
            "seeds": len(recipe.models),
            "findings": about.name,
            "center": about.center,
            "metric": MEAN_NAMES[found.measure],
            "value": or_none(each.value),
            "ci_low": or_none(each.low),
            "ci_high": or_none(each.high),
            "seeds_least": or_none(each.least),
            "seeds_most": or_none(each.most),
            "baseline": found.recipes[found.baseline].name,
            "difference": or_none(each.ahead),
            "difference_low": or_none(each.ahead_low),
            "difference_high": or_none(each.ahead_high),
            "called_on_normal": called.value if called else None,
            "called_on_normal_low": called.low if called else None,
            "called_on_normal_high": called.high if called else None,
            "normal_films": called.n if called else None,
            "core_minutes": recipe.core_minutes,
            "parameters": recipe.training.parameters if recipe.training else None,
            "milliseconds": recipe.milliseconds,
        }


def _cells(found: _Compared, place: int) -> tuple[str, ...]:
    recipe, called = found.recipes[place], found.called[place]
    figures: Sequence[RecipeFigure] = [found.figures[place, part] for part in range(len(found.report.board.parts))]
    price = "no such films" if called is None else mean_text(called.value, called.low, called.high, digits=2)
    minutes = "" if recipe.core_minutes is None else fixed(recipe.core_minutes, 1)
    return (recipe.name, str(len(recipe.models)), *map(_words, figures), price, minutes)


def _words(figure: RecipeFigure) -> str:
    ahead = "" if figure.ahead != figure.ahead else f" ({signed(figure.ahead)})"
    return figure_text(figure.value, figure.low, figure.high) + ahead


RECIPES_PANEL = Panel("recipes", "Recipes", _content, _table)
