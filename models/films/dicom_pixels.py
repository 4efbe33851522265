"""Reads stored pixel values from a DICOM data set and checks sizes before a decoder runs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom._uid_dict import UID_dictionary
from pydicom.encaps import encapsulate
from pydicom.pixels.decoders.base import Decoder, get_decoder
from pydicom.uid import UID, ExplicitVRLittleEndian, RLELossless
from rle.utils import decode_pixel_data

from models.films.color import ybr_to_rgb
from models.films.dicom_layout import (
    BITS_ALLOCATED,
    BITS_STORED,
    EXPORT_AGAIN,
    HIGH_BIT,
    PLANAR,
    SAMPLES,
    image_size,
    is_signed,
    padding_bounds,
    photometric,
)
from models.films.dicom_names import element_name
from models.films.dicom_walker import (
    DEFLATED,
    DELIMITER,
    EXPLICIT_LITTLE,
    ITEM,
    PIXEL_DATA,
    TRANSFER_SYNTAX,
    DicomHeader,
    ElementEncoding,
    Walk,
)
from models.films.film import DamagedData, UnreadableRadiograph
from models.films.jpeg_pixels import decode_jpeg
from models.films.jpeg_stream import codestream, read_jpeg, read_jpeg2000
from models.films.strips import strips


def shift_to_low_bits(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Shift values from the upper bits of their words, where High Bit puts them, to the lower bits; return notes.

    Half of the files with such a High Bit store values in the lower bits anyway; these files are left alone.
    """
    stored = header.integer(BITS_STORED)
    below = header.integer(HIGH_BIT, stored - 1) + 1 - stored
    if below <= 0:
        return []
    least = -(2 ** (stored - 1)) if words.dtype.kind == "i" else 0
    in_lower = in_upper = 0
    for rows in strips(words):
        in_lower += int(np.count_nonzero(words[rows] & (2**below - 1)))
        in_upper += int(np.count_nonzero((words[rows] < least) | (words[rows] >= 2**stored)))
    if in_lower > in_upper:
        return [f"the header places values in the upper {stored} bits, but they are in the lower ones: read there"]
    for rows in strips(words):
        words[rows] >>= below
    return [f"values are in the upper {stored} bits of their words, as the header says: read there"]


def clear_unused_bits(words: NDArray[Any], header: DicomHeader) -> list[str]:
    """Keep only the Bits Stored of each word, with sign, in place; return notes if other bits were set.

    If the film's values continue beyond these bits, the header is wrong and all bits are kept.
    """
    stored = header.integer(BITS_STORED)
    unused = 8 * words.dtype.itemsize - stored
    if unused <= 0:
        return []
    padding, unsigned = padding_bounds(header), np.dtype(f"u{words.dtype.itemsize}")
    was_set, smooth, steps = False, 0, 0
    for rows in strips(words):
        kept = _masked(words[rows], unused, padding)
        # A missing sign extension alone is not worth a note.
        changed = (kept != words[rows]) & (words[rows].view(unsigned) >> stored > 0)
        if changed.any():
            was_set = True
            # Real values take small steps where upper bits change; overlay bits cause large ones.
            whole, upper = (np.diff(part.astype(np.int64), axis=1) for part in (words[rows], words[rows] - kept))
            smooth += int((np.abs(whole[upper != 0]) < 2 ** (stored - 1)).sum())
            steps += int((upper != 0).sum())
    if 2 * smooth > steps:
        return ["values exceed the bits stored that the header states: all bits are shown"]
    for rows in strips(words):
        words[rows] = _masked(words[rows], unused, padding)
    return ["bits beyond those stored were set, probably an overlay: not shown"] if was_set else []


def _masked(words: NDArray[Any], unused: int, padding: tuple[int, int] | None) -> NDArray[Any]:
    kept = words << unused >> unused
    if padding is None or words.ndim != 2:
        return kept
    return np.where((words >= padding[0]) & (words <= padding[1]), words, kept)  # padding often exceeds Bits Stored


JPEG_EXTENDED = "1.2.840.10008.1.2.4.51"
JPEG = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51, 57, 70, 80, 81))
GDCM_ONLY = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (57, 70, 80, 81))
PILLOW = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51))
END_OF_IMAGE = b"\xff\xd9"  # the same in JPEG, JPEG-LS and JPEG 2000
JPEG2000 = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (90, 91, 201, 202, 203))


