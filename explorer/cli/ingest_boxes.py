"""`ingest boxes`: add boxes around findings to one of your cohorts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from explorer.cli.ending import report_refusals
from explorer.cli.ingest import AcceptRejects
from explorer.cli.say import say, warn

_SIZE = re.compile(r"(\d{1,6})x(\d{1,6})", re.ASCII)


def boxes(
    table: Annotated[Path, typer.Argument(help="CSV file, one row per box.")],
    cohort: Annotated[str, typer.Option(help="Your cohort that contains the films.")],
    drawn_by: Annotated[str | None, typer.Option(help="Who drew the boxes; Explore shows it.")] = None,
    id_column: Annotated[str | None, typer.Option(help="Column of image ids, if it is not recognized.")] = None,
    columns: Annotated[
        Path | None, typer.Option(help='TOML file that names the columns, such as x = "left edge", and [words].')
    ] = None,
    film_size: Annotated[
        str | None,
        typer.Option(metavar="WxH", help="Pixel size of the films the boxes were drawn on, if not the files' own."),
    ] = None,
    accept_rejects: AcceptRejects = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace all boxes of the cohort.")] = False,
) -> None:
    """Add boxes around findings to one of your cohorts. `localize` measures heat maps by them; Explore draws them.

    A row has an image, a finding, x and y of the upper left corner, and width and height, or x2 and y2 of the lower
    right corner. The column names of NIH's and VinDr's tables are recognized; --columns names others: image, finding,
    x, y, width, height, x2, y2, and under [words] what a word means. Numbers are pixels of the film's file; if none is
    above 1, fractions of width and height. Rows without a box are skipped. Labels, films and scores do not change.

    \b
    Examples:
      python -m explorer ingest boxes boxes.csv --cohort mine --drawn-by "two radiologists"
      python -m explorer ingest boxes BBox_List_2017.csv --cohort mine --film-size 1024x1024

    \b
    Exit codes:
      0  done; rows that could not be used are counted, and listed in rejected-boxes.csv in the cohort's folder
      1  no box can be used, or more than 5 % of the rows could not; the rest was added (0 with --accept-rejects)
      2  wrong input: a file, a name or an option that cannot be used
    """
    from explorer.ingest.datasets.pixel_boxes import FilmSize
    from explorer.ingest.new_boxes import add_boxes
    from explorer.ingest.report import boxes_text, too_many_rejected_boxes

    size = None if film_size is None else _SIZE.fullmatch(film_size)
    if film_size is not None and (size is None or not int(size[1]) * int(size[2])):
        raise typer.BadParameter("--film-size takes width x height in pixels, such as 1024x1024.")
    with report_refusals():
        pixels = None if size is None else FilmSize(int(size[1]), int(size[2]))
        report = add_boxes(
            table, cohort, drawn_by=drawn_by, id_column=id_column, size=pixels, replace=replace, columns=columns
        )
        say(boxes_text(report), nl=False)
        warning = None if accept_rejects else too_many_rejected_boxes(report)
    if warning is not None:
        warn(warning)
        raise typer.Exit(1)
