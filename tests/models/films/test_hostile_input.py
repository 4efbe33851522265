"""Hostile files: a sentence within two seconds and bounded memory."""

from __future__ import annotations

import struct
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image
from pydicom import uid

from models.radiograph import UnreadableRadiograph, read_radiograph
from tests.support.film_files import (
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

pytestmark = pytest.mark.slow

FILM = synthetic_film()
DEEP = FILM.astype(np.uint16) * 257
PNG, JPEG, TIFF = image_bytes(FILM, "PNG"), image_bytes(FILM, "JPEG"), image_bytes(FILM, "TIFF")
DICOM = dicom_bytes(dicom_dataset(DEEP))
PACKED = compressed_dicom(dicom_dataset(DEEP), uid.RLELossless)
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


def png_of(size: tuple[int, int], *chunks: bytes) -> bytes:
    return SIGNATURE + png_header(*size) + b"".join(chunks) + png_chunk(b"IEND", b"")


def compressed_zeros(count: int) -> bytes:
    """Megabytes of zeros that unpack a thousandfold: one megabyte is packed, and its block repeated."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(bytes(1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = (count % 65521) << 16 | 1  # Adler-32 of zeros
    return b"\x78\xda" + block * (count >> 20) + b"\3\0" + struct.pack(">L", checksum)


def test_zeros_are_packed_as_zlib_unpacks_them() -> None:
    assert zlib.decompress(compressed_zeros(3 << 20)) == bytes(3 << 20)


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