def stored_values(header: DicomHeader) -> tuple[NDArray[Any], list[str]]:
    """Decode the single frame of a checked layout: integers (h, w), or RGB (h, w, 3), and notes.

    Values fill Bits Stored and no more: other bits in their words, usually overlays, are cleared and noted. Compressed
    pixels are decoded by C libraries that damaged data can crash or hang, so call this in `models.films.decode_pool`.

    Raises UnreadableRadiograph, or DamagedData if there are fewer bytes than pixels.
    """
    decoder = _decoder(header.transfer_syntax)
    options = _options(header)
    if decoder.UID.is_encapsulated:
        frame = _frame(header)
        _check_stream(header, frame, options)
    else:
        frame = _native(header)
    try:
        words = _decode(decoder, frame, options)
    except Exception as error:  # the three decoding libraries raise nearly anything on damaged data
        raise UnreadableRadiograph(
            "The DICOM's pixels cannot be decoded",
            f"Their {decoder.UID.name} data are damaged. Export the film again, preferably uncompressed.",
        ) from error
    notes = [*shift_to_low_bits(words, header), *clear_unused_bits(words, header)]
    if options["as_rgb"] or not options["photometric_interpretation"].startswith("YBR_FULL"):
        return words, notes
    return ybr_to_rgb(words, header.integer(BITS_STORED)), notes


def _decode(decoder: Decoder, frame: bytes, options: dict[str, Any]) -> NDArray[Any]:
    if decoder.UID == RLELossless:
        frame, decoder = _unpack_rle(frame, options), get_decoder(ExplicitVRLittleEndian)
    if not decoder.UID.is_encapsulated:
        return decoder.as_array(frame, index=0, validate=False, **options)[0]
    try:
        return _unpack(decoder, frame, options)
    except RuntimeError:
        if decoder.UID not in JPEG2000:
            raise
        return _unpack(decoder, frame, options, "gdcm")  # decodes JPEG 2000 variants that OpenJPEG refuses


def _unpack(decoder: Decoder, frame: bytes, options: dict[str, Any], plugin: str | None = None) -> NDArray[Any]:
    if decoder.UID in PILLOW:
        # Refuses damaged streams, which pydicom's Pillow plugin accepts.
        decode_jpeg(frame, options["samples_per_pixel"])
    preferred = "gdcm" if decoder.UID in GDCM_ONLY else "pillow" if decoder.UID in PILLOW else "pylibjpeg"
    source = encapsulate([frame], has_bot=False)
    return decoder.as_array(source, index=0, validate=False, decoding_plugin=plugin or preferred, **options)[0]


def _decoder(syntax: str) -> Decoder:
    # A deflated data set has been inflated by now and reads like an uncompressed one.
    name = EXPLICIT_LITTLE if syntax == DEFLATED else syntax
    known = UID_dictionary.get(name, ("",))[0]
    try:
        if not known:  # pydicom would warn and quote the unknown text
            raise NotImplementedError
        decoder = get_decoder(UID(name))
    except NotImplementedError as error:
        raise UnreadableRadiograph(
            "The DICOM's compression is unknown",
            f"{element_name(TRANSFER_SYNTAX)} is {known or 'unknown'}, which has no decoder here. "
            "Export the film uncompressed (Explicit VR Little Endian).",
        ) from error
    if not decoder.is_available:
        raise UnreadableRadiograph(
            f"No decoder for {decoder.UID.name} is installed",
            "Install the packages of requirements.txt, or export the film uncompressed (Explicit VR Little Endian).",
        )
    return decoder


def _options(header: DicomHeader) -> dict[str, Any]:
    height, width = image_size(header)
    element = header.elements[PIXEL_DATA]
    return {
        "rows": height,
        "columns": width,
        "number_of_frames": 1,
        "samples_per_pixel": header.integer(SAMPLES, 1),
        "planar_configuration": header.integer(PLANAR),
        "photometric_interpretation": photometric(header),
        "bits_allocated": header.integer(BITS_ALLOCATED),
        "bits_stored": header.integer(BITS_STORED),
        "pixel_representation": int(is_signed(header) and header.integer(SAMPLES, 1) == 1),  # color is never negative
        "correct_unused_bits": False,  # `clear_unused_bits` does it for all encodings
        "as_rgb": header.integer(BITS_ALLOCATED) == header.integer(BITS_STORED) == 8,  # pydicom converts only 8 bits
        "pixel_keyword": "PixelData",
        "pixel_vr": element.vr.decode() or "OW",
    }


