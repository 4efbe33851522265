"""Reports of a cohort's films, with what was read in them when they were labeled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import reading_parquet, write_batches
from explorer.cohorts.schema import REPORTS

ROWS_PER_GROUP = 1_000  # one group is read to show one report


@dataclass(frozen=True, slots=True)
class ReportMention:
    """What a report says of a finding: characters of its text; `state` None: nothing about this film."""

    finding: str
    state: str | None
    start: int
    end: int
    cue_start: int | None = None
    cue_end: int | None = None


@dataclass(frozen=True, slots=True)
class FilmReport:
    """The report of a film; `source` is the label source made from it."""

    case: str
    text: str
    source: str
    mentions: tuple[ReportMention, ...]


def write_reports(folder: Folder, reports: Sequence[FilmReport]) -> None:
    """Write the reports, sorted by case. A film has at most one."""
    rows = iter(sorted(reports, key=lambda each: each.case))
    write_batches(folder.reports, REPORTS, _batches(rows))


def _batches(rows: Iterator[FilmReport]) -> Iterator[pa.RecordBatch]:
    while part := list(islice(rows, ROWS_PER_GROUP)):
        columns = {
            "case": [each.case for each in part],
            "text": [each.text for each in part],
            "source": [each.source for each in part],
            "mentions": [[_fields(mention) for mention in each.mentions] for each in part],
        }
        yield pa.RecordBatch.from_pydict(columns, schema=REPORTS)


def _fields(mention: ReportMention) -> dict[str, object]:
    return {name: getattr(mention, name) for name in ReportMention.__slots__}


def read_report(folder: Folder, case: str) -> FilmReport | None:
    """Return the report of a film, or None. Raises DamagedCohort."""
    if not folder.reports.is_file():
        return None
    with reading_parquet(folder.reports):
        rows = pq.read_table(
            folder.reports, filters=pc.field("case") == case, page_checksum_verification=True
        ).to_pylist()
    if not rows:
        return None
    found = rows[0]
    mentions = tuple(ReportMention(**each) for each in found["mentions"])
    return FilmReport(found["case"], found["text"], found["source"], mentions)
