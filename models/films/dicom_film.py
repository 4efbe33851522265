"""Turns DICOM into a film: refuses anything but a single radiograph, then reads pixels, view and spacing."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.films.color import sum_channels
from models.films.dicom_display import DISPLAY_TAGS, display
from models.films.dicom_layout import (
    BITS_ALLOCATED,
    BITS_STORED,
    PIXEL_TAGS,
    check_layout,
    image_size,
    is_signed,
    photometric,
)
from models.films.dicom_lut import apply_palette
from models.films.dicom_walker import PIXEL_DATA, DicomHeader, parse_header
from models.films.film import (
    DamagedData,
    Radiograph,
    SpacingPlane,
    Undecoded,
    UnreadableRadiograph,
    View,
    check_size,
)
from models.films.intensity import gray_levels
from models.films.orientation import orientation
from models.films.square_pixels import PixelShape, pixel_shape
from models.films.study_token import study_token

MODALITY, BODY_PART, VIEW_POSITION, VIEW_CODES, CODE_VALUE = 0x00080060, 0x00180015, 0x00185101, 0x00540220, 0x00080100
DETECTOR_SPACING, SPACING, CALIBRATION, FRAMES = 0x00181164, 0x00280030, 0x00280A02, 0x00280008
SCANNED_SPACING, ASPECT_RATIO = 0x00182010, 0x00280034
DIRECTORY, ORIENTATION, STUDY = 0x00041220, 0x00200020, 0x0020000D
MANUFACTURER, BURNED_IN = 0x00080070, 0x00280301
WANTED_TAGS = (
    PIXEL_TAGS
    | DISPLAY_TAGS
    | {MODALITY, BODY_PART, VIEW_POSITION, VIEW_CODES, DETECTOR_SPACING, SPACING, CALIBRATION, FRAMES, DIRECTORY}
    | {SCANNED_SPACING, ASPECT_RATIO, ORIENTATION, MANUFACTURER, BURNED_IN}
)
READ_TAGS = WANTED_TAGS | {STUDY}  # a copy without patient data has only WANTED_TAGS

OWN_MANUFACTURER = "Tailscope"  # manufacturer of secondary captures saved by this project
OWN_CAPTURE = "a picture saved by Tailscope, with text and possibly a map in it"  # note for such a film

FILM_MODALITIES = frozenset(("CR", "DX", "RG"))
SCANNED_MODALITIES = frozenset(("OT", "SC"))  # usual for scanned and secondary-capture films
OTHER_MODALITIES = {
    "CT": "a CT slice",
    "MR": "an MR image",
    "US": "an ultrasound image",
    "IVUS": "an ultrasound image",
    "MG": "a mammogram",
    "NM": "a nuclear medicine image",
    "PT": "a PET image",
    "XA": "an angiogram",
    "RF": "a fluoroscopy image",
    "IO": "a dental radiograph",
    "PX": "a dental panorama",
    "BMD": "a bone density scan",
    "OP": "an eye image",
    "OPT": "an eye image",
    "ES": "an endoscopy image",
    "GM": "a microscopy image",
    "SM": "a microscopy slide",
    "XC": "a photograph",
    "SEG": "a segmentation",
    "PR": "a presentation state",
    "SR": "a structured report",
    "KO": "a key object note",
    "DOC": "a document",
    "ECG": "an electrocardiogram",
    "RTDOSE": "a radiotherapy dose",
    "RTPLAN": "a radiotherapy plan",
    "RTSTRUCT": "a radiotherapy structure set",
    "RTIMAGE": "a radiotherapy image",
}
VIEW_POSITIONS: dict[str, View] = {
    "PA": "PA",
    "AP": "AP",
    "LL": "lateral",
    "RL": "lateral",
    "LAT": "lateral",
    "LATERAL": "lateral",
    "LEFT LATERAL": "lateral",
    "RIGHT LATERAL": "lateral",
}
VIEW_CODE_VALUES: dict[str, View] = {  # CID 4010 in SNOMED CT and the older SRT codes
    "272479007": "PA",
    "R-40888": "PA",
    "R-10214": "PA",
    "399348003": "AP",
    "R-10206": "AP",
    "399067008": "lateral",
    "R-102CD": "lateral",
    "399173006": "lateral",
    "R-10236": "lateral",
    "399198007": "lateral",
    "R-10232": "lateral",
}
BODY_PART_PATTERN = re.compile(r"[A-Z0-9]+(?: [A-Z0-9]+)*")
SPACING_RANGE_MM = (0.005, 10.0)


def open_dicom(data: bytes) -> Undecoded:
    """Read the header of a DICOM file, with or without a preamble. Raises UnreadableRadiograph."""
    with _damage():
        header = parse_header(data, READ_TAGS)
    notes = _refuse_other_objects(header)
    check_layout(header)
    shape = _pixel_shape(header)
    size = shape.shown_size(*image_size(header))
    check_size(*size)
    return Undecoded(size, lambda: _radiograph(data, header, shape, notes))


@contextmanager
def _damage() -> Iterator[None]:
    try:
        yield
    except DamagedData as error:
        raise UnreadableRadiograph(
            "The DICOM file is cut short or damaged",
            "The file ends before its last pixel. Copy or export it again, completely.",
        ) from error


def _radiograph(data: bytes, header: DicomHeader, shape: PixelShape, notes: list[str]) -> Radiograph:
    from models.films.dicom_pixels import stored_values  # imports pydicom with its decoders, which is slow

    with _damage():
        stored, bit_notes = stored_values(header)
    pixels, colorfulness, shown = _film(stored, header)
    spacing, place, spacing_notes = _spacing(header)
    notes = [*notes, *_storage_notes(header), *bit_notes, *shown, *spacing_notes]
    if shape.note:
        notes.append(shape.note)
    spacing = shape.shown_spacing(spacing, *image_size(header)) if spacing and shape.ratio != 1 else spacing
    pixels = shape.squared(pixels)
    view = _view(header)
    orientation_found = None if view == "lateral" else orientation(header.texts(ORIENTATION))
    if orientation_found and orientation_found.note:
        pixels = orientation_found.to_standard(pixels)
        spacing = spacing[::-1] if spacing and orientation_found.on_side else spacing
        notes.append(orientation_found.note)
    return Radiograph(
        pixels=pixels,
        view=view,
        spacing_mm=spacing,
        spacing_at=place,
        colorfulness=colorfulness,
        body_part=_body_part(header),
        source_kind="dicom",
        original_size=image_size(header),
        notes=tuple(notes),
        sha256=hashlib.sha256(data).hexdigest(),
        sides="stated" if orientation_found else "assumed",
        study=study_token(header.text(STUDY)),
    )


def _film(stored: NDArray[Any], header: DicomHeader) -> tuple[NDArray[np.float32], float, list[str]]:
    """Return pixels (h, w) rendered from stored values, their colorfulness, and notes."""
    bits = header.integer(BITS_STORED)
    if photometric(header) == "PALETTE COLOR":
        stored, bits = apply_palette(stored, header), 16
    if stored.ndim == 2:
        pixels, notes = display(stored, header)
        return pixels, 0.0, notes
    white, notes = float(2**bits - 1), ["color read as gray"]
    used = int(stored.max()).bit_length()
    if used > bits or used < bits > 8:
        white = float(2 ** max(8, used) - 1)
        notes.append(f"the header says {bits} bits, but values use {max(8, used)}: shown as {max(8, used)}")
    total, spread = sum_channels(stored)
    levels = gray_levels(total)
    return levels.render(levels.values / (3 * white)), spread / white, notes


def _refuse_other_objects(header: DicomHeader) -> list[str]:
    if DIRECTORY in header:
        raise UnreadableRadiograph(
            "This is a DICOMDIR, the table of contents of a disc", "Choose one of the image files beside it."
        )
    modality = header.text(MODALITY).upper()
    if modality and modality not in FILM_MODALITIES | SCANNED_MODALITIES:
        what = OTHER_MODALITIES.get(modality, "another kind of DICOM object")
        raise UnreadableRadiograph(
            f"This is {what}, not a radiograph", "Choose a projection radiograph (modality CR or DX)."
        )
    if PIXEL_DATA not in header:
        raise UnreadableRadiograph(
            "The DICOM file contains no image",
            "It is a report, a header only, or cut short. Choose the film's own file.",
        )
    frames = header.numbers(FRAMES)
    if frames and frames[0] > 1:
        raise UnreadableRadiograph(
            f"The DICOM has {frames[0]:.0f} frames", "Only single films are read. Export one frame as a separate file."
        )
    if header.text(MANUFACTURER) == OWN_MANUFACTURER and header.text(BURNED_IN).upper() == "YES":
        return [OWN_CAPTURE]
    if modality in SCANNED_MODALITIES:
        return ["secondary capture or other modality, read as a film"]
    return [] if modality else ["no modality in the file, read as a film"]


def _storage_notes(header: DicomHeader) -> list[str]:
    notes = []
    allocated, stored = header.integer(BITS_ALLOCATED), header.integer(BITS_STORED)
    if stored < allocated:
        notes.append(f"{stored} bits stored in {allocated}")
    if is_signed(header):
        notes.append("signed values")
    if not header.encoding.little:
        notes.append("big-endian file")
    return notes


def _view(header: DicomHeader) -> View:
    named = VIEW_POSITIONS.get(header.text(VIEW_POSITION).upper())
    if named:
        return named
    item = header.item(VIEW_CODES)
    return VIEW_CODE_VALUES.get(item.text(CODE_VALUE), "unknown") if item else "unknown"


def _spacing(header: DicomHeader) -> tuple[tuple[float, float] | None, SpacingPlane | None, list[str]]:
    """Return the spacing at the detector if the file states it, else that at the patient, with notes (PS3.3 10.7)."""
    detector = _pair(header.numbers(DETECTOR_SPACING))
    if detector:
        return detector, "detector", []
    patient = _pair(header.numbers(SPACING))
    if patient is None:
        return None, None, []
    calibrated = header.text(CALIBRATION) in ("GEOMETRY", "FIDUCIAL")
    return patient, "patient", [] if calibrated else ["pixel spacing without calibration type: may be the detector's"]


def _pixel_shape(header: DicomHeader) -> PixelShape:
    """Return the pixel shape from the stated spacings, else from the aspect ratio, which gives no size."""
    spacings = [_pair(header.numbers(tag)) for tag in (DETECTOR_SPACING, SCANNED_SPACING, SPACING)]
    stated = [spacing for spacing in spacings if spacing]
    ratio = header.numbers(ASPECT_RATIO)
    if not stated and len(ratio) == 2 and min(ratio) > 0:
        stated = [(ratio[0], ratio[1])]
    return pixel_shape(stated)


def _pair(numbers: tuple[float, ...]) -> tuple[float, float] | None:
    low, high = SPACING_RANGE_MM
    if len(numbers) != 2 or not all(math.isfinite(number) and low <= number <= high for number in numbers):
        return None
    return numbers[0], numbers[1]


def _body_part(header: DicomHeader) -> str | None:
    """Return BodyPartExamined if it looks like a code; longer or odder text may describe the patient."""
    part = header.text(BODY_PART).upper()
    return part if len(part) <= 16 and BODY_PART_PATTERN.fullmatch(part) else None
