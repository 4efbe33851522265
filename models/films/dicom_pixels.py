"""Stored pixel values out of a DICOM data set, sizes checked before a decoder runs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom._uid_dict import UID_dictionary
from pydicom.encaps import encapsulate
from pydicom.pixels.decoders.base import Decoder, get_decoder
from pydicom.uid import UID, ExplicitVRLittleEndian, RLELossless
from rle.utils import decode_pixel_data

from models.films.color import ybr_to_rgb
from models.films.dicom_walker import (
    DEFLATED,
    DELIMITER,
    EXPLICIT_LITTLE,
    ITEM,
    PIXEL_DATA,
    DicomHeader,
    Encoding,
    Walk,
)
from models.films.film import DamagedData, UnreadableRadiograph, check_size
from models.films.jpeg_pixels import decode_jpeg
from models.films.jpeg_stream import codestream, read_jpeg, read_jpeg2000
from models.films.strips import strips

SAMPLES, PHOTOMETRIC, PLANAR, ROWS, COLUMNS = 0x00280002, 0x00280004, 0x00280006, 0x00280010, 0x00280011
BITS_ALLOCATED, BITS_STORED, HIGH_BIT, SIGNED = 0x00280100, 0x00280101, 0x00280102, 0x00280103
PADDING, PADDING_LIMIT = 0x00280120, 0x00280121
PIXEL_TAGS = frozenset(
    (SAMPLES, PHOTOMETRIC, PLANAR, ROWS, COLUMNS, BITS_ALLOCATED, BITS_STORED, HIGH_BIT, SIGNED, PADDING, PADDING_LIMIT)
    + (PIXEL_DATA,)
)
GREY = ("MONOCHROME1", "MONOCHROME2")
COLOR = ("RGB", "PALETTE COLOR", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT")
JPEG_EXTENDED = "1.2.840.10008.1.2.4.51"
JPEG = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51, 57, 70, 80, 81))
GDCM_ONLY = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (57, 70, 80, 81))
PILLOW = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51))
END_OF_IMAGE = b"\xff\xd9"  # of JPEG, JPEG-LS and JPEG 2000 alike
JPEG2000 = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (90, 91, 201, 202, 203))


def is_signed(header: DicomHeader) -> bool:
    """Whether stored values are two's complement."""
    return header.integer(SIGNED) == 1


def photometric(header: DicomHeader) -> str:
    """The photometric interpretation as the standard spells it, or as it stands where no film has such a one."""
    written = header.text(PHOTOMETRIC)
    return _SPELLINGS.get(_letters(written), written)


def _letters(text: str) -> str:
    return re.sub("[^A-Z0-9]", "", text.upper())


_SPELLINGS = {_letters(name): name for name in GREY + COLOR}


def padding_bounds(header: DicomHeader) -> tuple[int, int] | None:
    """Least and largest value that stands for no pixel at all; None where none does."""
    words = [word for tag in (PADDING, PADDING_LIMIT) for word in header.words(tag)[:1]]
    if PADDING not in header or not words:
        return None
    # Whether they have a sign is said by the pixels; the elements themselves are often wrong about it.
    bounds = [(word + 32768) % 65536 - 32768 if is_signed(header) else word % 65536 for word in words]
    return min(bounds), max(bounds)


def image_size(header: DicomHeader) -> tuple[int, int]:
    """Height and width as the header says."""
    return header.integer(ROWS), header.integer(COLUMNS)


