"""The votes of a review as a table with one row each, replaced votes and hidden repeats included."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.core.csv_table import Cells, csv_text
from explorer.core.reader_study import reader_name
from explorer.school.reviews.ratings import Ratings
from explorer.school.reviews.review import Review
from explorer.school.reviews.review_database import KeptVote

VOTE_COLUMNS = pa.schema(
    [
        ("review", pa.string()),
        ("films", pa.string()),
        ("cohort", pa.string()),
        ("case", pa.string()),
        ("reader", pa.string()),
        ("place", pa.int32()),  # in the reader's sequence, from 1
        ("repeat", pa.int32()),  # 1: the film came again, unannounced
        ("counts", pa.int32()),  # 0: the reader replaced this vote
        ("suggested", pa.string()),
        ("suggested_uncertain", pa.string()),
        ("verdict", pa.string()),
        ("added", pa.string()),
        ("removed", pa.string()),
        ("present", pa.string()),  # findings after corrections; null: the reader disagreed without a correction
        ("uncertain", pa.string()),  # suggested as uncertain, and not corrected
        ("sides", pa.string()),  # "Nodule: right; Mass: both", the patient's; findings without one are left out
        ("places", pa.string()),
        ("certainty", pa.int32()),  # 1 a guess, 2 probable, 3 certain
        ("note", pa.string()),
        ("voted_utc", pa.timestamp("s", tz="UTC")),
    ]
)


def vote_rows(review: Review, votes: Iterable[KeptVote]) -> list[Cells]:
    """Return one row for each vote, by reader, place and revision; lists of findings are separated by semicolons."""
    every = list(votes)
    last = {(each.reading.reader, each.reading.place): each.revision for each in every}
    return [_cells(review, each, last[each.reading.reader, each.reading.place]) for each in every]


def votes_csv(review: Review, votes: Iterable[KeptVote]) -> str:
    """Return the votes as CSV without formulas that a spreadsheet would run."""
    return csv_text(VOTE_COLUMNS.names, vote_rows(review, votes))


def reader_calls_csv(ratings: Ratings, films: Iterable[int]) -> str:
    """Return each reader's calls on these films, 1 or 0 a finding, as `python -m explorer readers --cohort` reads them.

    Hidden repeats, and votes that leave no opinion, are left out.
    """
    review, chosen = ratings.review, list(films)
    lines: list[Cells] = [
        {"reader": reader_name(reader), "case": review.films[film].case, "finding": name, "call": int(call)}
        for reader in range(ratings.readers)
        for film in chosen
        for name, call in zip(review.findings, ratings.present[film, reader], strict=True)
        if call == call
    ]
    return csv_text(("reader", "case", "finding", "call"), lines)


def write_votes_parquet(review: Review, votes: Iterable[KeptVote], target: Path) -> None:
    """Save the votes as a Parquet file. Raises OSError."""
    rows: list[dict[str, object]] = [
        {**row, "voted_utc": datetime.fromisoformat(str(row["voted_utc"]))} for row in vote_rows(review, votes)
    ]
    pq.write_table(pa.Table.from_pylist(rows, VOTE_COLUMNS), target, compression="zstd")


def _cells(review: Review, kept: KeptVote, last: int) -> Cells:
    film, vote = review.films[kept.reading.film], kept.vote
    present = vote.findings(film.suggested)
    return {
        "review": review.name,
        "films": "SIMULATED" if review.simulated else "real",
        "cohort": review.cohort,
        "case": film.case,
        "reader": reader_name(kept.reading.reader),
        "place": kept.reading.place + 1,
        "repeat": int(kept.reading.again),
        "counts": int(kept.revision == last),
        "suggested": None if film.suggested is None else "; ".join(film.suggested),
        "suggested_uncertain": "; ".join(film.uncertain),
        "verdict": vote.verdict,
        "added": "; ".join(sorted(vote.added)),
        "removed": "; ".join(sorted(vote.removed)),
        "present": None if present is None else "; ".join(sorted(present)),
        "uncertain": None if present is None else "; ".join(sorted(vote.left_uncertain(film.uncertain))),
        "sides": "; ".join(f"{name}: {site.side}" for name, site in sorted(vote.sites.items()) if site.side),
        "places": "; ".join(f"{name}: {site.place}" for name, site in sorted(vote.sites.items()) if site.place),
        "certainty": vote.certainty,
        "note": vote.note,
        "voted_utc": kept.at,
    }
