"""Writes the two DICOM files of a read film into one ZIP."""

from __future__ import annotations

import io
import zipfile

from pydicom.dataset import Dataset

from explorer.analysis.exports.dicom.identity import ExportIdentity
from explorer.analysis.exports.dicom.plate import WARNING, Plate, Window, draw_plate
from explorer.analysis.exports.dicom.scores_report import decoding_notes, report_words, row_words, scores_report
from explorer.analysis.exports.dicom.secondary_capture import secondary_capture
from explorer.analysis.exports.dicom.shown_map import ShownMap
from explorer.analysis.exports.film_report import FilmReport
from explorer.core.csv_table import iso
from explorer.core.figures import score_text
from explorer.core.version import version
from explorer.reading.map_worth import brief_map_words

PICTURE_FILE, REPORT_FILE = "secondary-capture.dcm", "scores-report.dcm"


def dicom_files(
    record: FilmReport, identity: ExportIdentity, window: Window, heat: ShownMap | None = None
) -> tuple[Dataset, Dataset]:
    """Return the secondary capture of a film, with a finding's map if given, and the report of its scores."""
    drawn = plate_of(record, window, heat)
    finding = heat.finding if heat else "film"
    derivation = " ".join([f"{WARNING}.", *plate_words(record, heat), *([f"Map: {heat.scale_words}."] if heat else [])])
    picture = secondary_capture(
        drawn.pixels, derivation, finding, identity, record.made, sides=record.radiograph.sides == "stated"
    )
    return picture, scores_report(record, picture, identity)


def dicom_zip(record: FilmReport, identity: ExportIdentity, window: Window, heat: ShownMap | None = None) -> bytes:
    """Return both DICOM files as one ZIP."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, dataset in zip((PICTURE_FILE, REPORT_FILE), dicom_files(record, identity, window, heat), strict=True):
            file = io.BytesIO()
            dataset.save_as(file, enforce_file_format=True)
            folder.writestr(zipfile.ZipInfo(name, record.made.timetuple()[:6]), file.getvalue(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def plate_of(record: FilmReport, window: Window, heat: ShownMap | None) -> Plate:
    """Draw the picture of the secondary capture."""
    film = record.radiograph
    lines = [*plate_words(record, heat), window.words]
    return draw_plate(film.pixels, lines, window=window, heat=heat, sides=film.sides)


def plate_words(record: FilmReport, heat: ShownMap | None) -> list[str]:
    """Return the lines printed below the film: cautions, notes, the finding, the model and the date."""
    row = next((row for row in record.rows if heat and row.finding == heat.finding), None)
    cut = "" if row is None or row.threshold is None else f", threshold {score_text(row.threshold)}"
    card = record.card
    weights = f", weights {card.sha256[:12]}" if card.sha256 else ""
    sides = [] if record.radiograph.sides == "stated" else ["R and L by convention; the file does not say."]
    return [
        *report_words(record)[1:],
        *([f"Film: {'; '.join(notes)}."] if (notes := decoding_notes(record.radiograph)) else []),
        *([f"{row.finding}: score {score_text(row.score)}{cut}, {row_words(row)}."] if row else []),
        *([f"Maps of {row.finding}: {brief_map_words(row.map_worth)}."] if row else []),
        f"Model {card.name}{weights}, Tailscope {version()}, {iso(record.made)}.",
        *sides,
    ]
