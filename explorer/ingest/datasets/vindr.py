"""Imports VinDr-CXR (Nguyen et al., Scientific Data 2022): three readers per training film, with boxes.

Reads the published tables (`image_labels_train.csv`, `annotations_train.csv`, and those of the test films, on which
five readers agreed), or the Kaggle challenge's single `train.csv`, one row per box.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import VINDR
from explorer.ingest.datasets.dicom_facts import entries_with_facts, with_facts
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.own_findings import own_findings
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, boxes_as_fractions, sizes_in_tables
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ABSENT, PRESENT, Entry, ImportSource, LabelMarks, SourceMarks
from explorer.ingest.label_table import BLANK_WORDS
from explorer.ingest.label_words import finding_named
from explorer.ingest.rejects import Reject, RejectReason

CONSENSUS_SOURCE = "VinDr-CXR, radiologists together"
BLANK_MEANS: Blank = "absent"
OWN_FINDINGS = (
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
_SPELLINGS = {"Other disease": "Other diseases"}  # spelling in the test films' table -> in the others
_TEST = "test"
_MORE_TABLES = (("annotations_train.csv", "train"), ("image_labels_test.csv", _TEST), ("annotations_test.csv", _TEST))
_CONSENSUS = ""  # in place of a reader, for labels on which all agreed


@dataclass(slots=True)
class _Readings:
    """Each reader's words for each film, boxes, and the split of each film, given by its table."""

    words: dict[str, dict[str, set[str]]] = field(default_factory=dict)  # film -> reader -> words
    boxes: list[PixelBox] = field(default_factory=list)
    splits: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    known: dict[str, None] = field(default_factory=dict)  # words that a film could have, in order
    rejects: list[Reject] = field(default_factory=list)

    def film(self, image: str, reader: str, split: str, line: int) -> set[str]:
        self.splits.setdefault(image, split)
        self.lines.setdefault(image, line)
        return self.words.setdefault(image, {}).setdefault(reader, set())


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films that the tables in `root` label; DICOM headers, if present, add size, sex and age.

    Each reader is a source of labels. So is their consensus, which is the default: a finding is present if the majority
    of a film's readers, or the five who agreed on a test film, say so. A finding that a reader does not name is absent.
    All films are PA, as the paper says, unless a header differs. A box is kept if the size of its film is known from a
    DICOM header or from `train_meta.csv`. A case is an image_id. Raises WrongInput.
    """
    readings = _Readings()
    path = needed_tables(root, VINDR)[0]
    _read(path, "train", readings)
    if path.name.startswith("image_labels"):
        for name, split in _MORE_TABLES:
            for more in tables(path.parent, [name]):
                _read(more, split, readings)
    source = _source(readings)
    sizes = sizes_in_tables(root)
    for place, (entry, facts) in enumerate(entries_with_facts(source.entries, wanted.films(root))):
        known = with_facts(entry, facts)
        source.entries[place] = replace(known, view="PA") if known.view == "unknown" else known
        if facts is not None and facts.width and facts.height:
            sizes[entry.case] = FilmSize(facts.width, facts.height)
    source.boxes, notes = boxes_as_fractions(readings.boxes, sizes, _named)
    source.box_source = CONSENSUS_SOURCE
    source.notes += notes
    return source


def _read(path: Path, split: str, readings: _Readings) -> None:
    """Read a table with one column per finding, or one with a row per finding or box."""
    with table_rows(path) as (names, rows):
        names = [name.lower() if name.lower() == "rad_id" else _SPELLINGS.get(name, name) for name in names]
        (image,) = column_places(path, names, VINDR, ["image_id"])
        reader = names.index("rad_id") if "rad_id" in names else None
        if reader is None and split != _TEST:
            column_places(path, names, VINDR, ["rad_id"])
        listed = "class_name" in names
        columns = {name: place for place, name in enumerate(names) if name not in (*_IDS, *_SIDES)}
        if not listed:
            readings.known.update(dict.fromkeys(columns))
        named, *sides = column_places(path, names, VINDR, ("class_name", *_SIDES)) if listed else (0,)
        for line, row in whole_rows(names, rows, image, readings.rejects):
            if not row[image].strip():
                readings.rejects.append(Reject(line, "", RejectReason.NO_IDENTIFIER))
                continue
            by = _CONSENSUS if reader is None else row[reader]
            words = readings.film(row[image], by, split, line)
            if not listed:
                words.update(name for name, place in columns.items() if row[place] in _YES)
                continue
            word = _SPELLINGS.get(row[named], row[named])
            readings.known.setdefault(word)
            words.add(word)
            if row[sides[0]]:
                cells = [row[side] for side in sides]
                readings.boxes.append(PixelBox(row[image], word, cells, _source_name(by)))


def _source(readings: _Readings) -> ImportSource:
    places_of: dict[str, int] = {}
    named = {word: finding for word in readings.known if (finding := _named(word)) is not None}
    for finding in named.values():
        places_of.setdefault(finding, len(places_of))
    normal = places_of.get("Normal")
    beside = {places_of[name] for name in COMPATIBLE_WITH_NORMAL if name in places_of}
    source = ImportSource(
        title=VINDR.title,
        name="VinDr-CXR (Nguyen et al., 2022), labels and boxes by radiologists",
        label_source=CONSENSUS_SOURCE,
        blank=BLANK_WORDS[BLANK_MEANS],
        findings=tuple(places_of),
        rejects=readings.rejects,
        default_source=CONSENSUS_SOURCE,
        words=Counter(
            word for by_reader in readings.words.values() for each in by_reader.values() for word in each - set(named)
        ),
    )
    for image, by_reader in readings.words.items():
        found = {reader: {places_of[named[word]] for word in words & set(named)} for reader, words in by_reader.items()}
        contradictory = [reader for reader, places in found.items() if normal in places and places - beside]
        if contradictory:
            detail = f"by {_source_name(contradictory[0])}"
            source.rejects.append(Reject(readings.lines[image], image, RejectReason.NORMAL_AND_FINDING, detail))
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
            SourceMarks(image, _source_name(reader), _marks(places, len(places_of)))
            for reader, places in sorted(found.items())
            if reader != _CONSENSUS
        ]
    return source


def _marks(present: set[int], findings: int) -> LabelMarks:
    return LabelMarks(bytes(PRESENT if place in present else ABSENT for place in range(findings)))


def _source_name(reader: str) -> str:
    return CONSENSUS_SOURCE if reader == _CONSENSUS else f"VinDr-CXR, reader {reader}"


def _named(word: str) -> str | None:
    return finding_named(word, "any", _OWN)


_OWN = own_findings(OWN_FINDINGS)
