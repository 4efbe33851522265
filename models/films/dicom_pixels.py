"""Stored pixel values out of a DICOM data set, sizes checked before a decoder runs."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray
from pydicom._uid_dict import UID_dictionary
from pydicom.encaps import encapsulate
from pydicom.pixels.decoders.base import Decoder, get_decoder
from pydicom.uid import UID, ExplicitVRLittleEndian, RLELossless
from rle.utils import decode_pixel_data

from models.films.color import ybr_to_rgb
from models.films.dicom_bits import cut_to_bits, moved_down
from models.films.dicom_layout import (
    AGAIN,
    BITS_ALLOCATED,
    BITS_STORED,
    PLANAR,
    SAMPLES,
    image_size,
    is_signed,
    photometric,
)
from models.films.dicom_names import named
from models.films.dicom_walker import (
    DEFLATED,
    DELIMITER,
    EXPLICIT_LITTLE,
    ITEM,
    PIXEL_DATA,
    TRANSFER_SYNTAX,
    DicomHeader,
    Encoding,
    Walk,
)
from models.films.film import DamagedData, UnreadableRadiograph
from models.films.jpeg_pixels import decode_jpeg
from models.films.jpeg_stream import codestream, read_jpeg, read_jpeg2000

JPEG_EXTENDED = "1.2.840.10008.1.2.4.51"
JPEG = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51, 57, 70, 80, 81))
GDCM_ONLY = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (57, 70, 80, 81))
PILLOW = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (50, 51))
END_OF_IMAGE = b"\xff\xd9"  # of JPEG, JPEG-LS and JPEG 2000 alike
JPEG2000 = frozenset(f"1.2.840.10008.1.2.4.{number}" for number in (90, 91, 201, 202, 203))


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
    notes = [*moved_down(words, header), *cut_to_bits(words, header)]
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
        return _unpack(decoder, frame, options, "gdcm")  # knows kinds of JPEG 2000 that OpenJPEG here does not


def _unpack(decoder: Decoder, frame: bytes, options: dict[str, Any], plugin: str | None = None) -> NDArray[Any]:
    if decoder.UID in PILLOW:
        decode_jpeg(frame, options["samples_per_pixel"])  # for its refusals: pydicom's way to it has none
    usual = "gdcm" if decoder.UID in GDCM_ONLY else "pillow" if decoder.UID in PILLOW else "pylibjpeg"
    source = encapsulate([frame], has_bot=False)
    return decoder.as_array(source, index=0, validate=False, decoding_plugin=plugin or usual, **options)[0]


def _decoder(syntax: str) -> Decoder:
    # A deflated data set is inflated by now and reads like a plain one.
    name = EXPLICIT_LITTLE if syntax == DEFLATED else syntax
    known = UID_dictionary.get(name, ("",))[0]
    try:
        if not known:  # pydicom would warn with the text it found
            raise NotImplementedError
        decoder = get_decoder(UID(name))
    except NotImplementedError as error:
        raise UnreadableRadiograph(
            "The DICOM's compression is not known",
            f"{named(TRANSFER_SYNTAX)} is {known or 'unknown'}, which has no decoder here. "
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
    if header.elements[PIXEL_DATA].undefined:
        raise UnreadableRadiograph(
            "The DICOM's pixels are not packed as it says",
            f"{named(TRANSFER_SYNTAX)} says that they are plain; {named(PIXEL_DATA)} has compressed ones. {AGAIN}",
        )
    if len(raw) < size:
        raise UnreadableRadiograph(
            "The DICOM file is cut short or damaged",
            f"{named(PIXEL_DATA)} has {len(raw)} bytes; {height} rows of {width} pixels take {size}. "
            "Copy or export it again, completely.",
        )
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
            f"{named(TRANSFER_SYNTAX)} says that they are compressed; {named(PIXEL_DATA)} has plain ones. {AGAIN}",
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
    (height, width), samples = image_size(header), header.integer(SAMPLES, 1)
    if (*size, components) != (height, width, samples):
        raise UnreadableRadiograph(
            "The DICOM contradicts itself about its size",
            f"The header says {height} rows, {width} columns, {samples} samples per pixel; the compressed picture "
            f"inside has {size[0]}, {size[1]} and {components}. {AGAIN}",
        )


def _settle_color(options: dict[str, Any], components: bytes, *, jfif: bool) -> None:
    """Say beforehand which colors a three-component JPEG holds where its header is known to be wrong about it."""
    if options["samples_per_pixel"] != 3:
        return
    if components in (b"RGB", b"rgb"):
        options["photometric_interpretation"] = "RGB"
    elif jfif and "YBR" not in options["photometric_interpretation"]:
        options["photometric_interpretation"] = "YBR_FULL"
