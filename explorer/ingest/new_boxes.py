"""Boxes for the films of an own cohort, which keeps its labels and scores: measured maps need to know where a finding
lies.
"""

from __future__ import annotations

import dataclasses
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.own_findings import findings_of
from explorer.cohorts.parquet_files import read_table
from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import plain
from explorer.core.findings import BESIDE_NORMAL
from explorer.ingest.box_table import BoxTable, DrawnBox, read_box_table
from explorer.ingest.building import building, copy_of
from explorer.ingest.cohort_files import write_boxes
from explorer.ingest.datasets.pixel_boxes import FilmSize
from explorer.ingest.entries import ImportedBox
from explorer.ingest.film_sizes import stored_size
from explorer.ingest.label_words import finding_named
from explorer.ingest.nih_boxes import WORDS
from explorer.ingest.rejects import Reason, Reject, Rejected, counted, write_rejects
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import Notes, some
from explorer.tabular.problems import FailedChecks, WrongInput

REJECTS = "rejected-boxes.csv"
WHOLE = FilmSize(1, 1)  # of boxes in shares of the film's sides
_LOCALIZATION = "localization"


@dataclass(frozen=True, slots=True)
class BoxesReport:
    """What became of a table of boxes; `measured` says in what its numbers are."""

    cohort: str
    boxes: int
    films: int
    findings: dict[str, int]
    measured: str
    rejects: tuple[Reject, ...]
    rejects_file: Path
    notes: tuple[str, ...]


def add_boxes(
    path: Path,
    cohort: str,
    *,
    drawn_by: str | None = None,
    id_column: str | None = None,
    size: FilmSize | None = None,
    replace: bool = False,
) -> BoxesReport:
    """Add the boxes of a table to the own cohort of this name. `size` is that of every film that they were drawn on.

    Raises NoCohort where there is no such cohort, WrongInput where it or the table cannot be used, FailedChecks where
    no box is left.
    """
    old = _taking_boxes(cohort, replace=replace)
    with building(cohort, replace=True) as folder:
        notes = Notes()
        table = read_box_table(path, id_column, notes)
        placing = _Placing(old, table, size)
        boxes = placing.boxes()
        rejects = (*table.rejects, *placing.rejects)
        if not boxes:
            raise FailedChecks(f"No box of {path} can be used. {_reasons(rejects)}")
        copy_of(old, folder)
        shutil.rmtree(folder.path / _LOCALIZATION, ignore_errors=True)  # measured by other boxes
        write_boxes(folder, boxes, drawn_by or f"boxes of {path.name}")
        write_rejects(folder.path / REJECTS, rejects)
        manifest = dataclasses.replace(read_manifest(folder.manifest), files=listed_cohort(folder))
        write_manifest(folder.manifest, manifest)
    boxless = [f"rows without a box, passed over: {table.boxless:,}"] if table.boxless else []
    return BoxesReport(
        cohort=cohort,
        boxes=len(boxes),
        films=len({box.case for box in boxes}),
        findings=dict(Counter(box.finding for box in boxes).most_common()),
        measured=placing.measured,
        rejects=rejects,
        rejects_file=old.path / REJECTS,
        notes=(*map(str, notes), *placing.notes, *boxless, *_contradicted(old, boxes)),
    )


def _taking_boxes(cohort: str, *, replace: bool) -> Folder:
    folder = Folder(own_cohorts() / cohort)
    if not folder.manifest.is_file():
        raise NoCohort(f"There is no cohort {cohort!r} of yours", "Make it first: `python -m explorer ingest --help`.")
    if read_manifest(folder.manifest).masks != "none":
        raise WrongInput(f"The films of {cohort} are simulated, and come with masks. They need no boxes.")
    if folder.boxes.exists() and not replace:
        raise WrongInput(f"{cohort} has boxes already. --replace them, with a table of all boxes.")
    return folder


