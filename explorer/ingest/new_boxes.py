"""Adds boxes to the films of your cohort, which keeps its labels and scores. `localize` needs boxes to judge maps."""

from __future__ import annotations

import dataclasses
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image, UnidentifiedImageError

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort, own_cohorts
from explorer.cohorts.listing import listed_cohort
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.cohorts.own_findings import cohort_findings
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.study_cohorts import refuse_study_cohort
from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import plain
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.ingest.box_table import BoxColumns, BoxTable, DrawnBox, read_box_columns, read_box_table
from explorer.ingest.building import cohort_being_built, link_files
from explorer.ingest.cohort_files import write_boxes
from explorer.ingest.datasets.dicom_facts import dicom_facts
from explorer.ingest.datasets.pixel_boxes import FilmSize
from explorer.ingest.entries import ImportedBox
from explorer.ingest.label_words import finding_named
from explorer.ingest.nih_boxes import BOX_WORDS
from explorer.ingest.rejects import Reject, Rejected, RejectReason, counts_by_reason, write_rejects
from explorer.tabular.image_names import image_names
from explorer.tabular.notes import Notes, some
from explorer.tabular.problems import FailedChecks, WrongInput

_ORIENTATION, _UPRIGHT = 0x0112, 1  # of EXIF
_RASTER = ("PNG", "JPEG", "TIFF")


def stored_size(path: Path) -> FilmSize | None:
    """Return the size of a DICOM, PNG, JPEG or TIFF file; None if unknown, or if the viewer rotates or mirrors it."""
    facts = dicom_facts(path)
    if facts is not None:
        return FilmSize(facts.width, facts.height) if facts.width and facts.height and not facts.turned else None
    try:
        with Image.open(path, formats=_RASTER) as image:
            upright = image.getexif().get(_ORIENTATION, _UPRIGHT) == _UPRIGHT
            return FilmSize(*image.size) if upright else None
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return None


REJECTED_BOXES_FILE = "rejected-boxes.csv"
UNIT_SIZE = FilmSize(1, 1)  # for boxes in fractions of the film's sides
_LOCALIZATION = "localization"


@dataclass(frozen=True, slots=True)
class BoxesReport:
    """The result of importing a table of boxes; `measured` names the unit of its numbers."""

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
    columns: Path | None = None,
) -> BoxesReport:
    """Add the boxes of a table to your cohort of this name. `size`: pixel size of the films they were drawn on.

    `columns` is a TOML file that names the table's columns and words.

    Raises NoCohort if there is no such cohort, WrongInput if it or the table cannot be used, FailedChecks if no box is
    usable.
    """
    named = BoxColumns() if columns is None else read_box_columns(columns)
    old = _cohort_to_change(cohort, replace=replace)
    with cohort_being_built(cohort, replace=True) as folder:
        notes = Notes()
        table = read_box_table(path, id_column, notes, named.names)
        placing = _Placing(old, table, size, named.words)
        boxes = placing.boxes()
        rejects = (*table.rejects, *placing.rejects)
        if not boxes:
            raise FailedChecks(f"No box of {path} can be used. {_reasons(rejects)}")
        link_files(old, folder)
        shutil.rmtree(folder.path / _LOCALIZATION, ignore_errors=True)  # measured with the old boxes
        write_boxes(folder, boxes, drawn_by or f"boxes of {path.name}")
        write_rejects(folder.path / REJECTED_BOXES_FILE, rejects)
        manifest = dataclasses.replace(read_manifest(folder.manifest), files=listed_cohort(folder))
        write_manifest(folder.manifest, manifest)
    boxless = [f"rows without a box, skipped: {table.boxless:,}"] if table.boxless else []
    return BoxesReport(
        cohort=cohort,
        boxes=len(boxes),
        films=len({box.case for box in boxes}),
        findings=dict(Counter(box.finding for box in boxes).most_common()),
        measured=placing.measured,
        rejects=rejects,
        rejects_file=old.path / REJECTED_BOXES_FILE,
        notes=(*map(str, notes), *placing.notes, *boxless, *_contradicted(old, boxes)),
    )


def _cohort_to_change(cohort: str, *, replace: bool) -> Folder:
    folder = Folder(own_cohorts() / cohort)
    if not folder.manifest.is_file():
        raise NoCohort(f"You have no cohort {cohort!r}", "Make it first: `python -m explorer ingest --help`.")
    refuse_study_cohort(folder, "boxes")
    if read_manifest(folder.manifest).masks != "none":
        raise WrongInput(f"The films of {cohort} are simulated and come with masks. They need no boxes.")
    if folder.boxes.exists() and not replace:
        raise WrongInput(f"{cohort} already has boxes. To replace them, give --replace and a table of all boxes.")
    return folder


