"""Releases a review: a source of labels of its cohort, and beside it labels, votes and agreement as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import read_table
from explorer.core.age_bands import age_band
from explorer.core.csv_table import Cells, csv_text
from explorer.core.result_table import ResultTable, table_in
from explorer.school.reviews.agreement_table import agreement_table
from explorer.school.reviews.halves_figure import halves_svg
from explorer.school.reviews.halves_table import Facts, halves_table
from explorer.school.reviews.label_source import add_label_source, label_rows
from explorer.school.reviews.protocols import Protocol, ReleasedLabels, released_labels
from explorer.school.reviews.ratings import AGREE_ALL, Ratings, ratings_of
from explorer.school.reviews.review import Review, ReviewRefusal
from explorer.school.reviews.review_database import KeptVote, ReviewDatabase
from explorer.school.reviews.vote_table import reader_calls_csv, votes_csv, write_votes_parquet
from explorer.tabular.problems import Refused
from models.whole_file import atomic_write

OF_FILMS = ("labels.csv", "votes.csv", "votes.parquet", "readers.csv")
HELD_OUT = "held-out"  # folder


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """What to release: `to` names a copy of the cohort, or is empty; `rare`, `size` and `seed` are of `reveal`."""

    protocol: Protocol
    source: str
    to: str = ""
    rare: tuple[str, ...] = ()
    size: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Released:
    """What was released: the cohort with the new source, the number of its films and labels, notes, and the files."""

    cohort: str
    source: str
    films: int
    labels: int
    notes: tuple[str, ...]
    files: tuple[str, ...]
    halves: ResultTable | None


def release(database: ReviewDatabase, folder: Folder, request: ReleaseRequest, out: Path) -> Released:
    """Release a review of the cohort in `folder`, with its files in the new folder `out`.

    With the protocol `reveal`, the source has the released half; labels and votes of the held-out half are in a folder
    of their own, so that the rest can be passed on. Raises ReviewRefusal, NoCohort and NoStudies.
    """
    review, votes = database.review, database.votes()
    ratings = ratings_of(review, len(database.codes), votes)
    for name in request.rare:
        if name not in review.findings:
            raise ReviewRefusal(f"The review has no finding {name!r}", f"It asks about {', '.join(review.findings)}.")
    made = released_labels(ratings, request.protocol, request.rare, request.size, request.seed)
    films = [film for film in range(len(review.films)) if made.halves.get(film, "released") == "released"]
    rows = label_rows(review, made.labels, request.source, films)
    halves = halves_table(review, made, _facts(folder)) if made.halves else None
    if out.exists():
        raise ReviewRefusal(f"{out} exists already", "Name a new folder with --out.")
    try:
        cohort = add_label_source(folder, request.to, rows)
    except Refused as refused:  # as the terminal has it, for the page too
        raise ReviewRefusal("The labels cannot be added", str(refused)) from refused
    database.add_release(cohort.name, request.source)
    files = _write(review, ratings, votes, made, halves, films, out)
    return Released(
        cohort=cohort.name,
        source=request.source,
        films=len(set(rows["case"].to_pylist())),
        labels=len(rows),
        notes=made.notes,
        files=files,
        halves=halves,
    )


def _write(
    review: Review,
    ratings: Ratings,
    votes: Sequence[KeptVote],
    made: ReleasedLabels,
    halves: ResultTable | None,
    films: Sequence[int],
    out: Path,
) -> tuple[str, ...]:
    out.mkdir(mode=0o700, parents=True)
    _write_films(review, ratings, votes, made, films, out)
    tables = {"agreement": agreement_table(ratings)} | ({} if halves is None else {"halves": halves})
    names = list(OF_FILMS)
    for name, table in tables.items():
        _write_text(out / f"{name}.txt", table_in("text", table))
        _write_text(out / f"{name}.csv", table_in("csv", table))
        names += [f"{name}.txt", f"{name}.csv"]
    if halves is not None:
        _write_text(out / "halves.svg", halves_svg(halves))
        names.append("halves.svg")
        (out / HELD_OUT).mkdir(mode=0o700)
        held = [film for film, half in made.halves.items() if half == "held out"]
        _write_films(review, ratings, votes, made, sorted(held), out / HELD_OUT)
        names += [f"{HELD_OUT}/{name}" for name in OF_FILMS]
    return tuple(names)


def _write_films(
    review: Review,
    ratings: Ratings,
    votes: Sequence[KeptVote],
    made: ReleasedLabels,
    films: Sequence[int],
    out: Path,
) -> None:
    """Write labels, votes and readers' calls of some films."""
    chosen = frozenset(films)
    some = [vote for vote in votes if vote.reading.film in chosen]
    _write_text(out / "labels.csv", _labels_csv(review, ratings, made, films))
    _write_text(out / "votes.csv", votes_csv(review, some))
    _write_text(out / "readers.csv", reader_calls_csv(ratings, films))
    with atomic_write(out / "votes.parquet") as partial:
        write_votes_parquet(review, some, partial)


def _write_text(file: Path, text: str) -> None:
    with atomic_write(file) as partial:
        partial.write_text(text, encoding="utf-8", newline="")


def _labels_csv(review: Review, ratings: Ratings, made: ReleasedLabels, films: Sequence[int]) -> str:
    """Return one row for each film with a label: 1, 0, blank unknown, and its readers."""
    read = ratings.readers_of_films()
    lines: list[Cells] = []
    for film in films:
        labels = made.labels[film]
        if not (labels == labels).any():
            continue
        cells: Cells = {
            name: None if label != label else int(label) for name, label in zip(review.findings, labels, strict=True)
        }
        agreed = int((ratings.verdicts[film] == AGREE_ALL).sum()) if review.suggests else None
        first: Cells = {"case": review.films[film].case, "readers": int(read[film]), "agree_all": agreed}
        lines.append(first | cells)
    return csv_text(("case", "readers", "agree_all", *review.findings), lines)


def _facts(folder: Folder) -> Facts:
    """Return the acquisition facts of a cohort's films: center, view, sex, age band, size."""
    columns = read_table(folder.cases, ["case", "center", "view", "sex", "age", "width", "height"]).to_pydict()
    cases = columns["case"]
    sizes = [
        "unknown" if width is None or height is None else f"{width} x {height}"
        for width, height in zip(columns["width"], columns["height"], strict=True)
    ]
    ages = ["unknown" if age is None else str(age_band(age)) for age in columns["age"]]
    words = {name: [str(value) for value in columns[name]] for name in ("center", "view", "sex")}
    facts = words | {"age": ages, "size in pixels": sizes}
    return {name: dict(zip(cases, values, strict=True)) for name, values in facts.items()}
