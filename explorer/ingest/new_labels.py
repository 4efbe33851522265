"""Replaces the labels of your cohort; its films and its models' scores stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from explorer.cohorts.film_reports import write_reports
from explorer.cohorts.images import FILM_ENDINGS
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.cohorts.version import version_of
from explorer.core.word_lists import quantity
from explorer.ingest.building import cohort_being_built, link_files
from explorer.ingest.cohort_files import LabelCounts, write_labels
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.make_cohort import IngestReport
from explorer.ingest.names_notes import UNUSED_WORDS_FILE, names_notes, write_unused
from explorer.ingest.rejects import Reject
from explorer.ingest.totals import totals_of
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import some
from explorer.tabular.problems import WrongInput


def replace_labels(read: Callable[[], ImportSource], name: str) -> IngestReport:
    """Replace the labels of your cohort `name` with those of a source; everything else stays, including boxes.

    Thresholds chosen with the old labels are no longer used. Raises NoCohort if there is no such cohort, WrongInput if
    the source lacks one of its films, or names a different file for it.
    """
    old = Folder(own_cohorts() / name)
    if not old.manifest.is_file():
        raise NoCohort(f"You have no cohort {name!r}", "Leave --replace-labels out to make one.")
    refuse_study_cohort(old, "labels")
    with cohort_being_built(name, replace=True) as folder:
        source = read()
        films = read_table(old.cases, ["case", "center", "view", "file"]).to_pydict()
        names, matched = _names(source, films["case"])
        entries = _entries(source, names, films["case"], name)
        _refuse_other_files(entries, films["file"], name)
        link_files(old, folder)
        cases = {row: case for case, row in names.items()}
        more = [replace(each, case=cases[each.case]) for each in source.more_marks if each.case in cases]
        folder.reports.unlink(missing_ok=True)  # the labels made from them are replaced, too
        if source.reports:
            own = [replace(each, case=cases[each.case]) for each in source.reports if each.case in cases]
            write_reports(folder, own)
        label_counts = write_labels(folder, entries, source.findings, source.label_source, more)
        write_unused(folder.path / UNUSED_WORDS_FILE, source)
        _write_manifest(folder, source, label_counts)
    strangers = len(source.entries) - len(entries)
    without = [f"rows of images that are not in the cohort, not used: {strangers:,}"] if strangers else []
    if source.rejects:
        without.append(f"rows of other images that could not be read: {len(source.rejects):,}")
    return IngestReport(
        manifest=read_manifest(old.manifest),
        folder=old,
        label_counts=label_counts,
        centers=dict(Counter(films["center"]).most_common()),
        views=dict(Counter(films["view"]).most_common()),
        boxes=0,
        rejected={},
        notes=(
            *source.notes,
            *names_notes(source),
            *matched,
            *without,
            f"labels replaced; scores kept of {quantity(len(old.models()), 'model')}",
        ),
        totals=totals_of(old),
    )


def _names(source: ImportSource, cases: Sequence[str]) -> tuple[Mapping[str, str], list[str]]:
    """Return case -> its name in the source, for cases found there, and a note on how names were matched."""
    rows = dict.fromkeys(entry.case for entry in source.entries)
    found = image_names(cases, rows, "the new labels")
    return ({case: case for case in cases if case in rows}, []) if found is None else (found.pairs, [found.note])


def _entries(source: ImportSource, names: Mapping[str, str], cases: Sequence[str], name: str) -> list[Entry]:
    """Return the row of every film of the cohort. Raises WrongInput if a film has none."""
    rows = {entry.case: entry for entry in source.entries}
    missing = [case for case in cases if case not in names]
    if missing:
        why = next((f" {each.image!r}: {_why(each)}." for each in source.rejects if each.image in missing), "")
        raise WrongInput(
            f"{source.title} has no usable row for {len(missing):,} of the {quantity(len(cases), 'film')} of {name}: "
            f"{some(missing)}.{why} Add these rows, or --replace the cohort, which deletes its scores."
        )
    return [replace(rows[names[case]], case=case) for case in cases]


def _why(reject: Reject) -> str:
    return f"{reject.reason}, {reject.detail}" if reject.detail else str(reject.reason)


def _refuse_other_files(entries: Sequence[Entry], files: Sequence[str | None], name: str) -> None:
    """Raise WrongInput if a row names a file other than its film's, because scores belong to the file."""
    others = [
        f"{entry.case} is {file}, not {entry.file}"
        for entry, file in zip(entries, files, strict=True)
        if file and entry.file and _bare(entry.file) not in (_bare(file), _bare(entry.case))
    ]
    if others:
        raise WrongInput(
            f"The films of {name} differ from those of the labels: {some(others)}. Correct the file names in "
            "the table, or --replace the cohort, which deletes its scores."
        )


def _bare(file: str) -> str:
    """Return a file name without folders and without a film's ending."""
    path = PurePosixPath(file)
    return path.stem if path.suffix.lower() in FILM_ENDINGS else path.name


def _write_manifest(folder: Folder, source: ImportSource, label_counts: LabelCounts) -> None:
    manifest = replace(
        read_manifest(folder.manifest),
        version=version_of(folder.cases, folder.labels),
        labelled=any(label_counts.labels.values()),
        blank=source.blank,
        default_source=source.default_source,
        relations=source.relations,
        files=listed_cohort(folder),
    )
    write_manifest(folder.manifest, manifest)