def _native(header: DicomHeader) -> bytes:
    height, width = image_size(header)
    size = height * width * header.integer(SAMPLES, 1) * header.integer(BITS_ALLOCATED) // 8
    if photometric(header) == "YBR_FULL_422":
        size = size // 3 * 2
    raw = header.raw(PIXEL_DATA)
    if header.elements[PIXEL_DATA].undefined:
        raise UnreadableRadiograph(
            "The DICOM's pixels are not packed as the header says",
            f"{element_name(TRANSFER_SYNTAX)} says plain; {element_name(PIXEL_DATA)} is compressed. {EXPORT_AGAIN}",
        )
    if len(raw) < size:
        raise UnreadableRadiograph(
            "The DICOM file is cut short or damaged",
            f"{element_name(PIXEL_DATA)} has {len(raw)} bytes; {height} rows of {width} pixels need {size}. "
            "Copy or export it again, completely.",
        )
    return bytes(raw[: size + size % 2])


def _unpack_rle(frame: bytes, options: dict[str, Any]) -> bytes:
    """Return uncompressed pixels, one color plane after the other; pydicom's own RLE decoder is slow and unbounded."""
    options["planar_configuration"] = 1
    try:
        return bytes(decode_pixel_data(frame, version=2, **options))
    except BaseException as error:
        # The decoder is written in Rust; pyo3's PanicException is not an Exception and cannot be imported.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise DamagedData from error
        raise


def _frame(header: DicomHeader) -> bytes:
    """Join the fragments after the offset table; all of them belong to the single frame."""
    element = header.elements[PIXEL_DATA]
    if not element.undefined:
        raise UnreadableRadiograph(
            "The DICOM's pixels are not packed as the header says",
            f"{element_name(TRANSFER_SYNTAX)} says compressed; {element_name(PIXEL_DATA)} is not. {EXPORT_AGAIN}",
        )
    walk = Walk(header.data[: element.end], ElementEncoding(implicit=True, little=True))
    fragments = []
    at = element.start
    while at < element.end:
        tag, _, length, start = walk.header(at, implicit=True)
        if tag != ITEM or start + length > element.end:
            raise DamagedData
        fragments.append(header.data[start : start + length])
        at = start + length
    frame = b"".join(fragments[1:])
    delimited = bytes(header.data[element.end : element.end + 4]) == DELIMITER
    if not delimited and header.transfer_syntax != RLELossless and not frame.rstrip(b"\0").endswith(END_OF_IMAGE):
        raise DamagedData  # without a delimiter or end marker a fragment may be missing; RLE knows its pixel count
    return codestream(frame) if header.transfer_syntax in JPEG2000 else frame


def _check_stream(header: DicomHeader, frame: bytes, options: dict[str, Any]) -> None:
    """Compare the stream's own size with the header's, because decoders allocate what the stream states."""
    syntax = header.transfer_syntax
    if syntax in JPEG:
        stream = read_jpeg(frame)
        size, components = stream.size, len(stream.components)
        if syntax == JPEG_EXTENDED and (stream.precision > 8 or header.integer(BITS_STORED) > 8):
            raise UnreadableRadiograph(
                "JPEG Extended (12-bit lossy) is not supported",
                "No decoder here supports it. Export the film uncompressed, as JPEG Lossless or as JPEG 2000.",
            )
        _correct_color(options, stream.components, jfif=stream.jfif)
    elif syntax in JPEG2000:
        size, components = read_jpeg2000(frame)
    else:
        return
    (height, width), samples = image_size(header), header.integer(SAMPLES, 1)
    if (*size, components) != (height, width, samples):
        raise UnreadableRadiograph(
            "The DICOM contradicts itself about its size",
            f"The header says {height} rows, {width} columns, {samples} samples per pixel; the compressed image "
            f"says {size[0]}, {size[1]} and {components}. {EXPORT_AGAIN}",
        )


def _correct_color(options: dict[str, Any], components: bytes, *, jfif: bool) -> None:
    """Set the color space of a three-component JPEG where DICOM headers are known to be wrong about it."""
    if options["samples_per_pixel"] != 3:
        return
    if components in (b"RGB", b"rgb"):
        options["photometric_interpretation"] = "RGB"
    elif jfif and "YBR" not in options["photometric_interpretation"]:
        options["photometric_interpretation"] = "YBR_FULL"
