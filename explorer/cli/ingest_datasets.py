"""`ingest chexpert`, `ingest padchest` and the like: downloads of public datasets become cohorts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.ingest import AcceptRejects, BlankMeans, LabelsOnly, Relabel, Replace, check_relabel, say_report
from explorer.ingest.datasets.wanted import Wanted

# The folder is checked by the importer, which says what to do.
Root = Annotated[Path, typer.Option(help="The folder that the download was unpacked into.")]
CohortName = Annotated[str | None, typer.Option(help="Name of the cohort; by default that of the command.")]
NegBio = Annotated[bool, typer.Option("--negbio", help="NegBio's labels in place of those of CheXpert's labeler.")]
OwnWords = Annotated[
    list[str] | None,
    typer.Option("--finding", help="A word of the table that is a finding by itself; repeatable."),
]
CxrLt = Annotated[Path | None, typer.Option(help="Folder of a CXR-LT release's label files, in place of a labeler's.")]

# Of the datasets without further options: what `--help` says.
PLAIN = {
    "cxrlt2026": """Make a cohort from the CXR-LT 2026 challenge: CXRLT_2026_training.csv and the like.

Where PatientID is printed as 3.24E+38, films are grouped by study, and the report says so; with PadChest's own table in
the folder they have their patients.""",
    "vindr": """Make a cohort from VinDr-CXR, as published or as Kaggle's train.csv, with its boxes.

Each reader is a source of labels; what most of a film's readers say counts where none is asked for.""",
    "rsna": """Make a cohort from the RSNA Pneumonia Detection Challenge: stage_2_train_labels.csv, with its boxes.

Target 1 is Lung Opacity; Normal is of stage_2_detailed_class_info.csv.""",
    "siim": """Make a cohort from SIIM-ACR Pneumothorax Segmentation: train-rle.csv, or stage_2_train.csv.

A mask is kept as the box around it; a film without one has no pneumothorax.""",
    "padchest-gr": """Make a cohort from PadChest-GR: grounded_reports_*.json with its boxes, and master_table.csv.

What no sentence of a film names is absent.""",
    "reveal": """Make a cohort from REVEAL-CXR: a table with columns of its twelve labels, and films as DICOM.

A film belongs to the row that has its name, its folder's, or an identifier of its header.""",
}


def add_datasets(ingest: typer.Typer) -> None:
    """Add a command for each public dataset."""
    ingest.command("chexpert")(chexpert)
    ingest.command("padchest")(padchest)
    ingest.command("mimic")(mimic)
    for name, text in PLAIN.items():
        example = f"\n\n\b\nExample: python -m explorer ingest {name} --root /data/{name}"
        ingest.command(name, help=text + example)(_plain(name))


def chexpert(
    root: Root,
    out: CohortName = None,
    blank: BlankMeans = "unknown",
    labels_only: LabelsOnly = False,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
    relabel: Relabel = False,
) -> None:
    """Make a cohort from CheXpert: train.csv and valid.csv.

    -1 is uncertain. A blank is what a report does not mention: unknown, or absent with --blank absent. On a film of No
    Finding the blanks of the pathologies are absent.

    \b
    Example: python -m explorer ingest chexpert --root /data/CheXpert-v1.0-small
    """
    _make("chexpert", root, Wanted(labels_only=labels_only, blank=blank), out, accept_rejects, replace, relabel)


def padchest(
    root: Root,
    out: CohortName = None,
    finding: OwnWords = None,
    labels_only: LabelsOnly = False,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
    relabel: Relabel = False,
) -> None:
    """Make a cohort from PadChest: its one CSV or CSV.GZ, films in folders by ImageDir or all in one.

    What a row does not name is absent. Labels by physicians and those by a model of reports are two sources. Words that
    no taxonomy has are counted and not used, but for those that --finding names.

    \b
    Example: python -m explorer ingest padchest --root /data/padchest --finding "COPD signs"
    """
    wanted = Wanted(labels_only=labels_only, words=tuple(finding or ()))
    _make("padchest", root, wanted, out, accept_rejects, replace, relabel)


def mimic(
    root: Root,
    out: CohortName = None,
    blank: BlankMeans = "unknown",
    negbio: NegBio = False,
    cxr_lt: CxrLt = None,
    labels_only: LabelsOnly = False,
    accept_rejects: AcceptRejects = False,
    replace: Replace = False,
    relabel: Relabel = False,
) -> None:
    """Make a cohort from MIMIC-CXR-JPG: metadata, split, and the labels of a labeler or of CXR-LT 2023 or 2024.

    -1 and blanks are as for chexpert.

    \b
    Examples:
      python -m explorer ingest mimic --root /data/mimic-cxr-jpg
      python -m explorer ingest mimic --root /data/mimic-cxr-jpg --cxr-lt /data/cxr-lt-2024 --out cxrlt2024
    """
    wanted = Wanted(labels_only=labels_only, blank=blank, labeler="negbio" if negbio else "chexpert", cxr_lt=cxr_lt)
    _make("mimic", root, wanted, out, accept_rejects, replace, relabel)


def _plain(name: str) -> Callable[..., None]:
    def command(
        root: Root,
        out: CohortName = None,
        labels_only: LabelsOnly = False,
        accept_rejects: AcceptRejects = False,
        replace: Replace = False,
        relabel: Relabel = False,
    ) -> None:
        _make(name, root, Wanted(labels_only=labels_only), out, accept_rejects, replace, relabel)

    return command


def _make(
    name: str, root: Path, wanted: Wanted, out: str | None, accept_rejects: bool, replace: bool, relabel: bool
) -> None:
    from explorer.cli.time_left import time_left
    from explorer.ingest.datasets.importing import import_dataset, relabel_dataset

    check_relabel(relabel, replace)
    with report_refusals():
        if relabel:
            say_report(relabel_dataset(name, root, wanted, out or name), accept_rejects)
            return
        with time_left("films looked at") as progress:
            report = import_dataset(name, root, wanted, out or name, replace=replace, progress=progress)
        say_report(report, accept_rejects)
