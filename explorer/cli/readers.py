"""`readers`: readers and models on the same cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals


def readers(
    study: Annotated[Path, typer.Argument(help="A file in iMRMC's format, or CSV: reader, case, modality, rating.")],
    difference: Annotated[
        float | None,
        typer.Option(min=0.001, max=0.5, help="Also show which new study would find a difference of AUROC this large."),
    ] = None,
    output: Annotated[TableFormat, typer.Option("--format", help="Format of the table.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
    imrmc: Annotated[Path | None, typer.Option(help="Also write the study in iMRMC's format to this file.")] = None,
) -> None:
    """Compare readers with one another, without and with help, and models with readers, on the same cases.

    Each row is one rating; rows of the reader -1 state a case's truth, 0 or 1. A modality with a single reader, who
    reads in no other, is a model. For each modality: the readers' mean AUROC; for each pair of modalities, and for each
    model: the difference with a 95 % interval and p, for readers like these and for these readers alone.

    \b
    Examples:
      python -m explorer readers study.imrmc
      python -m explorer readers pilot.csv --difference 0.05
      python -m explorer readers study.csv --format latex --out readers.tex --imrmc study.imrmc

    \b
    Exit codes:
      0  done
      2  wrong input: a file that cannot be read, or a rating that is missing or twice there
    """
    from explorer.analysis.readers.study_table import study_table
    from explorer.cli.output import writable, write_result
    from explorer.core.result_table import table_in
    from explorer.tabular.reader_study import imrmc_text, read_reader_study

    with report_refusals():
        for each in (out, imrmc):
            if each is not None:
                writable(each, study)
        found = read_reader_study(study)
        table = study_table(found, difference)
        if imrmc is not None:
            write_result(imrmc_text(found, table.title), imrmc)
        write_result(table_in(output, table), out)
