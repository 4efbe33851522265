"""Names of DICOM elements for messages."""

from __future__ import annotations


def element_name(tag: int) -> str:
    """Return an element's name and number in the standard: "High Bit (0028,0102)"."""
    from pydicom.datadict import dictionary_description  # slow to import, and most films need no message

    return f"{dictionary_description(tag)} ({tag >> 16:04X},{tag & 0xFFFF:04X})"
