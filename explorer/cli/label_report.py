"""`label-report`: what the rules make of one report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from explorer.cli.ending import report_refusals

if TYPE_CHECKING:
    from explorer.reports import Mention, ReportRules

MAX_FILE_NAME_CHARS = 255  # a longer argument is a report
ReportFormat = Literal["text", "csv"]


def label_report(
    report: Annotated[str, typer.Argument(help="The report: its text, a text file, or - for standard input.")],
    rules: Annotated[
        str, typer.Option(help="english, spanish (experimental), or a TOML file of your own.")
    ] = "english",
    output: Annotated[ReportFormat, typer.Option("--format", help="Format of the mentions.")] = "text",
    out: Annotated[Path | None, typer.Option(help="File to write; standard output by default.")] = None,
) -> None:
    """Label one report: what it says of each finding, with the phrase and the cue that decided.

    First the label of each finding that is mentioned, then every mention in the order of the text. A finding that is
    not mentioned has no label: it is never absent.

    \b
    Examples:
      python -m explorer label-report "Small left effusion. No pneumothorax."
      python -m explorer label-report report.txt --rules mine.toml
      cat report.txt | python -m explorer label-report - --format csv

    \b
    Exit codes:
      0  done
      2  wrong input: a file that cannot be read, no text, or rules that cannot be used
    """
    from explorer.cli.output import writable, write_result
    from explorer.cli.report_rules import chosen_rules

    with report_refusals():
        if out is not None:
            writable(out, *([Path(report)] if _is_file(report) else []))
        used = chosen_rules(rules)
        write_result(_labels_in(output, _text(report), used), out)


def _is_file(report: str) -> bool:
    return len(report) <= MAX_FILE_NAME_CHARS and "\n" not in report and Path(report).is_file()


def _text(report: str) -> str:
    """Return the text of the report. Raises WrongInput."""
    from explorer.tabular.encoding import encoding_of, not_utf_8
    from explorer.tabular.problems import WrongInput

    text = report
    if report == "-":
        text = sys.stdin.read()
    elif _is_file(report):
        path = Path(report)
        try:
            text = path.read_text(encoding=encoding_of(path).name)
        except UnicodeDecodeError as error:
            raise WrongInput(not_utf_8(path).replace(" as CSV", "")) from error
    elif report.endswith(".txt") and " " not in report:
        raise WrongInput(f"There is no file {report}.")
    if not text.strip():
        raise WrongInput("The report has no text.")
    return text


def _labels_in(output: ReportFormat, text: str, used: ReportRules) -> str:
    from explorer.core.csv_table import csv_text
    from explorer.core.text_grid import TextGrid, aligned
    from explorer.core.visible_text import visible_name
    from explorer.reports import aggregated, mentions
    from explorer.reports.language import other_language

    found = mentions(text, used)
    rows = [_cells(each) for each in found]
    header = ("finding", "label", "phrase", "cue", "kind of cue", "section")
    if output == "csv":
        return csv_text(header, (dict(zip(header, row, strict=True)) for row in rows), end="\n")
    other = other_language(text, used)
    lines = [] if other is None else [f"This report seems to be in another language ({other}): check every label.", ""]
    labels = aggregated(found)
    grid = TextGrid("", ("finding", "label"), tuple(labels.items()))
    lines += aligned(grid) if labels else ["The report says nothing of any finding."]
    if rows:
        lines += ["", *aligned(TextGrid("", header, tuple(rows)))]
    return "\n".join(map(visible_name, lines)) + "\n"


def _cells(mention: Mention) -> tuple[str, ...]:
    kind = (mention.cue_kind or "").replace("_", " ")
    phrase, cue = (" ".join((words or "").split()) for words in (mention.phrase, mention.cue))
    return mention.finding, mention.state or "not labeled", phrase, cue, kind, mention.section
