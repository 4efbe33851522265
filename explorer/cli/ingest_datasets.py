"""`ingest chexpert`, `ingest padchest` and the like: make cohorts from downloads of public datasets."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, cast

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.ingest import AcceptRejects, BlankMeans, LabelsOnly, Relabel, Replace, check_relabel, say_report
from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import KNOWN_DATASETS, KnownDataset
from explorer.ingest.datasets.wanted import CxrLtTask, ImportOptions, Labeler

# The importer checks the folder, because it can say what is missing.
Root = Annotated[Path, typer.Option(help="The folder with the unpacked download.")]
CohortName = Annotated[str | None, typer.Option(help="Name of the cohort; by default the command's.")]
NegBio = Annotated[bool, typer.Option("--negbio", help="Use NegBio's labels in place of CheXpert's.")]
OwnWords = Annotated[
    list[str] | None,
    typer.Option("--finding", help="A word of the table to keep as a finding of its own; repeatable."),
]
CxrLt = Annotated[Path | None, typer.Option(help="Folder of a CXR-LT release; its labels replace the labeler's.")]

TaskOf2024 = Annotated[int, typer.Option(min=1, max=3, help="Task of CXR-LT 2024 whose label files are read.")]

EXTRA_OPTIONS: Mapping[str, tuple[object, object]] = MappingProxyType(
    {
        "blank": (BlankMeans, "unknown"),
        "finding": (OwnWords, None),
        "negbio": (NegBio, False),
        "cxr_lt": (CxrLt, None),
        "cxr_lt_task": (TaskOf2024, 1),
    }
)
"""Options that only some datasets have: type and default."""


def add_datasets(ingest: typer.Typer) -> None:
    """Add a command for each public dataset of the catalog."""
    for dataset in KNOWN_DATASETS:
        ingest.command(dataset.name, help=f"{dataset.help}\n\n\b\n{_examples(dataset)}")(_command(dataset))


def _examples(dataset: KnownDataset) -> str:
    first, *more = dataset.examples or (f"--root /data/{dataset.name}",)
    command_line = f"python -m explorer ingest {dataset.name} "
    if not more:
        return f"Example: {command_line}{first}"
    return "\n".join(["Examples:", *(f"  {command_line}{each}" for each in (first, *more))])


def _command(dataset: KnownDataset) -> Callable[..., None]:
    """Return the command of a dataset. Typer makes the options from its signature, which includes the dataset's own."""

    def command(
        root: Root,
        out: CohortName = None,
        labels_only: LabelsOnly = False,
        accept_rejects: AcceptRejects = False,
        replace: Replace = False,
        relabel: Relabel = False,
        **extra: Any,  # noqa: ANN401 - the dataset's own options, each of its own type
    ) -> None:
        _make(dataset.name, root, _wanted(labels_only, **extra), out, accept_rejects, replace, relabel)

    shared = list(inspect.signature(command, eval_str=True).parameters.values())[:-1]
    own = [
        inspect.Parameter(
            option,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=EXTRA_OPTIONS[option][0],
            default=EXTRA_OPTIONS[option][1],
        )
        for option in dataset.options
    ]
    vars(command)["__signature__"] = inspect.Signature([*shared, *own])
    return command


def _wanted(
    labels_only: bool,
    blank: Blank = "unknown",
    finding: list[str] | None = None,
    negbio: bool = False,
    cxr_lt: Path | None = None,
    cxr_lt_task: int = 1,
) -> ImportOptions:
    labeler: Labeler = "negbio" if negbio else "chexpert"
    return ImportOptions(
        labels_only=labels_only,
        blank=blank,
        words=tuple(finding or ()),
        labeler=labeler,
        cxr_lt=cxr_lt,
        cxr_lt_task=cast(CxrLtTask, cxr_lt_task),  # Typer keeps it within 1 and 3
    )


def _make(
    name: str, root: Path, wanted: ImportOptions, out: str | None, accept_rejects: bool, replace: bool, relabel: bool
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