class _Placing:
    """Boxes of a table on the films of a cohort."""

    def __init__(self, folder: Folder, table: BoxTable, size: FilmSize | None) -> None:
        self._table, self._size = table, size
        rows = read_table(folder.cases, ["case", "root", "file", "width", "height"]).to_pylist()
        self._films = {row["case"]: row for row in rows}
        self._own = {plain(word): finding for word, finding in WORDS.items()}
        self._own |= {plain(name): name for name in findings_of(folder)}
        self._images, self._sizes = Images(), dict[str, FilmSize | None]()
        self._shares = size is None and table.in_shares()
        self._names, said = self._cases()
        self.notes = [said] if said else []
        self.rejects: list[Reject] = []

    @property
    def measured(self) -> str:
        """In what the numbers of the table are."""
        if self._shares:
            return "shares of the film's sides, as no number is above 1"
        if self._size is not None:
            return f"pixels of films of {self._size.width} x {self._size.height}"
        return "pixels of each film's file"

    def boxes(self) -> list[ImportedBox]:
        """Those that can be used; the others are rejects."""
        placed = []
        for box in self._table.boxes:
            try:
                placed.append(self._placed(box))
            except Rejected as rejected:
                self.rejects.append(Reject(box.line, box.image, rejected.reason, rejected.detail))
        return placed

    def _cases(self) -> tuple[Mapping[str, str], str | None]:
        """Name of an image in the table -> case."""
        given = dict.fromkeys(box.image for box in self._table.boxes)
        found = image_names(given, self._films, "the cohort")
        return (dict(zip(given, given, strict=True)), None) if found is None else (found.pairs, found.said)

    def _placed(self, box: DrawnBox) -> ImportedBox:
        case = self._names.get(box.image, "")
        if case not in self._films:
            raise Rejected(Reason.NO_FILM)
        finding = finding_named(box.word, "any", self._own)
        if finding is None or finding in BESIDE_NORMAL[:1]:
            raise Rejected(Reason.NO_FINDING, f"{box.word!r}.{did_you_mean(box.word, self._own.values())}".rstrip("."))
        size = self._size_of(case)
        placed = ImportedBox(
            case=case,
            finding=finding,
            x=box.x / size.width,
            y=box.y / size.height,
            width=box.width / size.width,
            height=box.height / size.height,
        )
        if not placed.inside():
            ends = f"it reaches to {box.x + box.width:g}, {box.y + box.height:g}"
            raise Rejected(Reason.OUTSIDE, f"{ends} of {size.width} x {size.height}")
        return placed

    def _size_of(self, case: str) -> FilmSize:
        if self._shares:
            return WHOLE
        if self._size is not None:
            return self._size
        if case not in self._sizes:
            self._sizes[case] = self._read_size(case)
        size = self._sizes[case]
        if size is None:
            raise Rejected(Reason.NO_SIZE, "its file is not here or is shown turned: give shares of its sides")
        return size

    def _read_size(self, case: str) -> FilmSize | None:
        """As its file says; as the cohort's table says, where the file is not here."""
        row = self._films[case]
        path = self._images.path(row["root"], row["file"])
        if path is not None:
            return stored_size(path)
        return FilmSize(row["width"], row["height"]) if row["width"] and row["height"] else None


def _contradicted(folder: Folder, boxes: list[ImportedBox]) -> list[str]:
    """A note on boxes of findings that their film is labeled not to have."""
    labels = read_table(folder.labels, ["case", "finding", "label"])
    labels = labels.filter(pc.is_in(labels["case"], pa.array(list({box.case for box in boxes}), pa.string())))
    absent = {(row["case"], row["finding"]) for row in labels.to_pylist() if row["label"] == "absent"}
    against = [f"{box.finding} on {box.case}" for box in boxes if (box.case, box.finding) in absent]
    if not against:
        return []
    return [f"boxes of a finding that is labeled absent on their film, kept: {len(against):,} ({some(against)})"]


def _reasons(rejects: tuple[Reject, ...]) -> str:
    return "; ".join(rejected_lines(rejects)) or "It has no row with a box."


def rejected_lines(rejects: tuple[Reject, ...]) -> list[str]:
    """For each reason how many rows it took, and the first of them by name."""
    return [
        f"{reason} {count:,} ({some(dict.fromkeys(_named(each) for each in rejects if each.reason == reason))})"
        for reason, count in counted(rejects).items()
    ]


def _named(reject: Reject) -> str:
    return f"{reject.image}: {reject.detail}" if reject.detail else reject.image
