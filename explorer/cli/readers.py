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
        typer.Option("--class", metavar="CLASS", help="A class, as `class list` names it, or its .sqlite file."),
    ] = None,
    cohort: Annotated[
        str | None, typer.Option(help="Add the file's readers to this cohort: Evaluate shows them beside models.")
    ] = None,
    finding: Annotated[
        str | None,
        typer.Option(
            help="With --class: the finding; without it, all are listed. With --cohort: what the file is about."
        ),
    ] = None,
    present_from: Annotated[
        float | None, typer.Option(help="With --cohort: ratings from this one on are calls of present.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="With --cohort: name of these readers; the file's name by default.")
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

    With --cohort, the file has readers' calls (1 or 0), ratings or both on films of a cohort, with the columns reader,
    case, finding, call, rating. They appear on Evaluate's curves of one finding. Labels do not change. Without a file,
    the cohort's readers are listed.

    \b
    Examples:
      python -m explorer readers study.imrmc
      python -m explorer readers pilot.csv --difference 0.05
      python -m explorer readers study.csv --format latex --out readers.tex --imrmc study.imrmc
      python -m explorer readers --class 20261125-141500-3f9a
      python -m explorer readers --class 20261125-141500-3f9a --finding Mass --csv mass.csv
      python -m explorer readers ratings.csv --cohort mine --present-from 4
      python -m explorer readers --cohort phantom

    \b
    Exit codes:
      0  done
      1  with --cohort: no film of the file is in the cohort
      2  wrong input: a file or class that cannot be read, a rating that is missing or twice in a file, or a class
         whose answers about the finding are not a reader study
    """
    from explorer.analysis.readers.study_table import study_table
    from explorer.cli.output import writable, write_result
    from explorer.core.reader_study import imrmc_text, reader_study_csv
    from explorer.core.result_table import table_in
    from explorer.tabular.reader_study import read_reader_study

    if (study is None) == (class_ is None) and (study is not None or cohort is None):
        raise typer.BadParameter("Name a file or --class, not both.", param_hint="STUDY")
    if class_ is not None and cohort is not None:
        raise typer.BadParameter("Evaluate shows classes by itself: leave --cohort out.", param_hint="--cohort")
    if finding is not None and class_ is None and cohort is None:
        raise typer.BadParameter("Use it with --class or --cohort.", param_hint="--finding")
    if cohort is not None:
        return _add_to_cohort(study, cohort, name, finding, present_from)
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


def _add_to_cohort(
    path: Path | None, cohort: str, name: str | None, finding: str | None, present_from: float | None
) -> None:
    """Import the readers of a file, and print what was added; without a file, list the readers that are there."""
    if path is None:
        return _list_readers(cohort)
    from explorer.core.word_lists import comma_list, quantity
    from explorer.ingest.reader_ratings import add_reader_ratings

    with report_refusals():
        called = name or "-".join("".join(each if each.isalnum() else " " for each in path.stem.lower()).split())
        done = add_reader_ratings(path, cohort, called, finding=finding, present_from=present_from)
    say(
        f"{done.cohort}: {quantity(done.opinions, 'opinion')} of {quantity(len(done.readers), 'reader')} on "
        f"{quantity(done.films, 'film')} added as {done.name}: "
        f"{comma_list(f'{each} {count:,}' for each, count in done.findings.items())}."
    )
    for note in done.notes:
        say(f"Note: {note}.")
    say("Evaluate shows them in A finding, beside the models' curves.")


def _list_readers(cohort: str) -> None:
    """Print the imported readers of a cohort, with their files."""
    from explorer.cohorts.layout import cohort_folder
    from explorer.cohorts.parquet_files import read_table
    from explorer.cohorts.reader_ratings import ratings_files
    from explorer.core.text_grid import TextGrid, aligned

    with report_refusals():
        rows = []
        for name, path in ratings_files(cohort_folder(cohort)).items():
            table = read_table(path, ["reader", "case", "finding"])
            counts = (len(set(table[column].to_pylist())) for column in ("reader", "case", "finding"))
            rows.append((name, *(f"{count:,}" for count in counts), str(path)))
    if not rows:
        say(f"{cohort} has no imported readers. Name a file to add some.")
        return
    for line in aligned(TextGrid("", ("import", "readers", "films", "findings", "file"), tuple(rows), counts=4)):
        say(line)


def _of_class(name: str, finding: str) -> tuple[ReaderStudy, tuple[str, ...]]:
    """Return a class's study of a finding, and notes on it. Raises ClassRefusal."""
    from explorer.school.classroom.class_study import class_study

    place, folder = _class_place(name)
    made = class_study(place, finding, folder)
    return made.study, (f"{made.finding} in the class {made.title}; readers are its learners.", *made.notes)


def _class_place(word: str) -> tuple[str, Path | None]:
    """Return the id of a class and its folder (None: that of TAILSCOPE_HOME), from its id or the path of its file."""
    return (Path(word).stem, Path(word).parent) if word.endswith(".sqlite") else (word, None)


def _list_findings(name: str) -> None:
    """Print what seeing a model changed, and the findings, reader studies first. Raises ClassRefusal."""
    from explorer.core.text_grid import TextGrid, aligned
    from explorer.school.classroom.class_study import studied_findings
    from explorer.school.classroom.class_switches import class_decisions
    from explorer.school.judging.switches import switch_grid

    place, folder = _class_place(name)
    rows = tuple(
        (each.finding, f"{each.present:,}", f"{each.absent:,}", f"{each.readers:,}", each.why_not or "yes")
        for each in studied_findings(place, folder)
    )
    header = ("finding", "films with it", "without", "readers", "a reader study")
    decisions = class_decisions(place, folder)
    grids = [*([switch_grid(decisions)] if decisions else []), TextGrid("Findings of the class", header, rows)]
    for grid in grids:
        say(f"{grid.title}\n")
        for line in (*aligned(grid), *grid.notes):
            say(line)
        say("")
    say("Choose one with --finding for its study of readers.")
