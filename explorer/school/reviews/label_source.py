"""Adds the labels of a review to its cohort as a source of labels, so that every panel can be seen under them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from explorer.cohorts.layout import CACHE, Folder, checked_name, own_cohorts
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.more_labels import add_labels
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.schema import LABEL_ROWS
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.core.arrays import Floats
from explorer.ingest.building import cohort_being_built, link_files
from explorer.school.reviews.review import Review, ReviewRefusal

MAX_SOURCE = 80  # characters
_FILM = ["case", "root", "file"]


def add_label_source(folder: Folder, to: str, rows: pa.Table) -> Folder:
    """Return the cohort with the labels `rows`: the cohort itself, or a copy called `to`, made now or earlier.

    Shipped cohorts are never changed, so they need another name. Labels of the same source are replaced; films, other
    labels and scores stay. Raises ReviewRefusal, WrongInput, NoCohort and NoStudies.
    """
    refuse_study_cohort(folder, "labels")
    same = to in ("", folder.name)
    if not same and (earlier := Folder(own_cohorts() / checked_name(to))).manifest.is_file():
        _refuse_other_films(folder, earlier, rows)
        return add_label_source(earlier, "", rows)
    if same and folder.path.parent == CACHE:
        raise ReviewRefusal(
            f"{folder.name} is a shipped cohort, which cannot be changed",
            f"Give its copy a name: --to {folder.name}-readers.",
        )
    target = folder.name if same else to
    with cohort_being_built(target, replace=same) as made:
        link_files(folder, made)
        if folder.overlay is not None and folder.overlay.is_dir():
            _link_missing(folder.overlay, made.path)
        if not same:
            manifest = read_manifest(made.manifest)
            title = f"{manifest.title}, with readers' labels"
            write_manifest(made.manifest, replace(manifest, name=target, title=title))
        add_labels(made, rows)
    return Folder(own_cohorts() / target)


def label_rows(review: Review, labels: Floats, source: str, films: Sequence[int]) -> pa.Table:
    """Return the known labels (films, findings) of some films as rows of LABEL_ROWS. Raises ReviewRefusal."""
    if not (0 < len(source) <= MAX_SOURCE and source.isprintable() and source == source.strip()):
        raise ReviewRefusal(
            f"{source!r} cannot name a source of labels", f"Use 1 to {MAX_SOURCE} printable characters."
        )
    words = {1.0: "present", 0.0: "absent"}
    rows = [
        {"case": review.films[film].case, "finding": name, "label": words[float(label)], "source": source}
        for place, name in enumerate(review.findings)
        for film in films
        if (label := labels[film, place]) == label
    ]
    return pa.Table.from_pylist(rows, LABEL_ROWS)


def _refuse_other_films(folder: Folder, earlier: Folder, rows: pa.Table) -> None:
    """Raise ReviewRefusal unless a cohort has the same films as another, among those that the rows label."""
    wanted = set(rows["case"].to_pylist())
    one, other = (
        {row["case"]: (row["root"], row["file"]) for row in read_table(each.cases, _FILM).to_pylist()}
        for each in (folder, earlier)
    )
    if any(other.get(case) != one.get(case) for case in wanted):
        raise ReviewRefusal(
            f"{earlier.name} does not have the films of {folder.name}", "Choose another name with --to."
        )


def _link_missing(overlay: Path, made: Path) -> None:
    """Copy this machine's additions to a shipped cohort; a file that the cohort has itself is kept."""
    for path in sorted(overlay.rglob("*")):
        target = made / path.relative_to(overlay)
        if path.is_file() and not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)
