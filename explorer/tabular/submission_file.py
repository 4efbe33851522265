"""Checks, without labels, that a submission of scores matches a sample. Reads a CSV, or a ZIP with one CSV."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from explorer.tabular.cells import parse_score
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import Problems, WrongCell, WrongInput
from explorer.tabular.sheet import WRONG_CELL_COUNT
from explorer.tabular.unnamed_columns import unnamed

MAX_CSV_BYTES = 4 << 30  # unpacked from a ZIP
# Notations that Tailscope reads but the challenge's own program may not.
_NOT_FOR_OTHERS = (
    *(Recognized.ENCODING, Recognized.SEPARATOR, Recognized.TITLE, Recognized.BLANK_ROWS),
    *(Recognized.SURPLUS_CELLS, Recognized.UNNAMED_COLUMNS),
)


@dataclass(frozen=True, slots=True)
class SubmissionFormat:
    """The required format; `name` is the sample's. `images` in their order, empty if not prescribed."""

    name: str
    image_column: str
    columns: tuple[str, ...]  # those of scores
    images: tuple[str, ...]
    kinds: frozenset[Recognized] = frozenset()  # unusual notations of the sample itself
    image_place: int = 0  # index of the image column

    @property
    def header(self) -> tuple[str, ...]:
        """All columns in order."""
        return self.row(self.image_column, self.columns)

    def row(self, image: str, cells: Sequence[str]) -> tuple[str, ...]:
        """Return a row in the order of the header."""
        return (*cells[: self.image_place], image, *cells[self.image_place :])


def read_format(path: Path, image: str) -> SubmissionFormat:
    """Return the format of a sample, whatever its scores; the image column is `image`, or else the first column.

    Raises WrongInput if the sample is unusable.
    """
    notes = Notes()
    with open_submission(path) as file, csv_rows(file, (), notes) as (names, rows):
        called = [name.strip() for name in names]
        place = called.index(image) if image in called else 0
        images = [row[place] if place < len(row) else "" for _, row in rows]
    if len(set(images)) != len(images) or not all(map(str.strip, images)):
        raise WrongInput(
            f"{path} has a repeated image, or a row without one, in the column {called[place]!r}. Use another sample, "
            "or name the image column with --id-column."
        )
    columns = [name for name in called[:place] if not unnamed(name)]
    before = len(columns)
    columns += [name for name in called[place + 1 :] if not unnamed(name)]
    kinds = frozenset(note.kind for note in notes)
    return SubmissionFormat(path.name, called[place], tuple(columns), tuple(images), kinds, before)


def check_submission(path: Path, wanted: SubmissionFormat, problems: Problems) -> int:
    """Add problems of a file of scores: columns, rows, their order, and cells that are not scores.

    Returns the number of rows. Raises WrongInput if the file is unusable.
    """
    notes, lines = Notes(), dict[str, int]()
    with open_submission(path) as file, csv_rows(file, (wanted.image_column,), notes) as (names, rows):
        called = [name.strip() for name in names]
        _check_columns(path, called, wanted, problems)
        if wanted.image_column not in called:
            problems.refuse(notes)
        place = called.index(wanted.image_column)
        columns = {called.index(name): name for name in wanted.columns if name in called}
        for line, row in rows:
            _check_row(path, line, row, place, columns, len(names), lines, problems)
    for note in notes:
        if note.kind in _NOT_FOR_OTHERS and note.kind not in wanted.kinds:
            problems.add(f"{note.sentence}: write it like {wanted.name}, with commas and in UTF-8", path)
    _check_images(path, lines, wanted, problems)
    return len(lines)


@contextmanager
def open_submission(path: Path) -> Iterator[Path]:
    """Yield the path of a CSV: the file itself, or the only CSV in a ZIP, unpacked for the block. Raises WrongInput."""
    if path.suffix.lower() != ".zip":
        yield path
        return
    try:
        with zipfile.ZipFile(path) as packed, tempfile.TemporaryDirectory() as folder:
            tables = [info for info in packed.infolist() if info.filename.lower().endswith(".csv")]
            if len(tables) != 1 or tables[0].file_size > MAX_CSV_BYTES:
                raise WrongInput(f"{path} contains {len(tables)} CSV files. It must contain one, of at most 4 GB.")
            table = Path(folder) / path.name
            with packed.open(tables[0]) as source, table.open("wb") as target:
                shutil.copyfileobj(source, target)
            yield table
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise WrongInput(f"{path} is not a readable ZIP: {error}.") from error


def _check_columns(path: Path, called: Sequence[str], wanted: SubmissionFormat, problems: Problems) -> None:
    header = wanted.header
    folded = {name.casefold(): name for name in called}
    for name in header:
        near = folded.get(name.casefold())
        if name in called:
            if called.count(name) > 1:
                problems.add(f"{called.count(name)} columns {name!r}", path, 1)
        elif near is not None:
            problems.add(f"the column {near!r} is called {name!r} in {wanted.name}", path, 1)
        else:
            problems.add(f"no column {name!r}, which {wanted.name} has", path, 1, kind="missing columns")
    known = {name.casefold() for name in header}
    for name in called:
        if name.casefold() not in known and not unnamed(name):
            problems.add(f"the column {name!r} is not in {wanted.name}", path, 1, kind="extra columns")
    if set(called) == set(header) and len(called) == len(header) and list(called) != list(header):
        first = next(place for place, pair in enumerate(zip(called, header, strict=True)) if pair[0] != pair[1])
        problem = f"columns in a different order than in {wanted.name}: column {first + 1} is {called[first]!r}"
        problems.add(f"{problem}, there {header[first]!r}", path, 1)


def _check_row(
    path: Path,
    line: int,
    row: Sequence[str],
    place: int,
    columns: dict[int, str],
    width: int,
    lines: dict[str, int],
    problems: Problems,
) -> None:
    image = row[place] if place < len(row) else ""
    if not image.strip():
        problems.add("no image id", path, line, kind="rows without an image id")
    elif image in lines:
        problem = f"the same image as in line {lines[image]}"
        problems.add(problem, path, line, image, kind="repeated rows of an image")
    else:
        lines[image] = line
    if len(row) != width:
        problem = f"{len(row)} cells where the header has {width}"
        problems.add(problem, path, line, image, kind=WRONG_CELL_COUNT)
        return
    for other, name in columns.items():
        try:
            parse_score(row[other])
        except WrongCell as error:
            problems.add(f"{name}: {error}", path, line, image, kind=error.kind)


def _check_images(path: Path, lines: dict[str, int], wanted: SubmissionFormat, problems: Problems) -> None:
    if not wanted.images:
        return
    there = set(wanted.images)
    kind = f"images of {wanted.name} without a row"
    for image in wanted.images:
        if image not in lines:
            problems.add(f"no row, although {wanted.name} has the image", path, None, image, kind=kind)
    surplus = f"images that are not in {wanted.name}"
    for image, line in lines.items():
        if image not in there:
            problems.add(f"the image is not in {wanted.name}", path, line, image, kind=surplus)
    found = image_names(lines, wanted.images, wanted.name)
    if found is not None:
        name, called = next(pair for pair in found.pairs.items() if pair[0] != pair[1])
        problems.add(f"images have other names than in {wanted.name}: {name!r} is {called!r} there", path)
    if lines.keys() == there and list(lines) != list(wanted.images):
        image, other = next(pair for pair in zip(lines, wanted.images, strict=True) if pair[0] != pair[1])
        problem = f"rows in a different order than in {wanted.name}, which has {other!r} here"
        problems.add(problem, path, lines[image], image)
