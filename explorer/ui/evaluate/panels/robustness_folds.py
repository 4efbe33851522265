"""The tables below the robustness charts, as text: every level, kinds, flips of outcome, and the published teams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict, get_args

from explorer.analysis.robustness.level_metrics import CHANGED
from explorer.analysis.robustness.report import Robustness
from explorer.analysis.robustness.table import flips_grids, kinds_grid, part_grid
from explorer.core.figures import difference_text, share_text
from explorer.core.text_grid import TextGrid
from explorer.published import PublishedTask
from explorer.published.perturbed_teams import PERTURBED_SOURCE, perturbed_teams
from explorer.ui.evaluate.panels.robustness_chart import PRINTED

_TASKS: dict[PublishedTask, str] = {"task1": "Task 1, seen findings", "task2": "Task 2, unseen findings"}


class TextTablePayload(TypedDict):
    """A table in a fold: the fold's title, headings, and rows of text whose first cell is the row's name."""

    word: str
    title: str
    heads: list[str]
    rows: list[list[str]]


def text_tables(found: Robustness, part: int) -> Iterator[TextTablePayload]:
    """Yield the tables, the first of one part of the findings."""
    yield text_table("levels", "Every level, as a table: ", part_grid(found, part, found.parts[part]))
    for place, grid in enumerate(flips_grids(found)):
        yield text_table(f"flips-{place}", "", grid)
    yield text_table("kinds", "", kinds_grid(found))
    yield text_table("paper", "", paper_grid())


def paper_grid() -> TextGrid:
    """Return the published teams on original and on perturbed films."""
    by_metric = {measure: list(perturbed_teams(PRINTED[measure])) for measure in CHANGED if measure in PRINTED}
    rows = []
    for task in get_args(PublishedTask):
        teams = [each.team for each in by_metric["AP"] if each.task == task]
        for team in teams:
            cells = [each for some in by_metric.values() for each in some if (each.task, each.team) == (task, team)]
            figures = (
                f"{share_text(each.original, 3)} to {share_text(each.perturbed, 3)} ({difference_text(each.change)})"
                for each in cells
            )
            rows.append((f"{_TASKS[task]}: team {team}", *figures))
    header = ("team", *(PRINTED[measure] for measure in by_metric))
    return TextGrid(f"Another test set: {PERTURBED_SOURCE}", header, tuple(rows))


def text_table(word: str, start: str, grid: TextGrid) -> TextTablePayload:
    """Return a table in a fold, whose title begins with `start`."""
    title = f"{start}{grid.title}"
    return {
        "word": word,
        "title": title[0].upper() + title[1:],
        "heads": list(grid.header),
        "rows": [list(row) for row in grid.rows],
    }
