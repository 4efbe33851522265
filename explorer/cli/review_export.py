"""`review export`: every vote of a review as a file."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.say import say

KINDS = ("csv", "parquet")


def review_export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A review, as `review list` names it.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write: .csv or .parquet.")],
) -> None:
    """Write one row per vote, replaced votes and hidden repeats included; the review may go on.

    Readers are R1, R2 and so on: neither a name nor the code that opens a reader's work. docs/review.md explains the
    columns.

    \b
    Examples:
      python -m explorer review export misses --out votes.csv
      python -m explorer review export misses --out votes.parquet

    \b
    Exit codes:
      0  done
      2  wrong input: no such review, or the file cannot be written
    """
    from explorer.cli.output import file_kind, writable, write_result
    from explorer.core.word_lists import quantity
    from explorer.school.reviews.review_files import opened_review
    from explorer.school.reviews.vote_table import votes_csv, write_votes_parquet
    from models.whole_file import atomic_write

    kind = file_kind(out, KINDS)
    with report_refusals():
        writable(out)
        with closing(opened_review(name)) as database:
            review, votes = database.review, database.votes()
        if kind == "csv":
            write_result(votes_csv(review, votes), out)
        else:
            with atomic_write(out.resolve()) as partial:
                write_votes_parquet(review, votes, partial)
    readers, films = (len({getattr(each.reading, part) for each in votes}) for part in ("reader", "film"))
    say(f"Wrote {quantity(len(votes), 'vote')} of {quantity(readers, 'reader')} on {quantity(films, 'film')}: {out}")
