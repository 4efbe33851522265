"""Numbers of a DICOM header, written as text or, against the standard, in binary."""

from __future__ import annotations

import math
import re
import struct

MOST = 1024  # bytes that are looked at
TEXT = frozenset((b"IS", b"DS", b"SH", b"LO", b"CS", b"ST", b"UT"))
BINARY = {b"FD": "d", b"FL": "f", b"US": "H", b"SS": "h", b"UL": "L", b"SL": "l"}
WIDER = BINARY.keys() - {b"US", b"SS"}


def is_written(raw: bytes, vr: bytes) -> bool:
    """Whether an element of binary integers has them as text, against the standard; implicit files do not say so."""
    return vr in TEXT or (not vr and re.fullmatch(rb"[0-9]{3,5} ?", raw) is not None and len(raw) > 2)


def written_numbers(texts: tuple[str, ...]) -> tuple[float | None, ...]:
    """Decimal strings as floats, None for each that is not a finite number; blanks at the end are left out."""
    found = [_number(text) for text in texts]
    while found and not texts[len(found) - 1]:
        found.pop()
    return tuple(found)


def binary_numbers(raw: memoryview, vr: bytes, *, little: bool) -> tuple[float | None, ...]:
    """Numbers of a binary value representation as floats, None for each that is not finite."""
    kind, order = BINARY[vr], "<" if little else ">"
    count = min(len(raw), MOST) // struct.calcsize(order + kind)
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