def stored_values(header: DicomHeader) -> tuple[NDArray[Any], list[str]]:
    """Decode the single frame, whose layout was checked: integers (h, w), or (h, w, 3) in RGB, and notes.

    They fill Bits Stored and no more: whatever else lies in their words, overlays mostly, is cut off and noted.
    Compressed pixels are decoded by libraries in C, which damaged data can end or hold up together with the process
    they run in: `models.films.decode_pool` is where that does no harm.
    Raises UnreadableRadiograph, or DamagedData when there are fewer bytes than pixels.
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
    except Exception as error:  # three libraries decode here, and damaged data makes them raise nearly anything
        raise UnreadableRadiograph(
            "The DICOM's pixels cannot be decoded",
            f"Their {decoder.UID.name} data are damaged. Export the film again, preferably uncompressed.",
        ) from error
    notes = ["bits beyond those stored were set, as by an overlay: not shown"] if _cut_to_bits(words, header) else []
    if options["as_rgb"] or not options["photometric_interpretation"].startswith("YBR_FULL"):
        return words, notes
    return ybr_to_rgb(words, header.integer(BITS_STORED)), notes


def _cut_to_bits(words: NDArray[Any], header: DicomHeader) -> bool:
    """Leave each word its Bits Stored, with their sign, in place; whether another bit was set."""
    width, stored = 8 * words.dtype.itemsize, header.integer(BITS_STORED)
    if stored >= width:
        return False
    unsigned, padding = np.dtype(f"u{words.dtype.itemsize}"), padding_bounds(header)
    was_set = False
    for rows in strips(words):
        kept = words[rows] << (width - stored) >> (width - stored)
        if padding and words.ndim == 2:  # often a value that the bits stored cannot hold
            kept = np.where((words[rows] >= padding[0]) & (words[rows] <= padding[1]), words[rows], kept)
        changed = kept != words[rows]
        if changed.any():  # not where a sign alone was not carried on
            was_set |= bool((changed & (words[rows].view(unsigned) >> stored > 0)).any())
            words[rows] = kept
    return was_set


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
        return _unpack(decoder, frame, options, "gdcm")  # knows kinds of JPEG 2000 that OpenJPEG here does not


def _unpack(decoder: Decoder, frame: bytes, options: dict[str, Any], plugin: str | None = None) -> NDArray[Any]:
    if decoder.UID in PILLOW:
        decode_jpeg(frame, options["samples_per_pixel"])  # for its refusals: pydicom's way to it has none
    usual = "gdcm" if decoder.UID in GDCM_ONLY else "pillow" if decoder.UID in PILLOW else "pylibjpeg"
    source = encapsulate([frame], has_bot=False)
    return decoder.as_array(source, index=0, validate=False, decoding_plugin=plugin or usual, **options)[0]


def check_layout(header: DicomHeader) -> None:
    """Raise UnreadableRadiograph for a size or a layout of pixels that no film has."""
    color, samples = photometric(header), header.integer(SAMPLES, 1)
    wide = 2 if header.integer(BITS_ALLOCATED) == 32 else 1
    check_size(*image_size(header), 4 if color == "PALETTE COLOR" else max(1, samples) * wide)
    if header.integer(BITS_ALLOCATED) == 1:
        raise UnreadableRadiograph(
            "The DICOM has 1-bit pixels", "That is a mask or overlay without grays. Choose the radiograph itself."
        )
    allocated, stored = header.integer(BITS_ALLOCATED), header.integer(BITS_STORED)
    high = header.integer(HIGH_BIT, stored - 1)  # values shifted within their words are long retired from the standard
    good_bits = 1 < stored <= allocated and allocated in (8, 16, 32) and high == stored - 1
    good_color = (color in GREY or color == "PALETTE COLOR") if samples == 1 else color in COLOR
    if not good_bits or not good_color or samples not in (1, 3):
        raise UnreadableRadiograph(
            "The DICOM describes its pixels in a way that does not fit a film",
            "Bits, samples or photometric interpretation are missing or unusual. Export the film again.",
        )


def _decoder(syntax: str) -> Decoder:
    # A deflated data set is inflated by now and reads like a plain one.
    name = EXPLICIT_LITTLE if syntax == DEFLATED else syntax
    try:
        if name not in UID_dictionary:  # pydicom would warn with the text it found
            raise NotImplementedError
        decoder = get_decoder(UID(name))
    except NotImplementedError as error:
        raise UnreadableRadiograph(
            "The DICOM's compression is not known",
            "Its transfer syntax has no decoder here. Export the film uncompressed (Explicit VR Little Endian).",
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
        "pixel_representation": int(is_signed(header) and header.integer(SAMPLES, 1) == 1),  # no color is negative
        "correct_unused_bits": False,  # done here, for all encodings
        "as_rgb": header.integer(BITS_ALLOCATED) == header.integer(BITS_STORED) == 8,  # pydicom converts no others
        "pixel_keyword": "PixelData",
        "pixel_vr": element.vr.decode() or "OW",
    }


def _native(header: DicomHeader) -> bytes:
    height, width = image_size(header)
    size = height * width * header.integer(SAMPLES, 1) * header.integer(BITS_ALLOCATED) // 8
    if photometric(header) == "YBR_FULL_422":
        size = size // 3 * 2
    raw = header.raw(PIXEL_DATA)
    if header.elements[PIXEL_DATA].undefined or len(raw) < size:
        raise DamagedData
    return bytes(raw[: size + size % 2])


def _unpack_rle(frame: bytes, options: dict[str, Any]) -> bytes:
    """Plain pixels, one color plane after the other; pydicom's own RLE decoder has no bound and is slow."""
    options["planar_configuration"] = 1
    try:
        return bytes(decode_pixel_data(frame, version=2, **options))
    except BaseException as error:
        # It is written in Rust and may panic on damaged data; pyo3's PanicException is no Exception and not importable.
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise DamagedData from error
        raise


def _frame(header: DicomHeader) -> bytes:
    """The fragments after the offset table, joined: with one frame they all belong to it."""
    element = header.elements[PIXEL_DATA]
    if not element.undefined:
        raise UnreadableRadiograph(
            "The DICOM's pixels are not packed as it says",
            "It declares compressed pixels but holds plain ones. Export the film again.",
        )
    walk = Walk(header.data[: element.end], Encoding(implicit=True, little=True))
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
        raise DamagedData  # nothing else says that no fragment is missing; RLE knows how many pixels there are
    return codestream(frame) if header.transfer_syntax in JPEG2000 else frame


def _check_stream(header: DicomHeader, frame: bytes, options: dict[str, Any]) -> None:
    """Compare a stream's own size with the header's: decoders allocate what the stream says."""
    syntax = header.transfer_syntax
    if syntax in JPEG:
        stream = read_jpeg(frame)
        size, components = stream.size, len(stream.components)
        if syntax == JPEG_EXTENDED and (stream.precision > 8 or header.integer(BITS_STORED) > 8):
            raise UnreadableRadiograph(
                "JPEG Extended (12-bit lossy) is not supported",
                "No decoder here reads it. Export the film uncompressed, as JPEG Lossless or JPEG 2000.",
            )
        _settle_color(options, stream.components, jfif=stream.jfif)
    elif syntax in JPEG2000:
        size, components = read_jpeg2000(frame)
    else:
        return
    if size != image_size(header) or components != header.integer(SAMPLES, 1):
        raise UnreadableRadiograph(
            "The DICOM contradicts itself about its size",
            "Rows, Columns or Samples differ from the compressed picture inside. Export the film again.",
        )


def _settle_color(options: dict[str, Any], components: bytes, *, jfif: bool) -> None:
    """Say beforehand which colors a three-component JPEG holds where its header is known to be wrong about it."""
    if options["samples_per_pixel"] != 3:
        return
    if components in (b"RGB", b"rgb"):
        options["photometric_interpretation"] = "RGB"
    elif jfif and "YBR" not in options["photometric_interpretation"]:
        options["photometric_interpretation"] = "YBR_FULL"
