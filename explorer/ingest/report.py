"""The report that an import prints at its end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from explorer.core.figures import percent_text
from explorer.core.finding_names import did_you_mean
from explorer.core.visible_text import visible_name
from explorer.ingest.cohort_files import LabelCounts
from explorer.ingest.make_cohort import IngestReport
from explorer.ingest.new_boxes import BoxesReport, rejected_lines
from explorer.ingest.predictions import ImportedScores
from explorer.ingest.rejects import TOLERATED_SHARE, RejectReason, more_than_tolerated
from explorer.tabular.notes import Note
from explorer.tabular.sheet import Sheet

_ACCEPT = "with --accept-rejects the command ends with exit code 0."


def report_text(report: IngestReport) -> str:
    """Return the report as text, ending with a line break."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: IngestReport) -> Iterator[str]:
    manifest = report.manifest
    read = manifest.cases + sum(report.rejected.values())
    yield f"Cohort {manifest.name}: {_many(manifest.cases, 'film', 'films')} of {read:,}, version {manifest.version}"
    yield f"  centers   {_counts(report.centers)}"
    yield f"  views     {_counts(report.views)}"
    if manifest.labelled:
        yield f"  labels    {_counts(report.label_counts.labels)}; a blank is {manifest.blank}"
        yield f"  findings  {_counts(report.label_counts.findings)}{_none_words(report.label_counts)}"
    else:
        yield "  labels    none: fit for a shift of scores, not for accuracy"
    if words := report.totals.studies_words:
        yield f"  studies   {words}"
    if report.boxes:
        yield f"  boxes     {report.boxes:,}"
    yield f"  rejected  {_counts(report.rejected) or 'nothing'}"
    if report.rejected:
        yield f"            line, image and reason in {report.folder.rejects}"
    for note in report.notes:
        yield f"  note      {note}"
    yield f"  in all    {report.totals}"


def _none_words(label_counts: LabelCounts) -> str:
    if not label_counts.none:
        return ""
    blanks = f", {label_counts.none_but_blanks:,} of them with blanks" if label_counts.none_but_blanks else ""
    return f"; none of these {label_counts.none:,} (kept: true negatives{blanks})"


def too_many_rejected(report: IngestReport) -> str | None:
    """Return a warning if too many rows were rejected, else None. Rejects the user asked for do not count."""
    read = report.manifest.cases + sum(report.rejected.values())
    rejected = sum(count for reason, count in report.rejected.items() if reason != RejectReason.ALL_ZERO)
    if not more_than_tolerated(rejected, read):
        return None
    return (
        f"{rejected:,} of {read:,} rows or files were rejected, more than {percent_text(TOLERATED_SHARE)}. The cohort "
        f"{report.manifest.name} is made without them. See why in {report.folder.rejects}; {_ACCEPT}"
    )


def too_many_strangers(scored: ImportedScores, sheet: Sheet, report: IngestReport | None = None) -> str | None:
    """Return a warning if too many scores are of images that are not cases; `report`: on labels imported with them."""
    unmatched = scored.strange - (report.rejected.get(RejectReason.ALL_ZERO, 0) if report else 0)
    if not more_than_tolerated(unmatched, len(sheet.lines)):
        return None
    return (
        f"{unmatched:,} of {len(sheet.lines):,} rows of scores do not belong to a case of the cohort, more than "
        f"{percent_text(TOLERATED_SHARE)}. The others were imported. See which in {scored.failures}; {_ACCEPT}"
    )


def boxes_text(report: BoxesReport) -> str:
    """Return the report on a table of boxes, ending with a line break."""
    lines = [
        f"Boxes of {report.cohort}: {report.boxes:,} on {_many(report.films, 'film', 'films')}",
        f"  measured  in {report.measured}",
        f"  findings  {_counts(report.findings)}",
        *(f"  rejected  {line}" for line in rejected_lines(report.rejects) or ["nothing"]),
        *([f"            line, image and reason in {report.rejects_file}"] if report.rejects else []),
        *(f"  note      {note}" for note in report.notes),
    ]
    return "".join(f"{line}\n" for line in lines)


def too_many_rejected_boxes(report: BoxesReport) -> str | None:
    """Return a warning if more boxes than tolerated were rejected, else None."""
    read = report.boxes + len(report.rejects)
    if not more_than_tolerated(len(report.rejects), read):
        return None
    return (
        f"{len(report.rejects):,} of {read:,} boxes were rejected, more than {percent_text(TOLERATED_SHARE)}. The "
        f"others were added. See why in {report.rejects_file}; {_ACCEPT}"
    )


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{visible_name(name)} {count:,}" for name, count in counts.items())


def _many(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"


def scores_text(scored: ImportedScores, sheet: Sheet, read: Iterable[Note] = ()) -> str:
    """Return the report on imported scores, ending with a line break; `read` are notes on how their files were read."""
    return "".join(f"{line}\n" for line in _score_lines(scored, sheet, read))


def _score_lines(scored: ImportedScores, sheet: Sheet, read: Iterable[Note]) -> Iterator[str]:
    manifest = scored.manifest
    films, findings = _many(manifest.scored, "film", "films"), _many(len(manifest.findings), "finding", "findings")
    yield f"Scores of {manifest.model}: {films}, {findings}"
    yield f"  thresholds {manifest.thresholds}"
    if scored.without_threshold:
        yield f"  no threshold, so no outcome, for {', '.join(scored.without_threshold)}"
    for count, one, several in (
        (scored.unscored, "case has no scores", "cases have no scores"),
        (scored.strange, "image is not a case", "images are not cases"),
    ):
        if count:
            yield f"  {_many(count, one, several)}: listed in {scored.failures}"
    for note in (*read, *scored.notes):
        yield f"  note      {note}"
    for finding, name in sheet.columns.items():
        if finding != name:
            yield f"  note      the column {name!r} is read as {finding}"
    if sheet.unknown:
        names = ", ".join(
            f"{name!r}{f' ({offer.strip()})' if (offer := did_you_mean(name)) else ''}" for name in sheet.unknown
        )
        yield f"  note      not used, because no finding has this name: {names}. --finding NAME adds one as a finding"
    yield f"  in all    {scored.totals}"
