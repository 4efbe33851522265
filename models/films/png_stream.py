"""What a PNG says about itself, read before any decoder sees it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from models.films.exif import orientation_of
from models.films.film import DamagedData, UnreadableRadiograph, View
from models.films.square_pixels import PixelShape, shape_by_density

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_CHUNKS = 50_000  # 30 megapixels in chunks of 8 KiB need some thousand
MAX_TEXT = 1 << 20  # bytes of one chunk without pixels
MAX_MARK = 2000  # bytes kept of what a film says of its making
PICTURE_CHUNKS = frozenset((b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"))
PROVENANCE = ("Tailscope", "SIMULATED")  # keyword of a text chunk, and how the text of a simulated film begins
VIEW = "Tailscope view"  # keyword of the text chunk that names the view of a simulated film
_SAMPLES = {0: 1, 2: 3, 3: 4, 4: 2, 6: 4}  # by color type
_SIMULATED = "\0".join(PROVENANCE).encode("ascii")
_VIEWS: dict[bytes, View] = {f"{VIEW}\0PA".encode(): "PA", f"{VIEW}\0AP".encode(): "AP"}


@dataclass(frozen=True, slots=True)
class PngStream:
    """`size` is (height, width); `bare` is the file with nothing but its picture chunks.

    `samples` is how many values a decoded pixel has: a palette's color is written out, with its transparency.
    `mark` is the text chunk of this project's own that says that the film was made by a program, empty where there is
    none. `view` is what another says of such a film; of a real one a PNG says nothing that is believed.
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
    """Read the chunk list. Raises DamagedData, or UnreadableRadiograph for an animation or a bomb."""
    kept, orientation, at, says = [SIGNATURE], 1, len(SIGNATURE), dict[bytes, bytes]()
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
                "A chunk beside the picture is over 1 MB. Export the film again without metadata.",
            )
        elif kind == b"eXIf":
            orientation = orientation_of(data[at + 8 : end - 4])
        elif kind == b"pHYs" and length == 9:
            shape = shape_by_density(*struct.unpack_from(">LL", data, at + 8))
        elif kind == b"tEXt":
            said = data[at + 8 : min(end - 4, at + 8 + MAX_MARK)]
            says |= {each: said for each in (_SIMULATED, *_VIEWS) if said.startswith(each)}
        if kind == b"IEND":
            return _stream(kept, orientation, says, shape)
        at = end
    raise UnreadableRadiograph(
        "The PNG does not look like a film", f"It has more than {MAX_CHUNKS} chunks. Export the film again."
    )


def _stream(kept: list[bytes], orientation: int, says: dict[bytes, bytes], shape: PixelShape) -> PngStream:
    if len(kept) < 2 or kept[1][4:8] != b"IHDR" or len(kept[1]) != 25:
        raise DamagedData
    width, height, bit_depth, color_type = struct.unpack_from(">LLBB", kept[1], 8)
    mark = says.get(_SIMULATED, b"").partition(b"\0")[2].decode("latin-1")
    views = [view for text, view in _VIEWS.items() if text in says]
    view = views[0] if mark and len(views) == 1 else "unknown"
    samples = _SAMPLES.get(color_type, 4) + any(chunk[4:8] == b"tRNS" for chunk in kept[1:]) * (color_type in (0, 2))
    return PngStream((height, width), bit_depth, color_type, samples, orientation, b"".join(kept), mark, view, shape)
