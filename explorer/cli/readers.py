"""`readers`: readers and models on the same cases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.core.reader_study import ReaderStudy


def readers(
    study: Annotated[
        Path | None, typer.Argument(help="A file in iMRMC's format, or CSV: reader, case, modality, rating.")
    ] = None,
    class_: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="A class instead of a file, as `class list` names it."),
    ] = None,
    finding: Annotated[
        str | None, typer.Option(help="With --class: the finding. Without it, the findings of the class are listed.")
    ] = None,
    difference: Annotated[
        float | None,
        typer.Option(min=0.001, max=0.5, help="Also show which new study would find a difference of AUROC this large."),
    ] = None,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
    imrmc: Annotated[Path | None, typer.Option(help="Also write the study in iMRMC's format to this file.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Also write the study's ratings as CSV to this file.")] = None,
) -> None:
    """Compare readers with one another, without and with help, and models with readers, on the same cases.

    Each row is one rating; rows of the reader -1 state a case's truth, 0 or 1. A modality with a single reader, who
    reads in no other, is a model. For each modality: the readers' mean AUROC; for each pair of modalities, and for each
    model: the difference with a 95 % interval and p, for readers like these and for these readers alone.

    With --class, the learners of a class are the readers, as R1, R2 and so on, never by name. What not all of them
    answered is left out and listed.

    \b
    Examples:
      python -m explorer readers study.imrmc
      python -m explorer readers pilot.csv --difference 0.05
      python -m explorer readers study.csv --format latex --out readers.tex --imrmc study.imrmc
      python -m explorer readers --class 20261125-141500-3f9a
      python -m explorer readers --class 20261125-141500-3f9a --finding Mass --csv mass.csv

    \b
    Exit codes:
      0  done
      2  wrong input: a file or class that cannot be read, a rating that is missing or twice in a file, or a class
         whose answers about the finding are not a reader study
    """
    from explorer.analysis.readers.study_table import study_table
    from explorer.cli.output import writable, write_result
    from explorer.core.reader_study import imrmc_text, reader_study_csv
    from explorer.core.result_table import table_in
    from explorer.tabular.reader_study import read_reader_study

    if (study is None) == (class_ is None):
        raise typer.BadParameter("Name a file or --class, not both.", param_hint="STUDY")
    if finding is not None and class_ is None:
        raise typer.BadParameter("Only a class has several findings: use it with --class.", param_hint="--finding")
    with report_refusals():
        for each in (out, imrmc, csv):
            if each is not None:
                writable(each, *([study] if study is not None else []))
        if class_ is not None and finding is None:
            return _list_findings(class_)
        notes: tuple[str, ...] = ()
        if study is not None:
            found = read_reader_study(study)
        else:
            assert class_ is not None and finding is not None
            found, notes = _of_class(class_, finding)
        table = study_table(found, difference, notes)
        if imrmc is not None:
            write_result(imrmc_text(found, table.title), imrmc)
        if csv is not None:
            write_result(reader_study_csv(found), csv)
        write_result(table_in(output, table), out)


def _of_class(name: str, finding: str) -> tuple[ReaderStudy, tuple[str, ...]]:
    """Return a class's study of a finding, and notes on it. Raises ClassRefusal."""
    from explorer.school.classroom.class_study import class_study

    made = class_study(name, finding)
    return made.study, (f"{made.finding} in the class {made.title}; readers are its learners.", *made.notes)


def _list_findings(name: str) -> None:
    """Print the findings of a class, those that make a reader study first. Raises ClassRefusal."""
    from explorer.core.text_grid import TextGrid, aligned
    from explorer.school.classroom.class_study import studied_findings

    rows = tuple(
        (each.finding, f"{each.present:,}", f"{each.absent:,}", f"{each.readers:,}", each.why_not or "yes")
        for each in studied_findings(name)
    )
    header = ("finding", "films with it", "without", "readers", "a reader study")
    for line in aligned(TextGrid("Findings of the class: choose one with --finding", header, rows)):
        say(line)
