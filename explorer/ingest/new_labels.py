"""Corrected labels for an own cohort: its films stay, and with them the scores of its models."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable

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
from explorer.ingest.totals import totals_of
from explorer.tabular.notes import some
from explorer.tabular.problems import WrongInput


def replace_labels(read: Callable[[], ImportSource], name: str) -> IngestReport:
    """Replace the labels of the own cohort `name` by those of a table; all else of it stays as it is.

    Thresholds that were chosen by the old labels are not used any more. Raises NoCohort where there is no such cohort,
    WrongInput where the table lacks one of its films.
    """
    old = Folder(own_cohorts() / name)
    if not old.manifest.is_file():
        raise NoCohort(f"There is no cohort {name!r} of yours", "Leave --replace-labels out to make one.")
    with building(name, replace=True) as folder:
        source = read()
        films = read_table(old.cases, ["case", "center", "view"]).to_pydict()
        entries = _entries(source, films["case"], name)
        copy_of(old, folder)
        kept = set(films["case"])
        more = [each for each in source.more_marks if each.case in kept]
        said = write_labels(folder, entries, source.findings, source.label_source, more)
        _write_manifest(folder, source, said)
    strangers = len(source.entries) - len(entries)
    without = [f"rows of images that the cohort does not have, not used: {strangers:,}"] if strangers else []
    return IngestReport(
        manifest=read_manifest(old.manifest),
        folder=old,
        said=said,
        centers=dict(Counter(films["center"]).most_common()),
        views=dict(Counter(films["view"]).most_common()),
        boxes=0,
        rejected={},
        notes=(*source.notes, *without, f"labels replaced; scores kept of {quantity(len(old.models()), 'model')}"),
        totals=totals_of(old),
    )


def _entries(source: ImportSource, cases: list[str], name: str) -> list[Entry]:
    """The row of every film of the cohort. Raises WrongInput where one has none."""
    rows = {entry.case: entry for entry in source.entries}
    missing = [case for case in cases if case not in rows]
    if missing:
        raise WrongInput(
            f"The table has no usable row for {len(missing):,} of the {quantity(len(cases), 'film')} of {name}: "
            f"{some(missing)}. Add these rows, or --replace the cohort, whose scores then go."
        )
    return [rows[case] for case in cases]


def _write_manifest(folder: Folder, source: ImportSource, said: LabelCounts) -> None:
    manifest = dataclasses.replace(
        read_manifest(folder.manifest),
        version=version_of(folder.cases, folder.labels),
        labelled=any(said.labels.values()),
        blank=source.blank,
        default_source=source.default_source,
        relations=source.relations,
        files=listed_cohort(folder),
    )
    write_manifest(folder.manifest, manifest)
