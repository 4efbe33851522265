"""VinDr-CXR (Nguyen et al., Scientific Data 2022): three readers of each training film, with boxes.

As published (`image_labels_train.csv`, `annotations_train.csv`, and those of the test films, on which five readers
agreed), or as the Kaggle challenge's one `train.csv`, a row for each box.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from explorer.core.findings import BESIDE_NORMAL
from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import VINDR
from explorer.ingest.datasets.dicom_facts import facts_of, with_facts
from explorer.ingest.datasets.find_tables import needed_tables, places, tables
from explorer.ingest.datasets.own_findings import own_findings
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, fractions, sizes_in_tables
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ABSENT, PRESENT, Entry, ImportSource, LabelMarks, SourceMarks
from explorer.ingest.label_table import BLANK_WORDS
from explorer.ingest.label_words import finding_named
from explorer.ingest.rejects import Reason, Reject

TOGETHER = "VinDr-CXR, radiologists together"
BLANK: Blank = "absent"
OWN = (
    "Aortic enlargement",
    "Calcification",
    "Enlarged PA",
    "ILD",
    "Lung cavity",
    "Lung cyst",
    "Lung tumor",
    "Mediastinal shift",
    "Nodule/Mass",
    "Other diseases",
    "Other lesion",
    "Pulmonary fibrosis",
)

_SIDES = ("x_min", "y_min", "x_max", "y_max")
_IDS = ("image_id", "rad_id", "class_name", "class_id")
_YES = frozenset({"1", "1.0"})
_SAME = {"Other disease": "Other diseases"}  # in the test films' table
_TEST = "test"
_BESIDE = (("annotations_train.csv", "train"), ("image_labels_test.csv", _TEST), ("annotations_test.csv", _TEST))
_READER = ""  # of what all agreed on


@dataclass(slots=True)
class _Readings:
    """Words that each reader gave each film, and boxes. A film is in a split, by the table that has it."""

    words: dict[str, dict[str, set[str]]] = field(default_factory=dict)  # film -> reader -> words
    boxes: list[PixelBox] = field(default_factory=list)
    splits: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    known: dict[str, None] = field(default_factory=dict)  # words that a film could have been given, in their order
    rejects: list[Reject] = field(default_factory=list)

    def film(self, image: str, reader: str, split: str, line: int) -> set[str]:
        self.splits.setdefault(image, split)
        self.lines.setdefault(image, line)
        return self.words.setdefault(image, {}).setdefault(reader, set())


def read(root: Path, wanted: Wanted) -> ImportSource:
    """The films that the tables in `root` label; where these are there, their headers give size, sex and age.

    Each reader is a source of labels, and so is what they say together, which counts where none is asked for: present
    where most of a film's readers, or the five who agreed on a test film, say so. What a reader does not name is
    absent. All films are PA, as the paper has it, unless a header says something else. A box is kept where the size of
    its film is known, from a DICOM header or from `train_meta.csv`. A case is an image_id. Raises WrongInput.
    """
    readings = _Readings()
    path = needed_tables(root, VINDR)[0]
    _read(path, "train", readings)
    if path.name.startswith("image_labels"):
        for name, split in _BESIDE:
            for more in tables(path.parent, [name]):
                _read(more, split, readings)
    source = _source(readings)
    sizes = sizes_in_tables(root)
    for place, (entry, facts) in enumerate(facts_of(source.entries, wanted.films(root))):
        known = with_facts(entry, facts)
        source.entries[place] = replace(known, view="PA") if known.view == "unknown" else known
        if facts is not None and facts.width and facts.height:
            sizes[entry.case] = FilmSize(facts.width, facts.height)
    source.boxes, notes = fractions(readings.boxes, sizes, _named)
    source.box_source = TOGETHER
    source.notes += notes
    return source


def _read(path: Path, split: str, readings: _Readings) -> None:
    """A table with a column for each finding, or one with a row for each finding or box."""
    with table_rows(path) as (names, rows):
        names = [name.lower() if name.lower() == "rad_id" else _SAME.get(name, name) for name in names]
        (image,) = places(path, names, VINDR, ["image_id"])
        reader = names.index("rad_id") if "rad_id" in names else None
        if reader is None and split != _TEST:
            places(path, names, VINDR, ["rad_id"])
        listed = "class_name" in names
        columns = {name: place for place, name in enumerate(names) if name not in (*_IDS, *_SIDES)}
        if not listed:
            readings.known.update(dict.fromkeys(columns))
        named, *sides = places(path, names, VINDR, ("class_name", *_SIDES)) if listed else (0,)
        for line, row in whole_rows(names, rows, image, readings.rejects):
            if not row[image].strip():
                readings.rejects.append(Reject(line, "", Reason.NO_IDENTIFIER))
                continue
            by = _READER if reader is None else row[reader]
            words = readings.film(row[image], by, split, line)
            if not listed:
                words.update(name for name, place in columns.items() if row[place] in _YES)
                continue
            word = _SAME.get(row[named], row[named])
            readings.known.setdefault(word)
            words.add(word)
            if row[sides[0]]:
                cells = [row[side] for side in sides]
                readings.boxes.append(PixelBox(row[image], word, cells, _said_by(by)))


def _source(readings: _Readings) -> ImportSource:
    places_of: dict[str, int] = {}
    named = {word: finding for word in readings.known if (finding := _named(word)) is not None}
    for finding in named.values():
        places_of.setdefault(finding, len(places_of))
    normal = places_of.get("Normal")
    beside = {places_of[name] for name in BESIDE_NORMAL if name in places_of}
    source = ImportSource(
        title=VINDR.title,
        name="VinDr-CXR (Nguyen et al., 2022), labels and boxes by radiologists",
        label_source=TOGETHER,
        blank=BLANK_WORDS[BLANK],
        findings=tuple(places_of),
        rejects=readings.rejects,
        default_source=TOGETHER,
        words=Counter(word for said in readings.words.values() for each in said.values() for word in each - set(named)),
    )
    for image, said in readings.words.items():
        found = {reader: {places_of[named[word]] for word in words & set(named)} for reader, words in said.items()}
        torn = [reader for reader, places in found.items() if normal in places and places - beside]
        if torn:
            detail = f"by {_said_by(torn[0])}"
            source.rejects.append(Reject(readings.lines[image], image, Reason.NORMAL_AND_FINDING, detail))
            continue
        votes = Counter(place for places in found.values() for place in places)
        most = {place for place, count in votes.items() if 2 * count > len(found)}
        source.entries.append(
            Entry(
                case=image,
                center=VINDR.center,
                line=readings.lines[image],
                file=f"{readings.splits[image]}/{image}.dicom",
                study=image,
                split=readings.splits[image],
                marks=_marks(most, len(places_of)),
            )
        )
        source.more_marks += [
            SourceMarks(image, _said_by(reader), _marks(places, len(places_of)))
            for reader, places in sorted(found.items())
            if reader != _READER
        ]
    return source


def _marks(present: set[int], findings: int) -> LabelMarks:
    return LabelMarks(bytes(PRESENT if place in present else ABSENT for place in range(findings)))


def _said_by(reader: str) -> str:
    return TOGETHER if reader == _READER else f"VinDr-CXR, reader {reader}"


def _named(word: str) -> str | None:
    return finding_named(word, "any", _OWN)


_OWN = own_findings(OWN)
