"""The rows of a table as future cases, with one byte per label."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from explorer.cohorts.film_reports import FilmReport
from explorer.cohorts.schema import LABELS, Sex
from explorer.core.finding_relations import FindingRelation
from explorer.ingest.rejects import Reject
from models.films.film import View

PRESENT, ABSENT, UNCERTAIN, UNKNOWN = (LABELS.index(label) for label in LABELS)
_STRONGEST = (PRESENT, UNCERTAIN, ABSENT, UNKNOWN)  # precedence among several rows of an image


@dataclass(frozen=True, slots=True)
class LabelMarks:
    """Labels of one row: an index into LABELS per finding of its source. `rest` is for findings that appear later."""

    codes: bytes = b""
    rest: int = UNKNOWN

    def padded(self, findings: int) -> bytes:
        """Return the codes for all `findings`."""
        return self.codes + bytes([self.rest]) * (findings - len(self.codes))

    def merged(self, other: LabelMarks) -> LabelMarks:
        """Merge two rows of an image: a finding is present if either row says so."""
        width = max(len(self.codes), len(other.codes))
        pairs = zip(self.padded(width), other.padded(width), strict=True)
        codes = bytes(min(pair, key=_STRONGEST.index) for pair in pairs)
        return LabelMarks(codes, min(self.rest, other.rest, key=_STRONGEST.index))

    def same(self, other: LabelMarks) -> bool:
        """Whether another row has the same labels."""
        width = max(len(self.codes), len(other.codes))
        return self.rest == other.rest and self.padded(width) == other.padded(width)

    def all_unknown(self) -> bool:
        """Whether all labels are unknown."""
        return self.rest == UNKNOWN and not self.codes.strip(bytes([UNKNOWN]))

    def all_absent(self) -> bool:
        """Whether all labels are absent and none is unknown."""
        return not self.codes.strip(bytes([ABSENT])) and (bool(self.codes) or self.rest == ABSENT)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row or file; `explorer.cohorts.schema.CASES` describes the values."""

    case: str
    center: str
    line: int | None = None
    file: str | None = None
    patient: str | None = None
    study: str | None = None
    view: View = "unknown"
    sex: Sex = "unknown"
    age: int | None = None
    split: str | None = None
    width: int | None = None
    height: int | None = None
    marks: LabelMarks = LabelMarks()
    labelled_by: str | None = None  # source of the marks, None: the import's default


@dataclass(frozen=True, slots=True)
class SourceMarks:
    """Labels of a film from an additional source, such as one of several readers."""

    case: str
    source: str
    marks: LabelMarks


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBox:
    """A box around a finding, in fractions of the film's sides; `drawn_by` None: the import's box source."""

    case: str
    finding: str
    x: float
    y: float
    width: float
    height: float
    drawn_by: str | None = None

    def inside(self) -> bool:
        """Whether it is a valid box inside the film."""
        finite = math.isfinite(self.x + self.y + self.width + self.height)
        within = 0 <= self.x and 0 <= self.y and self.x + self.width <= 1 and self.y + self.height <= 1
        return finite and within and 0 < self.width and 0 < self.height


@dataclass(slots=True)
class ImportSource:
    """The contents of a table or folder. `notes` tell its owner how it was read.

    `default_source` is the source whose labels count by default, see `explorer.cohorts.manifest.Manifest`. `simulated`:
    films of the simulator. `coming`: files still to be read, if this is only the part read so far.
    """

    title: str
    name: str
    label_source: str
    blank: str
    findings: tuple[str, ...] = ()
    entries: list[Entry] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    more_marks: list[SourceMarks] = field(default_factory=list)
    default_source: str | None = None
    boxes: list[ImportedBox] = field(default_factory=list)
    reports: list[FilmReport] = field(default_factory=list)
    box_source: str = ""
    notes: list[str] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)  # columns or words that are not findings
    like_labels: tuple[str, ...] = ()  # such columns that only hold 1, 0, -1 or blanks, with at least one 1
    relations: tuple[FindingRelation, ...] = ()
    simulated: bool = False
    coming: int = 0
