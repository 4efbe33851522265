"""Reads a PNG's chunks before any decoder sees them."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from models.films.exif import exif_orientation
from models.films.film import DamagedData, UnreadableRadiograph, View
from models.films.square_pixels import PixelShape, shape_by_density

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 50_000  # 30 megapixels in chunks of 8 KiB need a few thousand
MAX_TEXT = 1 << 20  # bytes of one chunk that contains no pixels
MAX_MARK = 2000  # bytes kept of a film's statement that it is simulated
PICTURE_CHUNKS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
PROVENANCE = ("Tailscope", "SIMULATED")  # keyword of a text chunk, and start of its text in a simulated film
VIEW_KEYWORD = "Tailscope view"  # keyword of the text chunk with a simulated film's view
_SAMPLES = {0: 1, 2: 3, 3: 4, 4: 2, 6: 4}  # samples per pixel by color type
_SIMULATED = "\0".join(PROVENANCE).encode("ascii")
_VIEWS: dict[bytes, View] = {f"{VIEW_KEYWORD}\0PA".encode(): "PA", f"{VIEW_KEYWORD}\0AP".encode(): "AP"}


@dataclass(frozen=True, slots=True)
class PngStream:
    """Facts of a PNG: `size` is (height, width), `bare` the file with only its picture chunks.

    `samples` is the number of values per decoded pixel; palettes are expanded to color with transparency. `mark` is
    Tailscope's text chunk saying that a program made the film, empty if absent. `view` is read from such films only,
    because a real film's PNG cannot be trusted to name its view.
    """

    size: tuple[int, int]
    bit_depth: int
    color_type: int
    samples: int
    orientation: int
    bare: bytes
    mark: str
    view: View
    shape: PixelShape


def read_png(data: bytes) -> PngStream:
    """Read the chunk list. Raises DamagedData, or UnreadableRadiograph for an animation or a decompression bomb."""
    kept, orientation, at, texts = [PNG_SIGNATURE], 1, len(PNG_SIGNATURE), dict[bytes, bytes]()
    shape = PixelShape()
    for _ in range(MAX_CHUNKS):
        if len(data) < at + 12:
            raise DamagedData
        length, kind = struct.unpack_from(">L4s", data, at)
        end = at + 12 + length
        if end > len(data):
            raise DamagedData
        if kind == b"acTL":
            raise UnreadableRadiograph("This is an animated PNG", "Export the film as one still PNG, JPEG or DICOM.")
        if kind in PICTURE_CHUNKS:
            kept.append(data[at:end])
        elif length > MAX_TEXT:
            raise UnreadableRadiograph(
                "The PNG carries more text than a film would",
                "A chunk other than the picture is over 1 MB. Export the film again without metadata.",
            )
        elif kind == b"eXIf":
            orientation = exif_orientation(data[at + 8 : end - 4])
        elif kind == b"pHYs" and length == 9:
            shape = shape_by_density(*struct.unpack_from(">LL", data, at + 8))
        elif kind == b"tEXt":
            text = data[at + 8 : min(end - 4, at + 8 + MAX_MARK)]
            texts |= {each: text for each in (_SIMULATED, *_VIEWS) if text.startswith(each)}
        if kind == b"IEND":
            return _png_stream(kept, orientation, texts, shape)
        at = end
    raise UnreadableRadiograph(
        "The PNG does not look like a film", f"It has more than {MAX_CHUNKS} chunks. Export the film again."
    )


def _png_stream(kept: list[bytes], orientation: int, texts: dict[bytes, bytes], shape: PixelShape) -> PngStream:
    if len(kept) < 2 or kept[1][4:8] != b"IHDR" or len(kept[1]) != 25:
        raise DamagedData
    width, height, bit_depth, color_type = struct.unpack_from(">LLBB", kept[1], 8)
    mark = texts.get(_SIMULATED, b"").partition(b"\0")[2].decode("latin-1")
    views = [view for text, view in _VIEWS.items() if text in texts]
    view = views[0] if mark and len(views) == 1 else "unknown"
    samples = _SAMPLES.get(color_type, 4) + any(chunk[4:8] == b"tRNS" for chunk in kept[1:]) * (color_type in (0, 2))
    return PngStream((height, width), bit_depth, color_type, samples, orientation, b"".join(kept), mark, view, shape)
