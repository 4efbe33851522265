"""Writes an ImportSource as a cohort on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.film_reports import write_reports
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import COMING, Manifest, write_manifest
from explorer.cohorts.version import version_of
from explorer.core.progress import OnProgress
from explorer.core.word_lists import comma_list
from explorer.ingest.building import JOURNAL, cohort_being_built
from explorer.ingest.checking import check_films
from explorer.ingest.cohort_files import LabelCounts, write_boxes, write_cases, write_labels
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.found_below import MAX_NAMED, found_below
from explorer.ingest.journal import Journal
from explorer.ingest.names_notes import UNUSED_WORDS_FILE, names_notes, write_unused
from explorer.ingest.rejects import Reject, RejectReason, counts_by_reason, write_rejects
from explorer.ingest.totals import Totals, totals_of
from explorer.tabular.problems import FailedChecks


def _no_progress(done: int, of: int) -> None:
    """Ignore progress."""


def _write_nothing_more(folder: Folder) -> None:
    """Write no further files."""


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The result of an import."""

    manifest: Manifest
    folder: Folder
    label_counts: LabelCounts
    centers: dict[str, int]  # -> films
    views: dict[str, int]
    boxes: int
    rejected: dict[str, int]  # reason -> rows or files
    notes: tuple[str, ...]
    totals: Totals


def make_cohort(
    read: Callable[[], ImportSource],
    name: str,
    root: Path | None = None,
    *,
    replace: bool = False,
    progress: OnProgress = _no_progress,
    also: Callable[[Folder], object] = _write_nothing_more,
) -> IngestReport:
    """Write your cohort `name` from what `read` returns; its films are below `root`; if None, films are not looked for.

    `progress` gets the number of films inspected; `also` can write more files before the cohort is in place. An
    interrupted run resumes: films are not inspected twice. Raises NoCohort and WrongInput for a name that cannot be
    used, FailedChecks if nothing is left for a cohort.
    """
    if name == PHANTOM:  # the name also denotes the folder of simulated films
        raise NoCohort(f"The name {PHANTOM} is reserved for simulated films", "Choose another one with --out.")
    with cohort_being_built(name, replace=replace) as folder:
        source = read()
        entries, rejects = source.entries, source.rejects
        if root is not None:
            entries, more = check_films(entries, root, Journal(folder.path / JOURNAL), progress)
            rejects = [*rejects, *more]
            remember_root(folder, name, root)
        if not entries:
            raise FailedChecks(_nothing_left(rejects, root))
        report = write_cohort(folder, source, entries, rejects, name)
        also(folder)
    return report


def write_cohort(
    folder: Folder, source: ImportSource, entries: list[Entry], rejects: list[Reject], name: str
) -> IngestReport:
    """Write the files of a cohort into its folder, the manifest last; does not check that films exist."""
    kept = {entry.case for entry in entries}
    boxes = [box for box in source.boxes if box.case in kept]
    write_cases(folder, entries, name)
    more = [each for each in source.more_marks if each.case in kept]
    label_counts = write_labels(folder, entries, source.findings, source.label_source, more)
    if boxes:
        write_boxes(folder, boxes, source.box_source)
    if reports := [each for each in source.reports if each.case in kept]:
        write_reports(folder, reports)
    write_rejects(folder.rejects, rejects)
    write_unused(folder.path / UNUSED_WORDS_FILE, source)
    rejected = counts_by_reason(rejects)
    manifest = Manifest(
        name=name,
        title=source.title,
        source=source.name,
        version=version_of(folder.cases, folder.labels),
        cases=len(entries),
        labelled=any(label_counts.labels.values()),
        blank=source.blank,
        roots=(name,),
        default_source=source.default_source,
        simulated=source.simulated,
        counts={"taken": len(entries)} | rejected | ({COMING: source.coming} if source.coming else {}),
        files=listed_cohort(folder),
        relations=source.relations,
    )
    write_manifest(folder.manifest, manifest)
    return IngestReport(
        manifest=manifest,
        folder=Folder(own_cohorts() / name),
        label_counts=label_counts,
        centers=_most_first(entry.center for entry in entries),
        views=_most_first(entry.view for entry in entries),
        boxes=len(boxes),
        rejected=rejected,
        notes=(*source.notes, *names_notes(source)),
        totals=totals_of(folder),
    )


def _most_first(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(words).most_common())


def _nothing_left(rejects: list[Reject], root: Path | None) -> str:
    counts = counts_by_reason(rejects)
    reasons = "; ".join(f"{reason} {count:,}" for reason, count in counts.items())
    usual = max(counts, key=lambda reason: counts[reason], default=None)
    first = next((each for each in rejects if each.reason == usual), None)
    example = ""
    if first:
        detail = f" {first.detail}." if first.detail not in ("", first.image) else ""
        example = f" The first: {first.image!r}, {first.reason}.{detail}"
    return (
        f"No image is left to make a cohort from. Rejected: {reasons or 'nothing, there was no row'}.{example}"
        f"{_what_is_there(rejects, root)}"
    )


def _what_is_there(rejects: list[Reject], root: Path | None) -> str:
    """Return a sentence on what the folder contains, if its films have other names or are packed."""
    absent = {each.reason for each in rejects} <= {RejectReason.MISSING, RejectReason.UNREADABLE}
    film, archives = found_below(root) if root is not None and absent else (None, [])
    if film is not None and RejectReason.MISSING in {each.reason for each in rejects}:
        return f" {root} holds films such as {film!r}: use these names in the table, with their subfolders if needed."
    return (
        f" {root} holds archives: {comma_list(archives[:MAX_NAMED])}. Unpack these there."
        if archives and not film
        else ""
    )
