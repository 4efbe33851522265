"""Parses numbers in a DICOM header, stored as text or, against the standard, in binary."""

from __future__ import annotations

import math
import re
import struct

MAX_NUMBER_BYTES = 1024  # longer values are cut off
TEXT_VRS = frozenset((b"IS", b"DS", b"SH", b"LO", b"CS", b"ST", b"UT"))
BINARY_VRS = {b"FD": "d", b"FL": "f", b"US": "H", b"SS": "h", b"UL": "L", b"SL": "l"}
WIDE_BINARY_VRS = BINARY_VRS.keys() - {b"US", b"SS"}


def is_text_number(raw: bytes, vr: bytes) -> bool:
    """Return whether an element meant for binary integers contains text; in files with implicit VR this is a guess."""
    return vr in TEXT_VRS or (not vr and re.fullmatch(rb"[0-9]{3,5} ?", raw) is not None and len(raw) > 2)


def parse_decimals(texts: tuple[str, ...]) -> tuple[float | None, ...]:
    """Parse decimal strings; None marks one that is not a finite number, and trailing blanks are dropped."""
    found = [_number(text) for text in texts]
    while found and not texts[len(found) - 1]:
        found.pop()
    return tuple(found)


def unpack_numbers(raw: memoryview, vr: bytes, *, little: bool) -> tuple[float | None, ...]:
    """Unpack numbers of a binary value representation as floats; None marks one that is not finite."""
    kind, order = BINARY_VRS[vr], "<" if little else ">"
    count = min(len(raw), MAX_NUMBER_BYTES) // struct.calcsize(order + kind)
    return tuple(_finite(number) for number in struct.unpack_from(f"{order}{count}{kind}", raw))


def _number(text: str) -> float | None:
    """Parse a decimal string; accepts a decimal comma."""
    with_point = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    try:
        return _finite(float(with_point))
    except ValueError:
        return None


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
