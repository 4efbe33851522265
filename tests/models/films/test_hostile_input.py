"""Damaged and hostile files: a sentence within two seconds and bounded memory; big honest films still read."""

from __future__ import annotations

import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageFile
from pydicom import uid

from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.support.film_files import (
    PACKAGED,
    compressed_dicom,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    insert_after_png_header,
    png_chunk,
    png_header,
    synthetic_film,
)

FILM = synthetic_film()
DEEP = FILM.astype(np.uint16) * 257
PNG, JPEG, TIFF = image_bytes(FILM, "PNG"), image_bytes(FILM, "JPEG"), image_bytes(FILM, "TIFF")
DICOM = dicom_bytes(dicom_dataset(DEEP))
PACKED = compressed_dicom(dicom_dataset(DEEP), uid.RLELossless)
SMALL_FILES = {
    "PNG": PNG,
    "JPEG": JPEG,
    "progressive JPEG": image_bytes(FILM, "JPEG", progressive=True),
    "TIFF": TIFF,
    "LZW TIFF": image_bytes(FILM, "TIFF", compression="tiff_lzw"),
    "DICOM": DICOM,
    "implicit DICOM": dicom_bytes(dicom_dataset(DEEP), uid.ImplicitVRLittleEndian),
    "bare DICOM": dicom_bytes(dicom_dataset(DEEP), preamble=False),
    "RLE DICOM": PACKED,
}
SIGNATURE = b"\x89PNG\r\n\x1a\n"


