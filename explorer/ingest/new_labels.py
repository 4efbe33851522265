"""Corrected labels for an own cohort: its films stay, and with them the scores of its models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from explorer.cohorts.images import ENDINGS
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.version import version_of
from explorer.core.word_lists import quantity
from explorer.ingest.building import building, copy_of
from explorer.ingest.cohort_files import LabelCounts, write_labels
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.make_cohort import IngestReport
from explorer.ingest.names_notes import UNUSED, names_notes, write_unused
from explorer.ingest.rejects import Reject
from explorer.ingest.totals import totals_of
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import some
from explorer.tabular.problems import WrongInput


def replace_labels(read: Callable[[], ImportSource], name: str) -> IngestReport:
    """Replace the labels of the own cohort `name` by those of a source; all else of it stays as it is, boxes too.

    Thresholds that were chosen by the old labels are not used any more. Raises NoCohort where there is no such cohort,
    WrongInput where the source lacks one of its films, or names another file for it.
    """
    old = Folder(own_cohorts() / name)
    if not old.manifest.is_file():
        raise NoCohort(f"There is no cohort {name!r} of yours", "Leave --replace-labels out to make one.")
    with building(name, replace=True) as folder:
        source = read()
        films = read_table(old.cases, ["case", "center", "view", "file"]).to_pydict()
        names, matched = _names(source, films["case"])
        entries = _entries(source, names, films["case"], name)
        _refuse_other_files(entries, films["file"], name)
        copy_of(old, folder)
        cases = {row: case for case, row in names.items()}
        more = [replace(each, case=cases[each.case]) for each in source.more_marks if each.case in cases]
        said = write_labels(folder, entries, source.findings, source.label_source, more)
        write_unused(folder.path / UNUSED, source)
        _write_manifest(folder, source, said)
    strangers = len(source.entries) - len(entries)
    without = [f"rows of images that the cohort does not have, not used: {strangers:,}"] if strangers else []
    if source.rejects:
        without.append(f"rows of other images that could not be read: {len(source.rejects):,}")
    return IngestReport(
        manifest=read_manifest(old.manifest),
        folder=old,
        said=said,
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
    """What each case is called in the source, as far as it is there, and how that was found."""
    rows = dict.fromkeys(entry.case for entry in source.entries)
    found = image_names(cases, rows, "the new labels")
    return ({case: case for case in cases if case in rows}, []) if found is None else (found.pairs, [found.said])


def _entries(source: ImportSource, names: Mapping[str, str], cases: Sequence[str], name: str) -> list[Entry]:
    """The row of every film of the cohort. Raises WrongInput where one has none."""
    rows = {entry.case: entry for entry in source.entries}
    missing = [case for case in cases if case not in names]
    if missing:
        why = next((f" {each.image!r}: {_why(each)}." for each in source.rejects if each.image in missing), "")
        raise WrongInput(
            f"{source.title} has no usable row for {len(missing):,} of the {quantity(len(cases), 'film')} of {name}: "
            f"{some(missing)}.{why} Add these rows, or --replace the cohort, whose scores then go."
        )
    return [replace(rows[names[case]], case=case) for case in cases]


def _why(reject: Reject) -> str:
    return f"{reject.reason}, {reject.detail}" if reject.detail else str(reject.reason)


def _refuse_other_files(entries: Sequence[Entry], files: Sequence[str | None], name: str) -> None:
    """Raises WrongInput where a row names another file than that of its film, which the scores are of."""
    others = [
        f"{entry.case} is {file}, not {entry.file}"
        for entry, file in zip(entries, files, strict=True)
        if file and entry.file and _bare(entry.file) not in (_bare(file), _bare(entry.case))
    ]
    if others:
        raise WrongInput(
            f"The films of {name} differ from those that the labels are of: {some(others)}. Correct the files that the "
            "table names, or --replace the cohort, whose scores then go."
        )


def _bare(file: str) -> str:
    """The name of a file, without folders and the ending of a film."""
    path = PurePosixPath(file)
    return path.stem if path.suffix.lower() in ENDINGS else path.name


def _write_manifest(folder: Folder, source: ImportSource, said: LabelCounts) -> None:
    manifest = replace(
        read_manifest(folder.manifest),
        version=version_of(folder.cases, folder.labels),
        labelled=any(said.labels.values()),
        blank=source.blank,
        default_source=source.default_source,
        relations=source.relations,
        files=listed_cohort(folder),
    )
    write_manifest(folder.manifest, manifest)
