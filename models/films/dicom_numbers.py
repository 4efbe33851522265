"""Numbers of a DICOM header, written as text or, against the standard, in binary."""

from __future__ import annotations

import math
import struct

MOST = 1024  # bytes that are looked at
BINARY = {b"FD": "d", b"FL": "f", b"US": "H", b"SS": "h", b"UL": "L", b"SL": "l"}


def written_numbers(texts: tuple[str, ...]) -> tuple[float | None, ...]:
    """Decimal strings as floats, None for each that is not a finite number; blanks at the end are left out."""
    found = [_number(text) for text in texts]
    while found and not texts[len(found) - 1]:
        found.pop()
    return tuple(found)


def binary_numbers(raw: memoryview, vr: bytes, *, little: bool) -> tuple[float | None, ...]:
    """Numbers of a binary value representation as floats, None for each that is not finite."""
    kind, order = BINARY[vr], "<" if little else ">"
    count = min(len(raw), MOST) // struct.calcsize(kind)
    return tuple(_finite(number) for number in struct.unpack_from(f"{order}{count}{kind}", raw))


def _number(text: str) -> float | None:
    """A decimal string, with a comma where the writer's language has one."""
    with_point = text.replace(",", ".") if text.count(",") == 1 and "." not in text else text
    try:
        return _finite(float(with_point))
    except ValueError:
        return None


def _finite(number: float) -> float | None:
    return float(number) if math.isfinite(number) else None
