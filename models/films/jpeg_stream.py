"""Reads the headers of JPEG and JPEG 2000 streams before any decoder sees them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from models.films.exif import exif_orientation
from models.films.film import DamagedData, UnreadableRadiograph
from models.films.square_pixels import PixelShape, shape_by_density

MAX_SEGMENTS = 10_000
MAX_FILL = 65_536  # fill bytes before a marker; encoders that align use a few
MAX_SCANNED = 400_000_000  # pixels times scans: a progressive film has about ten scans, a decompression bomb thousands

SOI, EOI, SOS, APP0, APP1, APP14 = 0xD8, 0xD9, 0xDA, 0xE0, 0xE1, 0xEE
NO_FRAME = frozenset((0xC4, 0xC8, 0xCC))  # markers in C0-CF that are tables, not frames
JPEG_LS_FRAME = 0xF7


@dataclass(frozen=True, slots=True)
class JpegStream:
    """A stream: `size` is (height, width), `bare` the stream without metadata, `orientation` EXIF's value, 1 to 8."""

    size: tuple[int, int]
    precision: int
    components: bytes
    jfif: bool
    orientation: int
    bare: bytes
    shape: PixelShape


def read_jpeg(data: bytes) -> JpegStream:
    """Read the markers before the first scan. Raises DamagedData, or UnreadableRadiograph for a decompression bomb."""
    frame, jfif, orientation, shape = b"", False, 1, PixelShape()
    kept = [data[:2]]
    for marker, start, end in _segments(data):
        body = data[start + 4 : end]
        if marker == APP1 and body.startswith(b"Exif\0\0"):
            orientation = exif_orientation(body[6:])
        if marker == APP0 and body.startswith(b"JFIF"):
            jfif = True
            shape = shape_by_density(*struct.unpack_from(">HH", body, 8)) if len(body) >= 12 else shape
        if (0xC0 <= marker <= 0xCF and marker not in NO_FRAME) or marker == JPEG_LS_FRAME:
            frame = body
        if marker == SOS:
            kept.append(data[start:])
            break
        # Metadata holds no pixels, and Pillow warns about damaged EXIF, so it is dropped.
        if marker in (APP0, APP14) or not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            kept.append(data[start:end])
    if len(frame) < 9 or not 0 < 3 * frame[5] <= len(frame) - 6:
        raise DamagedData
    precision, height, width, count = struct.unpack_from(">BHHB", frame)
    bare = b"".join(kept)
    if height * width * bare.count(b"\xff\xda") > MAX_SCANNED:
        raise UnreadableRadiograph(
            "The JPEG takes too long to decode",
            "It has far more scans than a film needs. Export it as baseline JPEG.",
        )
    return JpegStream((height, width), precision, frame[6 : 6 + 3 * count : 3], jfif, orientation, bare, shape)


def _past_fill(data: bytes, at: int) -> int:
    """Return the start of the marker after 0xff fill bytes. Raises DamagedData if there are too many."""
    rest = data[at : at + MAX_FILL + 2]
    filled = len(rest) - len(rest.lstrip(b"\xff"))
    if filled > MAX_FILL:
        raise DamagedData
    return at + filled - 1


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield marker, start and end of each segment up to the first scan."""
    at = 2
    for _ in range(MAX_SEGMENTS):
        if data[at : at + 2] == b"\xff\xff":
            at = _past_fill(data, at)
        if len(data) < at + 4 or data[at] != 0xFF or data[at + 1] in (0, SOI, EOI):
            raise DamagedData
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if end > len(data) or end < at + 4:
            raise DamagedData
        yield data[at + 1], at, end
        at = end
    raise UnreadableRadiograph(
        "The JPEG does not look like a film", f"It has more than {MAX_SEGMENTS} segments. Export the film again."
    )


def codestream(data: bytes) -> bytes:
    """Return a JPEG 2000 codestream without JP2 boxes, which DICOM forbids and on which decoders can loop forever.

    Raises DamagedData if there is no codestream.
    """
    at = data.find(b"\xff\x4f\xff\x51", 0, 4096)
    if at < 0:
        raise DamagedData
    return data[at:]


def read_jpeg2000(data: bytes) -> tuple[tuple[int, int], int]:
    """Return (height, width) and the number of components of a bare JPEG 2000 stream. Raises DamagedData."""
    if len(data) < 42:
        raise DamagedData
    right, bottom, left, top = struct.unpack_from(">4L", data, 8)
    (components,) = struct.unpack_from(">H", data, 40)
    return (max(0, bottom - top), max(0, right - left)), components
