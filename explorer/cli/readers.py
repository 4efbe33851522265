"""`readers`: readers and models on the same cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from explorer.cli.compare import TableFormat
from explorer.cli.ending import report_refusals
from explorer.cli.say import say

if TYPE_CHECKING:
    from explorer.core.reader_study import ReaderStudy
    from explorer.core.text_grid import TextGrid
    from explorer.school.classroom.finding_study import StudiedFinding
    from explorer.school.reviews.review_study import StudiedReview
    from explorer.store.store import Store


def readers(
    study: Annotated[
        Path | None, typer.Argument(help="A file in iMRMC's format, or CSV: reader, case, modality, rating.")
    ] = None,
    class_: Annotated[
        str | None,
        typer.Option("--class", metavar="CLASS", help="A class, as `class list` names it, or its .sqlite file."),
    ] = None,
    review: Annotated[
        str | None, typer.Option(metavar="REVIEW", help="A review, as `review list` names it; also one that goes on.")
    ] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="SOURCE", help="With --review: whose labels are the truth; by default those that count."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="With --review: a model of its cohort; by default the one of its slice. Repeatable."),
    ] = None,
    cohort: Annotated[
        str | None, typer.Option(help="Add the file's readers to this cohort: Evaluate shows them beside models.")
    ] = None,
    finding: Annotated[
        str | None,
        typer.Option(
            help="With --class, --review: the finding; without, all are listed. With --cohort: what the file is about."
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

    With --review, the readers of a review are compared with the models of its cohort. A call and its certainty are one
    rating; a reader who mostly leaves the certainty out is rated by calls alone. The truth is never the readers' own.

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
      python -m explorer readers --review misses --finding Nodule
      python -m explorer readers ratings.csv --cohort mine --present-from 4
      python -m explorer readers --cohort phantom

    \b
    Exit codes:
      0  done
      1  with --cohort: no film of the file is in the cohort
      2  wrong input: a file, class or review that cannot be read, a rating that is missing or twice in a file, or
         answers about the finding that are not a reader study
    """
    from explorer.analysis.readers.study_table import study_table
    from explorer.cli.output import writable, write_result
    from explorer.core.reader_study import imrmc_text, reader_study_csv
    from explorer.core.result_table import table_in
    from explorer.tabular.reader_study import read_reader_study

    named = sum(each is not None for each in (study, class_, review))
    if named > 1 or (not named and cohort is None):
        raise typer.BadParameter("Name a file, --class or --review, one of them.", param_hint="STUDY")
    if cohort is not None and (class_ is not None or review is not None):
        raise typer.BadParameter(
            "Evaluate shows classes and reviews by itself: leave --cohort out.", param_hint="--cohort"
        )
    if finding is not None and class_ is None and review is None and cohort is None:
        raise typer.BadParameter("Use it with --class, --review or --cohort.", param_hint="--finding")
    for option, given in (("--labels", labels), ("--model", model)):
        if given and review is None:
            raise typer.BadParameter("Use it with --review.", param_hint=option)
    if cohort is not None:
        return _add_to_cohort(study, cohort, name, finding, present_from)
    with report_refusals():
        for each in (out, imrmc, csv):
            if each is not None:
                writable(each, *([study] if study is not None else []))
        if class_ is not None and finding is None:
            return _list_findings(class_)
        if review is not None and finding is None:
            return _list_review(review, labels)
        notes: tuple[str, ...] = ()
        if study is not None:
            found = read_reader_study(study)
        elif review is not None:
            assert finding is not None
            found, notes = _of_review(review, finding, labels, model or ())
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


def _of_review(
    name: str, finding: str, labels: str | None, models: Sequence[str]
) -> tuple[ReaderStudy, tuple[str, ...]]:
    """Return a review's study of a finding, and notes on it. Raises ClassRefusal and the store's errors."""
    from explorer.school.reviews.review_study import review_study

    with _studied(name, labels, models) as (studied, store):
        made = review_study(studied, finding, store, models)
    return made.study, (f"{made.finding} in the review {made.title}.", *made.notes)


def _list_review(name: str, labels: str | None) -> None:
    """Print the findings of a review, reader studies first. Raises ClassRefusal and the store's errors."""
    from explorer.school.reviews.review_study import reviewed_findings

    with _studied(name, labels) as (studied, _):
        found = reviewed_findings(studied)
    _say_grid(_findings_grid("Findings of the review", found))
    say("Choose one with --finding for its study of readers.")


@contextmanager
def _studied(name: str, labels: str | None, models: Sequence[str] = ()) -> Iterator[tuple[StudiedReview, Store]]:
    """Yield a review with the truth, and the store of its cohort. Raises ReviewRefusal and the store's errors."""
    from explorer.cli.prepared import prepare_with_progress
    from explorer.school.reviews.review_files import opened_review
    from explorer.school.reviews.review_study import studied_review
    from explorer.store.store import Store

    with closing(opened_review(name)) as database, closing(Store()) as store:
        cohort = database.review.cohort
        wanted = models or [database.review.model]
        prepare_with_progress(store, cohort, [each for each in store.model_names(cohort) if each in wanted])
        yield studied_review(database, store, labels), store


def _findings_grid(title: str, found: Iterable[StudiedFinding]) -> TextGrid:
    from explorer.core.text_grid import TextGrid

    rows = tuple(
        (each.finding, f"{each.present:,}", f"{each.absent:,}", f"{each.readers:,}", each.why_not or "yes")
        for each in found
    )
    return TextGrid(title, ("finding", "films with it", "without", "readers", "a reader study"), rows)


def _say_grid(grid: TextGrid) -> None:
    from explorer.core.text_grid import aligned

    say(f"{grid.title}\n")
    for line in (*aligned(grid), *grid.notes):
        say(line)
    say("")


def _list_findings(name: str) -> None:
    """Print what seeing a model changed, and the findings, reader studies first. Raises ClassRefusal."""
    from explorer.school.classroom.class_study import studied_findings
    from explorer.school.classroom.class_switches import class_decisions
    from explorer.school.judging.switches import switch_grid

    place, folder = _class_place(name)
    found, decisions = studied_findings(place, folder), class_decisions(place, folder)
    if decisions:
        _say_grid(switch_grid(decisions))
    _say_grid(_findings_grid("Findings of the class", found))
    say("Choose one with --finding for its study of readers.")
