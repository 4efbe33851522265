"""Turns a table with a row per image and finding into one with a row per image and a column per finding."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from explorer.core.word_lists import quantity
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.header import column_place
from explorer.tabular.missing_words import is_missing
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput


@contextmanager
def wide_table(path: Path, image: str, finding: str, score: str, notes: Notes) -> Iterator[Path]:
    """Yield a wide copy of a long file, with the same name: images in their order, findings in theirs.

    `image`, `finding` and `score` are column names; other columns are left out. A pair without a row is blank, like a
    pair without a score. Raises WrongInput if a column is missing, a row is too short or names nothing, or a pair has
    two different scores.
    """
    images: dict[str, dict[str, str]] = {}
    findings: dict[str, None] = {}
    wanted = (image, finding, score)
    with csv_rows(path, wanted, notes) as (names, rows):
        places = [column_place(path, names, name) for name in wanted]
        for line, row in rows:
            if len(row) <= max(places):
                raise WrongInput(f"{path}, line {line:,}: {len(row)} cells where the header has {len(names)}.")
            name, word, cell = (row[place].strip() for place in places)
            if is_missing(name) or is_missing(word):
                raise WrongInput(f"{path}, line {line:,} names no {'image' if is_missing(name) else 'finding'}.")
            findings.setdefault(word)
            given = images.setdefault(name, {})
            if given.setdefault(word, cell) != cell:
                raise WrongInput(
                    f"{path}, line {line:,}: {word} of {name!r} has the scores {given[word]} and {cell}. Give one."
                )
    if not images:
        raise WrongInput(f"{path} has a header and no rows.")
    sentence = f"rows of single findings, {quantity(len(images), 'image')}, {quantity(len(findings), 'finding')}"
    notes.add(Recognized.LONG, path, f"{sentence}; line numbers count images")
    with TemporaryDirectory(prefix="tailscope.") as folder:
        copy = Path(folder) / path.name
        with copy.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([image, *findings])
            writer.writerows([name, *(cells.get(word, "") for word in findings)] for name, cells in images.items())
        yield copy