@contextmanager
def at_most(megabytes: int) -> Iterator[None]:
    """Measured apart from time: counting every allocation makes Python several times slower."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
    assert peak < megabytes


@pytest.mark.parametrize("data", SMALL_FILES.values(), ids=SMALL_FILES.keys())
@pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.9, 0.97])
def test_a_truncated_file_is_refused(data: bytes, share: float) -> None:
    with pytest.raises(UnreadableRadiograph) as refusal:
        read_radiograph(data[: int(len(data) * share)])
    assert refusal.value.detail
    assert not ImageFile.LOAD_TRUNCATED_IMAGES


@pytest.mark.parametrize("name", ["RG1_UNCI", "RG1_J2KI", "RG3_UNCR", "RG3_J2KR"])
@pytest.mark.parametrize("share", [0.001, 0.5, 0.999])
def test_a_truncated_real_dicom_is_refused(name: str, share: float) -> None:
    data = (PACKAGED / f"{name}.dcm").read_bytes()
    with pytest.raises(UnreadableRadiograph, match="cut short|damaged"):
        read_radiograph(data[: int(len(data) * share)])


def png_of(size: tuple[int, int], *chunks: bytes) -> bytes:
    return SIGNATURE + png_header(*size) + b"".join(chunks) + png_chunk(b"IEND", b"")


def compressed_zeros(count: int) -> bytes:
    """Zeros that unpack a thousandfold, made without holding them."""
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(bytes(1 << 20)) for _ in range(count >> 20))
    return packed + packer.flush()


def deflated_bomb() -> bytes:
    plain = dicom_bytes(dicom_dataset(DEEP), "1.2.840.10008.1.2.1")
    at = plain.index(b"\x08\0\x16\0UI")
    packer = zlib.compressobj(9, wbits=-15)
    body = packer.compress(plain[at : at + 200])
    body += b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    syntax = b"1.2.840.10008.1.2.1.99"
    return bytes(128) + b"DICM" + b"\2\0\x10\0UI" + struct.pack("<H", len(syntax)) + syntax + body


def nested_dicom(depth: int) -> bytes:
    """Sequences of undefined length within sequences."""
    level = b"\x08\0\x40\x11SQ\0\0\xff\xff\xff\xff\xfe\xff\0\xe0\xff\xff\xff\xff"
    return bytes(128) + b"DICM" + level * depth


def jpeg_with(size: tuple[int, int], scans: int = 1) -> bytes:
    frame = JPEG.index(b"\xff\xc0")
    data = bytearray(JPEG)
    data[frame + 5 : frame + 9] = struct.pack(">HH", *size)
    start = JPEG.index(b"\xff\xda")
    return bytes(data[:start]) + bytes(data[start:-2]) * scans + b"\xff\xd9"


def tiff_with(width: int) -> bytes:
    entry = TIFF.index(b"\0\1\4\0\1\0\0\0")
    return TIFF[: entry + 8] + struct.pack("<L", width) + TIFF[entry + 12 :]


def jpeg2000_with(size: tuple[int, int]) -> bytes:
    data = bytearray(image_bytes(FILM, "JPEG2000", no_jp2=True))
    data[8:16] = struct.pack(">LL", size[1], size[0])
    return bytes(data)


def jpeg2000_box_of_length_0() -> bytes:
    """Boxes before the stream, of which one says that it ends where it begins."""
    boxes = b"\0\0\0\x0cjP  \r\n\x87\n" + bytes(4) + b"jp2h" + bytes(20)
    stream = image_bytes(FILM, "JPEG2000", no_jp2=True)
    return encapsulated_dicom(dicom_dataset(FILM), uid.JPEG2000Lossless, boxes + stream[:60])


def long_element(tag: int, nbytes: int, *, deflate: bool = False) -> bytes:
    """A film in whose header one element is followed by so many bytes more of its own."""
    plain = dicom_bytes(dicom_dataset(DEEP), "1.2.840.10008.1.2")
    at = plain.index(struct.pack("<HHL", tag >> 16, tag & 0xFFFF, 2))
    value = plain[at + 8 : at + 10] + b"\1\1" * (nbytes // 2)
    long = plain[:at] + struct.pack("<HHL", tag >> 16, tag & 0xFFFF, len(value)) + value + plain[at + 10 :]
    if not deflate:
        return long
    start = plain.index(b"\x08\0\x16\0")
    packer = zlib.compressobj(1, wbits=-15)
    syntax = b"1.2.840.10008.1.2.1.99"
    meta = bytes(128) + b"DICM" + b"\2\0\x10\0UI" + struct.pack("<H", len(syntax)) + syntax
    noise = np.random.default_rng(0).bytes(nbytes // 90)  # or it would be refused for how well it packs
    private = struct.pack("<HHL", 0x0009, 0x1000, len(noise)) + noise
    return meta + packer.compress(private + long[start:]) + packer.flush()


def png_of_rows(width: int, height: int, color: int, row: bytes) -> bytes:
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(b"\1" + row * width) for _ in range(height)) + packer.flush()
    header = png_header(width, height, 8, color)
    palette = png_chunk(b"PLTE", bytes(range(256)) * 3) if color == 3 else b""
    return SIGNATURE + header + palette + png_chunk(b"IDAT", packed) + png_chunk(b"IEND", b"")


def tiff_of_inks(side: int) -> bytes:
    return image_bytes(Image.new("CMYK", (side, side), (1, 2, 3, 4)), "TIFF", compression="tiff_lzw")


HOSTILE: dict[str, Callable[[], bytes]] = {
    "huge PNG header": lambda: png_of((60_000, 60_000), png_chunk(b"IDAT", compressed_zeros(1 << 20))),
    "PNG of 2^31 pixels a side": lambda: png_of((2**31 - 1, 2**31 - 1)),
    "PNG text bomb": lambda: insert_after_png_header(
        PNG, png_chunk(b"iTXt", b"k\0\1\0\0\0" + compressed_zeros(1500 << 20))
    ),
    "PNG profile bomb": lambda: insert_after_png_header(
        PNG, png_chunk(b"iCCP", b"k\0\0" + compressed_zeros(1100 << 20))
    ),
    "PNG of empty chunks": lambda: SIGNATURE + png_header(64, 64) + png_chunk(b"IDAT", b"") * 500_000,
    "PNG short of pixels": lambda: png_of((8000, 8000), png_chunk(b"IDAT", compressed_zeros(1 << 20))),
    "huge JPEG": lambda: jpeg_with((65_500, 65_500)),
    "JPEG of many scans": lambda: jpeg_with((9000, 9000), scans=2000),
    "JPEG of many segments": lambda: b"\xff\xd8" + b"\xff\xfe\0\2" * 2_000_000,
    "huge TIFF": lambda: tiff_with(3_000_000),
    "TIFF directory beyond its end": lambda: b"II*\0\xff\xff\xff\x7f" + bytes(100),
    "huge DICOM": lambda: dicom_bytes(dicom_dataset(DEEP, Rows=65535, Columns=65535)),
    "huge JPEG 2000 in a small DICOM": lambda: encapsulated_dicom(
        dicom_dataset(FILM), uid.JPEG2000, jpeg2000_with((60_000, 60_000))
    ),
    "deflate bomb": deflated_bomb,
    "JPEG 2000 box of length 0": jpeg2000_box_of_length_0,
    "64 MB of rows": lambda: long_element(0x00280010, 64 << 20),
    "40 MB of rows": lambda: long_element(0x00280010, 40 << 20),
    "200 MB of rows, deflated": lambda: long_element(0x00280010, 200 << 20, deflate=True),
    "100 megapixels with transparency": lambda: png_of_rows(10_000, 10_000, 6, b"\1\2\3\1"),
    "100 megapixels of a palette": lambda: png_of_rows(10_000, 10_000, 3, b"\1"),
    "100 megapixels of inks": lambda: tiff_of_inks(10_000),
    "JPEG with 120 MB of fill": lambda: JPEG[:2] + b"\xff" * (120 << 20) + JPEG[2:],
    "deeply nested DICOM": lambda: nested_dicom(300_000),
    "DICOM of endless elements": lambda: bytes(128) + b"DICM" + b"\x08\0\x50\0SH\0\0" * 3_000_000,
    "RLE bomb": lambda: encapsulated_dicom(
        dicom_dataset(FILM), uid.RLELossless, struct.pack("<16L", 1, 64, *[0] * 14) + b"\x81\0" * 4_000_000
    ),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused_in_two_seconds(make: Callable[[], bytes]) -> None:
    data = make()
    start = time.perf_counter()
    with pytest.raises(UnreadableRadiograph):
        read_radiograph(data)
    assert time.perf_counter() - start < 2
    with at_most(350), pytest.raises(UnreadableRadiograph):
        read_radiograph(data)


@pytest.mark.parametrize("way", [{}, {"progressive": True}, {"restart_marker_blocks": 4}])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("packed", [False, True])
def test_a_cut_jpeg_with_its_end_glued_on_is_refused(way: dict[str, object], share: float, packed: bool) -> None:
    whole = image_bytes(np.tile(FILM, (4, 4)), "JPEG", **way)
    start = whole.index(b"\xff\xda") + 14
    cut = whole[: start + int((len(whole) - start) * share)].rstrip(b"\xff") + b"\xff\xd9"

    def film(stream: bytes) -> bytes:
        return (
            encapsulated_dicom(dicom_dataset(np.tile(FILM, (4, 4))), uid.JPEGBaseline8Bit, stream) if packed else stream
        )

    assert read_radiograph(film(whole)).pixels.shape == (384, 320)
    with pytest.raises(UnreadableRadiograph, match="damaged"):
        read_radiograph(film(cut))


@pytest.mark.parametrize("mode", ["L", "RGB", "CMYK"])
@pytest.mark.parametrize("way", [{}, {"progressive": True}, {"restart_marker_blocks": 4}, {"subsampling": 0}])
def test_a_whole_jpeg_is_what_pillow_makes_of_it(mode: str, way: dict[str, object]) -> None:
    way = way | ({"subsampling": 0} if mode == "CMYK" else {})
    colors = Image.merge("RGB", [Image.fromarray(np.roll(FILM, shift, 0)) for shift in (0, 7, 13)]).convert(mode)
    data = image_bytes(colors, "JPEG", **way)
    with Image.open(BytesIO(data)) as image:
        expected = np.asarray(image.convert("RGB"))
    sums = expected.sum(axis=2, dtype=np.uint16).astype(np.float32) / np.float32(765)
    grey = expected[..., 0].astype(np.float32) / np.float32(255)
    np.testing.assert_array_equal(read_radiograph(data).pixels, grey if mode == "L" else sums)


@pytest.mark.parametrize("kind", ["RGBA PNG", "CMYK TIFF"])
def test_24_megapixels_of_color_read_in_five_seconds(kind: str) -> None:
    rows = np.arange(4000, dtype=np.uint8)[:, None, None]
    colors = (rows + np.arange(6000, dtype=np.uint8)[:, None] * np.array([1, 2, 3, 0], np.uint8)) | np.uint8(1)
    picture = Image.frombytes(kind.split()[0], (6000, 4000), colors.tobytes())
    data = image_bytes(picture, "PNG", compress_level=1) if kind == "RGBA PNG" else image_bytes(picture, "TIFF")
    start = time.perf_counter()
    assert read_radiograph(data).pixels.shape == (4000, 6000)
    assert time.perf_counter() - start < 5


def big_film() -> NDArray[np.uint16]:
    """30 megapixels that use all 16 bits."""
    rows, columns = np.ogrid[:6000, :5000]
    return (rows * 9 + columns * 2).astype(np.uint16)


@pytest.mark.parametrize("kind", ["DICOM", "PNG", "color PNG"])
def test_30_megapixels_read_in_five_seconds(kind: str) -> None:
    film = big_film()
    if kind == "DICOM":
        data = dicom_bytes(dicom_dataset(film, PhotometricInterpretation="MONOCHROME1"))
    elif kind == "PNG":
        data = image_bytes(film, "PNG", compress_level=1)
    else:
        data = image_bytes(np.stack([(film >> 8).astype(np.uint8)] * 3, axis=-1), "PNG", compress_level=1)
    start = time.perf_counter()
    pixels = read_radiograph(data).pixels
    assert time.perf_counter() - start < 5
    assert pixels.shape == film.shape


def test_95_megapixels_are_read_without_pillows_warning() -> None:
    film = np.zeros((9500, 10_000), np.uint8)
    film[:32] = 200
    assert read_radiograph(image_bytes(film, "PNG", compress_level=1)).pixels.max() == np.float32(200 / 255)


MUTATIONS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from(["set", "cut", "insert", "drop"]), st.binary(min_size=1, max_size=8)),
    min_size=1,
    max_size=4,
)


def mutated(data: bytes, mutations: list[tuple[float, str, bytes]]) -> bytes:
    for place, kind, patch in mutations:
        # Squared: most damage lands in the headers, where there is something to misread.
        at = int(place * place * len(data))
        after = {"set": at + len(patch), "cut": len(data), "insert": at, "drop": at + len(patch)}[kind]
        data = data[:at] + (patch if kind in ("set", "insert") else b"") + data[after:]
    return data


@pytest.mark.parametrize("data", SMALL_FILES.values(), ids=SMALL_FILES.keys())
@settings(derandomize=True, max_examples=100, database=None)
@given(mutations=MUTATIONS)
def test_damage_reads_or_is_refused_and_nothing_else(data: bytes, mutations: list[tuple[float, str, bytes]]) -> None:
    try:
        pixels = read_radiograph(mutated(data, mutations)).pixels
    except UnreadableRadiograph as refusal:
        assert refusal.title
        assert refusal.detail
    else:
        assert 0 <= pixels.min() < pixels.max() <= 1
