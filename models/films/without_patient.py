"""A DICOM film without what its header says of patient, hospital and time: what it takes to read it stays."""

from __future__ import annotations

import struct

from models.films.dicom_film import WANTED
from models.films.dicom_walker import (
    DEFLATED,
    EXPLICIT_LITTLE,
    LONG_VRS,
    TRANSFER_SYNTAX,
    DicomHeader,
    Element,
    Encoding,
    parse,
)
from models.films.file_kind import file_kind

CHARACTER_SET = 0x00080005  # goes first, so that a reader knows how the elements after it are written


def without_patient(data: bytes) -> bytes:
    """The film with the same pixels and none of the other elements; a file of another format as it is.

    Raises UnreadableRadiograph or DamagedData for what is no film.
    """
    if file_kind(data) != "dicom":
        return data
    header = parse(data, WANTED)
    syntax = EXPLICIT_LITTLE if header.transfer_syntax == DEFLATED else header.transfer_syntax
    meta = _written(TRANSFER_SYNTAX, b"UI", syntax.encode("ascii", "replace"), Encoding(implicit=False, little=True))
    first = _written(CHARACTER_SET, b"CS", b"ISO_IR 100", header.encoding)
    kept = [_copied(header, element) for _, element in sorted(header.elements.items()) if element.tag != CHARACTER_SET]
    return b"".join((bytes(128), b"DICM", meta, first, *kept))


def _written(tag: int, vr: bytes, value: bytes, encoding: Encoding) -> bytes:
    value += b"\0" * (len(value) % 2)
    order = "<" if encoding.little else ">"
    length = struct.pack(order + "L", len(value)) if encoding.implicit else vr + struct.pack(order + "H", len(value))
    return struct.pack(order + "HH", tag >> 16, tag & 0xFFFF) + length + value


def _copied(header: DicomHeader, element: Element) -> bytes:
    """The bytes of an element with its tag and length; one of undefined length ends with a delimiter of 8."""
    start = element.start - (12 if element.vr in LONG_VRS else 8)
    return bytes(header.data[start : element.end + (8 if element.undefined else 0)])
