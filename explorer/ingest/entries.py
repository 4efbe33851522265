"""The rows of a table as cases to be, with their labels in a byte each."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

from explorer.cohorts.schema import LABELS, Sex
from explorer.core.finding_relations import FindingRelation
from explorer.ingest.rejects import Reject
from models.films.film import View

PRESENT, ABSENT, UNCERTAIN, UNKNOWN = (LABELS.index(label) for label in LABELS)
_STRONGEST = (PRESENT, UNCERTAIN, ABSENT, UNKNOWN)  # of several rows for one image: a blank says nothing


@dataclass(frozen=True, slots=True)
class LabelMarks:
    """Labels of one row: a place in LABELS for each finding of its source. `rest` is for those not known then."""

    codes: bytes = b""
    rest: int = UNKNOWN

    def of(self, findings: int) -> bytes:
        """One for each of all `findings`."""
        return self.codes + bytes([self.rest]) * (findings - len(self.codes))

    def united(self, other: LabelMarks) -> LabelMarks:
        """Of two rows of an image: what either says is there, is there."""
        width = max(len(self.codes), len(other.codes))
        pairs = zip(self.of(width), other.of(width), strict=True)
        codes = bytes(min(pair, key=_STRONGEST.index) for pair in pairs)
        return LabelMarks(codes, min(self.rest, other.rest, key=_STRONGEST.index))

    def same(self, other: LabelMarks) -> bool:
        """Whether another row says the same."""
        width = max(len(self.codes), len(other.codes))
        return self.rest == other.rest and self.of(width) == other.of(width)

    def say_nothing(self) -> bool:
        """Whether all are unknown."""
        return self.rest == UNKNOWN and not self.codes.strip(bytes([UNKNOWN]))

    def all_absent(self) -> bool:
        """Whether all are absent, none unknown."""
        return not self.codes.strip(bytes([ABSENT])) and (bool(self.codes) or self.rest == ABSENT)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row or file; see `explorer.cohorts.schema.CASES` for what its values are."""

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
    labelled_by: str | None = None  # who says the marks, None: whom the source names


@dataclass(frozen=True, slots=True)
class SourceMarks:
    """What a further source says of a film: one reader of several."""

    case: str
    source: str
    marks: LabelMarks


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedBox:
    """A box around a finding, in fractions of the film's sides; `drawn_by` None: by whom the source names."""

    case: str
    finding: str
    x: float
    y: float
    width: float
    height: float
    drawn_by: str | None = None

    def inside(self) -> bool:
        """Whether it is a box, and lies in the film."""
        whole = math.isfinite(self.x + self.y + self.width + self.height)
        within = 0 <= self.x and 0 <= self.y and self.x + self.width <= 1 and self.y + self.height <= 1
        return whole and within and 0 < self.width and 0 < self.height


@dataclass(slots=True)
class ImportSource:
    """All that somebody's table or folder says. `notes` is what its owner should know about the reading of it.

    `default_source` is whose labels count where none is asked for, see `explorer.cohorts.manifest.Manifest`.
    `simulated` are films of the simulator. `coming` files are still to be read, where this is what is there so far.
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
    box_source: str = ""
    notes: list[str] = field(default_factory=list)
    words: Counter[str] = field(default_factory=Counter)  # columns, or words of a list, that are not a finding
    like_labels: tuple[str, ...] = ()  # those columns of them in which every cell is 1, 0, -1 or blank, some 1
    relations: tuple[FindingRelation, ...] = ()
    simulated: bool = False
    coming: int = 0
