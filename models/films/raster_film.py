"""From PNG, JPEG and TIFF to film. Pillow decodes, but its input contains only the picture and no metadata."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL.Image import Image
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile

from models.films.color import is_gray, sum_channels
from models.films.exif import upright
from models.films.film import DamagedData, Radiograph, SourceKind, Undecoded, UnreadableRadiograph, View, check_size
from models.films.intensity import MAX_LEVELS, blank_image, gray_levels, robust_stretch
from models.films.jpeg_pixels import decode_jpeg
from models.films.jpeg_stream import read_jpeg
from models.films.png_stream import read_png
from models.films.square_pixels import PixelShape
from models.films.strips import strips
from models.films.tiff_stream import read_tiff

# Everything Pillow raises on damaged data; UnidentifiedImageError and truncation are OSErrors.
DECODING_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    struct.error,
    zlib.error,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RuntimeError,
    MemoryError,
)
FORMAT_NAMES: dict[SourceKind, str] = {"png": "PNG", "jpeg": "JPEG", "tiff": "TIFF"}


@dataclass(frozen=True, slots=True, eq=False)
class _Raster:
    """A decoded image (h, w) or (h, w, channels) before turning, with the facts needed to interpret it."""

    image: NDArray[Any]
    orientation: int = 1
    white_is_zero: bool = False
    notes: tuple[str, ...] = ()
    mark: str = ""
    view: View = "unknown"
    shape: PixelShape = field(default_factory=PixelShape)


def open_raster(data: bytes, kind: SourceKind) -> Undecoded:
    """Read the header of a PNG, JPEG or TIFF file. Raises UnreadableRadiograph."""
    with _damage(kind):
        size, decode = _OPENERS[kind](data)
    return Undecoded(size, lambda: _radiograph(data, kind, decode))


@contextmanager
def _damage(kind: SourceKind) -> Iterator[None]:
    try:
        yield
    except DamagedData as error:
        raise UnreadableRadiograph(
            f"The {FORMAT_NAMES[kind]} is cut short or damaged",
            "The picture cannot be decoded to its last pixel. Copy or export the film again, completely.",
        ) from error


def _radiograph(data: bytes, kind: SourceKind, decode: Callable[[], _Raster]) -> Radiograph:
    with _damage(kind):
        raster = decode()
    height, width = raster.image.shape[:2]
    notes = list(raster.notes)
    pixels, colorfulness, shown = _film(raster.image)
    notes += shown
    if raster.white_is_zero:
        pixels = 1 - pixels
        notes.append("inverted: white is stored as low values")
    if raster.shape.note:
        pixels = raster.shape.squared(pixels)
        notes.append(raster.shape.note)
    if raster.orientation != 1:
        pixels = np.ascontiguousarray(upright(pixels, raster.orientation))
        notes.append(f"turned upright by EXIF orientation {raster.orientation}")
    return Radiograph(
        pixels=pixels,
        view=raster.view,
        spacing_mm=None,
        spacing_at=None,
        colorfulness=colorfulness,
        body_part=None,
        source_kind=kind,
        original_size=(height, width),
        notes=tuple(notes),
        sha256=hashlib.sha256(data).hexdigest(),
        sides="stated" if raster.view != "unknown" and raster.orientation == 1 else "assumed",
        simulated=bool(raster.mark),
        mark=raster.mark,
    )


OpenedRaster = tuple[tuple[int, int], Callable[[], _Raster]]  # (height, width) and a function that decodes


def _png(data: bytes) -> OpenedRaster:
    stream = read_png(data)
    size = _shown_size(stream.size, stream.samples, stream.shape)
    notes = ("16-bit color read at 8 bits",) if stream.bit_depth == 16 and stream.color_type != 0 else ()

    def decode() -> _Raster:
        image = _decode(PngImageFile, stream.bare)
        return _Raster(image, stream.orientation, notes=notes, mark=stream.mark, view=stream.view, shape=stream.shape)

    return size, decode


def _shown_size(stored: tuple[int, int], samples: int, shape: PixelShape) -> tuple[int, int]:
    """Return height and width after resampling to square pixels. Raises UnreadableRadiograph for an impossible size."""
    check_size(*stored, samples)
    size = shape.shown_size(*stored)
    check_size(*size)
    return size


def _jpeg(data: bytes) -> OpenedRaster:
    stream = read_jpeg(data)
    size = _shown_size(stream.size, len(stream.components), stream.shape)
    if stream.precision != 8:
        raise UnreadableRadiograph(
            f"The JPEG has {stream.precision} bits per sample", "Only 8-bit JPEG is read. Export 16-bit PNG or DICOM."
        )

    def decode() -> _Raster:
        return _Raster(decode_jpeg(stream.bare, len(stream.components)), stream.orientation, shape=stream.shape)

    return size, decode


def _tiff(data: bytes) -> OpenedRaster:
    stream = read_tiff(data)
    size = _shown_size(stream.size, stream.samples, stream.shape)
    notes = ("first of several pages",) if stream.more_pages else ()

    def decode() -> _Raster:
        image = _decode(TiffImageFile, stream.bare)
        # Pillow inverts 8-bit white-is-zero images itself, but not deeper ones.
        white_is_zero = stream.white_is_zero and image.dtype != np.uint8
        return _Raster(image, stream.orientation, white_is_zero, notes, shape=stream.shape)

    return size, decode


_OPENERS: dict[SourceKind, Callable[[bytes], OpenedRaster]] = {"png": _png, "jpeg": _jpeg, "tiff": _tiff}


def _decode(plugin: type[PngImageFile | TiffImageFile], bare: bytes) -> NDArray[Any]:
    """Decode with a Pillow plugin directly, which avoids the size warning of `Image.open` at 89 megapixels."""
    try:
        with plugin(BytesIO(bare)) as image:
            return _channels(image)
    except DECODING_ERRORS as error:
        raise DamagedData from error


def _channels(image: Image) -> NDArray[Any]:
    """Return gray (h, w), gray and alpha (h, w, 2), RGB (h, w, 3) or RGBA (h, w, 4)."""
    if image.mode == "1":
        raise UnreadableRadiograph("The image is only black and white", "A film has grays. Export it in 8 or 16 bits.")
    if image.mode in ("P", "PA", "RGB") and ("transparency" in image.info or image.mode != "RGB"):
        return np.asarray(image.convert("RGBA"))
    if image.mode == "L" and "transparency" in image.info:
        return np.asarray(image.convert("LA"))
    if image.mode in ("CMYK", "YCbCr"):
        return np.asarray(image.convert("RGB"))
    if image.mode in ("L", "LA", "RGB", "RGBA", "F", "I") or image.mode.startswith("I;16"):
        return np.asarray(image)
    raise UnreadableRadiograph("The image's color mode is not supported", "Export the film in gray, 8 or 16 bits.")


def _film(image: NDArray[Any]) -> tuple[NDArray[np.float32], float, list[str]]:
    """Return the film (h, w) in [0, 1], its colorfulness and notes."""
    if image.ndim == 3:
        return _color_film(image)
    if image.dtype == np.uint8:
        return _eight_bits(image), 0.0, []
    levels = gray_levels(image)
    if image.dtype.itemsize == 2 and levels.values[0] >= 0 and levels.values[-1] >= MAX_LEVELS // 2:
        return levels.render(levels.values / (MAX_LEVELS - 1)), 0.0, []
    shades = robust_stretch(levels.values, levels.counts)
    return levels.render(shades), 0.0, ["values do not fill 16 bits: scaled between percentiles 0.1 and 99.9"]


def _eight_bits(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Divide by exactly 255, because the models were trained on such values."""
    if image.min() == image.max():
        raise blank_image()
    return np.divide(image, np.float32(255), dtype=np.float32)


def _color_film(image: NDArray[Any]) -> tuple[NDArray[np.float32], float, list[str]]:
    """Average the color channels of an image (h, w, 2 to 4); transparent parts become air."""
    if image.shape[2] == 2 or is_gray(image):
        pixels, colorfulness = _eight_bits(image[..., 0]), 0.0
        notes = ["gray stored as color"]
    else:
        total, spread = sum_channels(image)
        pixels, colorfulness = total.astype(np.float32), spread / 255
        pixels /= np.float32(765)
        notes = ["color channels averaged"]
    if image.shape[2] in (2, 4) and image[..., -1].min() < 255:
        for rows in strips(image):
            pixels[rows] *= image[rows, :, -1].astype(np.float32) / np.float32(255)
        notes.append("transparent parts shown as air")
    if pixels.min() == pixels.max():
        raise blank_image()
    return pixels, colorfulness, notes
