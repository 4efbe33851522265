"""Removes patient, hospital and date from a DICOM film; only the elements needed to read it remain."""

from __future__ import annotations

import struct

from models.films.dicom_film import WANTED_TAGS
from models.films.dicom_walker import (
    DEFLATED,
    EXPLICIT_LITTLE,
    LONG_VRS,
    TRANSFER_SYNTAX,
    DicomHeader,
    Element,
    ElementEncoding,
    parse_header,
)
from models.films.file_kind import file_kind

CHARACTER_SET = 0x00080005  # written first, because readers need it to read the elements that follow


def strip_patient_data(data: bytes) -> bytes:
    """Return the film with the same pixels and only the elements needed to read it; other formats are unchanged.

    Raises UnreadableRadiograph or DamagedData if it is not a film.
    """
    if file_kind(data) != "dicom":
        return data
    header = parse_header(data, WANTED_TAGS)
    syntax = EXPLICIT_LITTLE if header.transfer_syntax == DEFLATED else header.transfer_syntax
    meta = _encoded_element(
        TRANSFER_SYNTAX, b"UI", syntax.encode("ascii", "replace"), ElementEncoding(implicit=False, little=True)
    )
    first = _encoded_element(CHARACTER_SET, b"CS", b"ISO_IR 100", header.encoding)
    kept = [
        _element_bytes(header, element)
        for _, element in sorted(header.elements.items())
        if element.tag != CHARACTER_SET
    ]
    return b"".join((bytes(128), b"DICM", meta, first, *kept))


def _encoded_element(tag: int, vr: bytes, value: bytes, encoding: ElementEncoding) -> bytes:
    value += b"\0" * (len(value) % 2)
    order = "<" if encoding.little else ">"
    length = struct.pack(order + "L", len(value)) if encoding.implicit else vr + struct.pack(order + "H", len(value))
    return struct.pack(order + "HH", tag >> 16, tag & 0xFFFF) + length + value


def _element_bytes(header: DicomHeader, element: Element) -> bytes:
    """Return an element's bytes with tag and length; an element of undefined length ends with an 8-byte delimiter."""
    start = element.start - (12 if element.vr in LONG_VRS else 8)
    return bytes(header.data[start : element.end + (8 if element.undefined else 0)])
