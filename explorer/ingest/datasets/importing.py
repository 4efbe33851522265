"""Makes a cohort from a download: the steps that all importers share."""

from __future__ import annotations

from pathlib import Path

from explorer.core.progress import OnProgress
from explorer.core.word_lists import comma_list
from explorer.ingest.datasets.catalog import KnownDataset, dataset_named
from explorer.ingest.datasets.find_tables import checked_root
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.found_below import MAX_NAMED, found_below
from explorer.ingest.make_cohort import IngestReport, make_cohort
from explorer.ingest.new_labels import replace_labels
from explorer.ingest.rejects import RejectReason
from explorer.tabular.problems import FailedChecks


def _no_progress(done: int, of: int) -> None:
    """Ignore progress."""


def import_dataset(
    named: str,
    root: Path,
    wanted: ImportOptions,
    cohort: str,
    *,
    replace: bool = False,
    progress: OnProgress = _no_progress,
) -> IngestReport:
    """Make a cohort from the dataset `named` in the catalog, downloaded to `root`.

    Raises WrongInput if the download is not as published, FailedChecks with advice if none of its films is found, and
    what `make_cohort` raises.
    """
    dataset = dataset_named(named)
    checked_root(root, dataset)
    sources: list[ImportSource] = []

    def read_once() -> ImportSource:
        sources.append(dataset.read(root, wanted))
        return sources[0]

    try:
        return make_cohort(read_once, cohort, wanted.films(root), replace=replace, progress=progress)
    except FailedChecks as error:
        nothing_there = bool(sources and sources[0].entries) and RejectReason.MISSING in str(error)
        if wanted.labels_only or not nothing_there:
            raise
        raise FailedChecks(_no_film_advice(dataset, root, sources[0])) from error


def relabel_dataset(named: str, root: Path, wanted: ImportOptions, cohort: str) -> IngestReport:
    """Replace the labels of your cohort with those of a download. Raises as `import_dataset` and `replace_labels`."""
    dataset = dataset_named(named)
    checked_root(root, dataset)
    return replace_labels(lambda: dataset.read(root, wanted), cohort)


def _no_film_advice(dataset: KnownDataset, root: Path, source: ImportSource) -> str:
    films, wanted = len(source.entries), source.entries[0].file
    which, can = ("The only film", "cannot") if films == 1 else (f"None of the {films:,} films", "can")
    problem = f"{which} of {dataset.title} {can} be used: the table names {wanted!r}"
    example, archives = found_below(root)
    without = "With --labels-only the labels are imported without films."
    if example is not None:
        return (
            f"{problem}, and {root} holds films as {example!r}. If these are the films, give them the names and "
            f"folders of the table. {without}"
        )
    if archives:
        return (
            f"{problem}, and {root} holds archives: {comma_list(archives[:MAX_NAMED])}. Unpack these there. {without}"
        )
    return f"{problem}, and there is no film in {root}. Put the films below it, or link their folder there. {without}"