class _Placing:
    """Places the boxes of a table on the films of a cohort."""

    def __init__(self, folder: Folder, table: BoxTable, size: FilmSize | None, words: Mapping[str, str]) -> None:
        self._table, self._size = table, size
        rows = read_table(folder.cases, ["case", "root", "file", "width", "height"]).to_pylist()
        self._films = {row["case"]: row for row in rows}
        self._own = {plain(word): finding for word, finding in BOX_WORDS.items()}
        self._own |= {plain(name): name for name in cohort_findings(folder)}
        self._own |= words
        self._images, self._sizes = Images(), dict[str, FilmSize | None]()
        self._in_fractions = size is None and table.in_fractions()
        self._names, note = self._cases()
        self.notes = [note] if note else []
        self.rejects: list[Reject] = []

    @property
    def measured(self) -> str:
        """The unit of the table's numbers, in words."""
        if self._in_fractions:
            return "fractions of the film's sides, because no number is above 1"
        if self._size is not None:
            return f"pixels of films of {self._size.width} x {self._size.height}"
        return "pixels of each film's file"

    def boxes(self) -> list[ImportedBox]:
        """Return the usable boxes; the others become rejects."""
        placed = []
        for box in self._table.boxes:
            try:
                placed.append(self._placed(box))
            except Rejected as rejected:
                self.rejects.append(Reject(box.line, box.image, rejected.reason, rejected.detail))
        return placed

    def _cases(self) -> tuple[Mapping[str, str], str | None]:
        """Return image name in the table -> case, and a note on how names were matched."""
        given = dict.fromkeys(box.image for box in self._table.boxes)
        found = image_names(given, self._films, "the cohort")
        return (dict(zip(given, given, strict=True)), None) if found is None else (found.pairs, found.note)

    def _placed(self, box: DrawnBox) -> ImportedBox:
        case = self._names.get(box.image, "")
        if case not in self._films:
            raise Rejected(RejectReason.NO_FILM)
        finding = finding_named(box.word, "any", self._own)
        if finding is None or finding in COMPATIBLE_WITH_NORMAL[:1]:
            raise Rejected(
                RejectReason.NO_FINDING, f"{box.word!r}.{did_you_mean(box.word, self._own.values())}".rstrip(".")
            )
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
            raise Rejected(RejectReason.OUTSIDE, f"{ends} of {size.width} x {size.height}")
        return placed

    def _size_of(self, case: str) -> FilmSize:
        if self._in_fractions:
            return UNIT_SIZE
        if self._size is not None:
            return self._size
        if case not in self._sizes:
            self._sizes[case] = self._read_size(case)
        size = self._sizes[case]
        if size is None:
            raise Rejected(RejectReason.NO_SIZE, "its file is missing or is shown rotated: give fractions of its sides")
        return size

    def _read_size(self, case: str) -> FilmSize | None:
        """Return a film's size from its file, or from the cohort's table if the file is missing."""
        row = self._films[case]
        path = self._images.path(row["root"], row["file"])
        if path is not None:
            return stored_size(path)
        return FilmSize(row["width"], row["height"]) if row["width"] and row["height"] else None


def _contradicted(folder: Folder, boxes: list[ImportedBox]) -> list[str]:
    """Return a note on boxes of findings that are labeled absent on their film."""
    labels = read_table(folder.labels, ["case", "finding", "label"])
    labels = labels.filter(pc.is_in(labels["case"], pa.array(list({box.case for box in boxes}), pa.string())))
    absent = {(row["case"], row["finding"]) for row in labels.to_pylist() if row["label"] == "absent"}
    against = [f"{box.finding} on {box.case}" for box in boxes if (box.case, box.finding) in absent]
    if not against:
        return []
    return [f"boxes of a finding that is labeled absent on their film, kept: {len(against):,} ({some(against)})"]


def _reasons(rejects: tuple[Reject, ...]) -> str:
    return "; ".join(rejected_lines(rejects)) or "The table has no row with a box."


def rejected_lines(rejects: tuple[Reject, ...]) -> list[str]:
    """Return one line per reason: the number of rows and the first of them."""
    return [
        f"{reason} {count:,} ({some(dict.fromkeys(_named(each) for each in rejects if each.reason == reason))})"
        for reason, count in counts_by_reason(rejects).items()
    ]


def _named(reject: Reject) -> str:
    return f"{reject.image}: {reject.detail}" if reject.detail else reject.image
