"""The tables of CXR-LT 2023 and 2026: the figures of the room as printed tables, a column for each team."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from explorer.published import ECE_AS_PRINTED, ECE_CAVEAT, TABLES, PublishedFigure, PublishedTask, published
from explorer.published.printed_table import OwnColumn, PrintedCell, PrintedTable, in_order

MEAN_ROW = "Mean"
# CXR-LT 2026, Table 1 and section 3.5; CXR-LT 2023, sections 2.1 and 2.1.2.
_TASK_FILMS = {"task1": "1,400 films of PadChest-GR", "task2": "305 films of PadChest-GR and 79 of NIH ChestX-ray"}
_HELDOUT_FILMS = {"task1": "300 cases of the training data", "task2": "200 cases of the development set"}
_2023_FILMS = {"test": "20 % of 377,110 MIMIC-CXR films, labeled by a text program", "gold": "406 labeled reports"}
_TASKS: tuple[tuple[PublishedTask, str, str], ...] = (
    ("task1", "Task 1, 30 seen findings", "1"),
    ("task2", "Task 2, 6 unseen findings", "2"),
)


def challenge_tables() -> Iterator[PrintedTable]:
    """Yield the tables of 2026, then those of 2023."""
    for task, words, number in _TASKS:
        for name, images, title in (
            ("main", "original", "main results"),
            ("perturbed", "perturbed", "perturbed films"),
        ):
            shown = [each for each in published("main") if (each.task, each.images) == (task, images)]
            source = "Extended Data Table 1" if name == "main" else "Extended Data Table 2"
            own: OwnColumn | None = "means" if name == "main" else None
            yield _table(f"2026-{name}-{number}", f"{words}: {title}", source, _TASK_FILMS[task], shown, _metric, own)
    for task, words, number in _TASKS:
        shown = [each for each in published("heldout") if each.task == task]
        name, title = f"2026-held-out-{number}", f"{words}: held-out subset"
        yield _table(name, title, TABLES["heldout"].source, _HELDOUT_FILMS[task], shown, _metric_of_images)
    for task, words, number in _TASKS:
        name, title, source = f"2026-findings-{number}", f"{words}: AP by finding", TABLES[task].source
        yield _table(name, title, source, _TASK_FILMS[task], published(task), _finding, "AP")
    groups = "Task 1: mAP by frequency group"
    films, source = _TASK_FILMS["task1"], TABLES["groups"].source
    yield _table("2026-groups", groups, source, films, published("groups"), _group, "group means")
    centers = "Task 2: results by center"
    films, source = _TASK_FILMS["task2"], TABLES["centers"].source
    yield _table("2026-centers", centers, source, films, published("centers"), _metric_at_center)
    yield from _tables_of_2023()


def _tables_of_2023() -> Iterator[PrintedTable]:
    sources = {
        ("AP", "test"): "Table 2",
        ("AP", "gold"): "Table 3",
        ("AUROC", "test"): "Supplementary Table 1",
        ("AUROC", "gold"): "Supplementary Table 2",
    }
    for (metric, images), source in sources.items():
        shown = [each for each in published("2023") if (each.metric, each.images) == (metric, images)]
        name = f"2023-{metric.lower()}{'' if images == 'test' else '-gold'}"
        title = f"{metric} by finding, {'test set' if images == 'test' else 'gold standard'}"
        own: OwnColumn = "AP" if metric == "AP" else "AUROC"
        yield _table(name, title, source, _2023_FILMS[images], shown, _finding, own, paper="CXR-LT 2023")


def _table(
    name: str,
    title: str,
    source: str,
    films: str,
    figures: Iterable[PublishedFigure],
    row_of: Callable[[PublishedFigure], str],
    own: OwnColumn | None = None,
    paper: str = "CXR-LT 2026",
) -> PrintedTable:
    """Return figures as a table with a column for each team; a row is what `row_of` says of a figure."""
    shown = list(figures)
    tasks = {each.task for each in shown}
    prefix = "team " if paper == "CXR-LT 2026" else ""
    return PrintedTable(
        name=name,
        title=title,
        paper=paper,
        source=source,
        films=films,
        corner="finding" if row_of is _finding else "group" if row_of is _group else "metric",
        unit="share",
        rows=in_order([row_of(each) for each in shown]),
        columns=in_order([prefix + each.team for each in shown]),
        cells={(row_of(each), prefix + each.team): PrintedCell(each.value, each.low, each.high) for each in shown},
        own=own,
        task="unseen" if tasks == {"task2"} else "seen",
        notes=(ECE_CAVEAT,) if any(each.metric == ECE_AS_PRINTED for each in shown) else (),
    )


def _metric(figure: PublishedFigure) -> str:
    return figure.metric


def _metric_of_images(figure: PublishedFigure) -> str:
    return figure.metric if figure.images == "original" else f"{figure.metric}, perturbed"


def _metric_at_center(figure: PublishedFigure) -> str:
    return f"{figure.metric} at {figure.center}"


def _finding(figure: PublishedFigure) -> str:
    return figure.finding or MEAN_ROW


def _group(figure: PublishedFigure) -> str:
    return str(figure.group)
