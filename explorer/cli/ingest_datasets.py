"""`ingest chexpert`, `ingest padchest` and the like: downloads of public datasets become cohorts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.ingest import AcceptRejects, BlankMeans, LabelsOnly, Relabel, Replace, check_relabel, say_report
from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import KNOWN, KnownDataset
from explorer.ingest.datasets.wanted import Labeler, Wanted

# The folder is checked by the importer, which says what to do.
Root = Annotated[Path, typer.Option(help="The folder that the download was unpacked into.")]
CohortName = Annotated[str | None, typer.Option(help="Name of the cohort; by default that of the command.")]
NegBio = Annotated[bool, typer.Option("--negbio", help="NegBio's labels in place of those of CheXpert's labeler.")]
OwnWords = Annotated[
    list[str] | None,
    typer.Option("--finding", help="A word of the table that is a finding by itself; repeatable."),
]
CxrLt = Annotated[Path | None, typer.Option(help="Folder of a CXR-LT release's label files, in place of a labeler's.")]

EXTRA: Mapping[str, tuple[object, object]] = MappingProxyType(
    {
        "blank": (BlankMeans, "unknown"),
        "finding": (OwnWords, None),
        "negbio": (NegBio, False),
        "cxr_lt": (CxrLt, None),
    }
)
"""What the command of some datasets asks besides: its type and default."""


def add_datasets(ingest: typer.Typer) -> None:
    """Add a command for each public dataset of the catalog."""
    for dataset in KNOWN:
        ingest.command(dataset.name, help=f"{dataset.help}\n\n\b\n{_examples(dataset)}")(_command(dataset))


def _examples(dataset: KnownDataset) -> str:
    first, *more = dataset.examples or (f"--root /data/{dataset.name}",)
    begun = f"python -m explorer ingest {dataset.name} "
    if not more:
        return f"Example: {begun}{first}"
    return "\n".join(["Examples:", *(f"  {begun}{each}" for each in (first, *more))])


def _command(dataset: KnownDataset) -> Callable[..., None]:
    """The command of a dataset; its signature, from which typer makes the options, has those of the dataset, too."""

    def command(
        root: Root,
        out: CohortName = None,
        labels_only: LabelsOnly = False,
        accept_rejects: AcceptRejects = False,
        replace: Replace = False,
        relabel: Relabel = False,
        **extra: Any,  # noqa: ANN401
    ) -> None:
        _make(dataset.name, root, _wanted(labels_only, **extra), out, accept_rejects, replace, relabel)

    shared = list(inspect.signature(command, eval_str=True).parameters.values())[:-1]
    own = [
        inspect.Parameter(option, inspect.Parameter.KEYWORD_ONLY, annotation=EXTRA[option][0], default=EXTRA[option][1])
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
) -> Wanted:
    labeler: Labeler = "negbio" if negbio else "chexpert"
    return Wanted(labels_only=labels_only, blank=blank, words=tuple(finding or ()), labeler=labeler, cxr_lt=cxr_lt)


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
