"""Films that are damaged, made to harm, or only large: kinds of them, each drawn by a generator of random numbers."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
import pydicom
from numpy.typing import NDArray
from PIL import Image
from pydicom import uid
from pydicom.dataset import Dataset

from explorer.simulator import render
from tests.support.film_files import (
    PACKAGED,
    PYDICOM_FILES,
    compressed_dicom,
    dicom_bytes,
    dicom_dataset,
    encapsulated_dicom,
    image_bytes,
    png_chunk,
    png_header,
)

Dice = np.random.Generator
SIGNATURE = b"\x89PNG\r\n\x1a\n"
LIMIT = 26_000_000  # pixels of a film that is only large


@cache
def film() -> NDArray[np.uint8]:
    """A simulated film of 512 x 512 pixels."""
    pixels, _ = render(1, [], "A", size=512)
    return np.rint(pixels * 255).astype(np.uint8)


@cache
def deep() -> NDArray[np.uint16]:
    """The same in 12 bits."""
    return film().astype(np.uint16) * 16


def mutated(data: bytes, dice: Dice, *, first: int = 0, last: int | None = None) -> bytes:
    """One to four places between two bytes set, cut out or filled up."""
    for _ in range(dice.integers(1, 5)):
        at = int(dice.integers(first, max(first + 1, min(last or len(data), len(data)))))
        patch = dice.bytes(int(dice.integers(1, 9)))
        patch = bytes([int(dice.choice([0, 1, 127, 255]))]) * len(patch) if dice.random() < 0.5 else patch
        kind = dice.integers(4)
        gone = int(dice.integers(1, 64)) if kind == 2 else len(patch) if kind == 0 else 0
        data = data[:at] + (b"" if kind == 2 else patch) + data[at + gone :]
    return data


def deflated(plain: bytes) -> bytes:
    """A DICOM file with the data set of another, which is explicit little endian, deflated."""
    at = plain.index(b"\x08\0\x16\0")  # where group 0002 ends
    packer = zlib.compressobj(9, wbits=-15)
    syntax = b"1.2.840.10008.1.2.1.99"
    meta = bytes(128) + b"DICM" + b"\2\0\x10\0UI" + struct.pack("<H", len(syntax)) + syntax
    return meta + packer.compress(plain[at:]) + packer.flush()


def element(tag: int, value: bytes) -> bytes:
    """An element of an implicit little endian data set."""
    return struct.pack("<HHL", tag >> 16, tag & 0xFFFF, len(value)) + value


HEADER_TAGS = [0x00080060, 0x00180015, 0x00280002, 0x00280004, 0x00280010, 0x00280011, 0x00280100, 0x00280101]
HEADER_TAGS += [0x00280102, 0x00280103, 0x00280120, 0x00281050, 0x00281051, 0x00281052, 0x00281053, 0x00283010]


def dicom_header(dice: Dice) -> bytes:
    """Elements of up to 200 MB where a word is expected, sequences in sequences, lengths that lie."""
    small = film()[:256, :256].astype(np.uint16) * 257
    us = {0x00280002: 1, 0x00280010: 256, 0x00280011: 256, 0x00280100: 16, 0x00280101: 16, 0x00280102: 15}
    values = {tag: struct.pack("<H", number) for tag, number in us.items()}
    values |= {0x00080060: b"CR", 0x00280004: b"MONOCHROME2 ", 0x00280103: bytes(2), 0x7FE00010: small.tobytes()}
    tag = int(dice.choice(HEADER_TAGS))
    size = int(2 ** dice.uniform(2, 27.5))
    filler = dice.integers(3)
    values[tag] = values.get(tag, b"") + (b"\1\1" * (size // 2) if filler else dice.bytes(min(size, 1 << 22)))
    if dice.random() < 0.3:
        values[0x00081140] = b"\xfe\xff\0\xe0\xff\xff\xff\xff" * int(dice.integers(1, 100_000))
    data = b"".join(element(each, values[each]) for each in sorted(values))
    if dice.random() < 0.3:
        data = mutated(data, dice, last=2000)
    meta = bytes(128) + b"DICM" + b"\2\0\x10\0UI"
    if dice.random() < 0.5:
        packer = zlib.compressobj(1, wbits=-15)
        name, data = b"1.2.840.10008.1.2.1.99", packer.compress(data) + packer.flush()
    else:
        name = b"1.2.840.10008.1.2\0"
    return meta + struct.pack("<H", len(name)) + name + data


@cache
def _codestream() -> bytes:
    data = compressed_dicom(dicom_dataset(deep(), BitsStored=12, HighBit=11), uid.JPEG2000Lossless)
    return bytes(pydicom.encaps.get_frame(pydicom.dcmread(BytesIO(data)).PixelData, 0, number_of_frames=1))


def jpeg2000(dice: Dice) -> bytes:
    """Streams in boxes whose lengths lie, and streams whose main header does."""
    stream = _codestream()
    if dice.random() < 0.7:
        stream = mutated(stream, dice, last=300 if dice.random() < 0.7 else None)
    if dice.random() < 0.5:
        stream = stream[: int(dice.integers(20, 400))]
    if dice.random() < 0.6:
        lengths = [0, 1, 7, 8, 12, 0xFFFFFFFF, int(dice.integers(0, 100))]
        box = struct.pack(">L", int(dice.choice(lengths))) + bytes(dice.choice([b"jp2h", b"jp2c", b"ftyp", b"xml "]))
        stream = b"\0\0\0\x0cjP  \r\n\x87\n" + (box + dice.bytes(int(dice.integers(0, 20)))) * 2 + stream
    dataset = dicom_dataset(deep(), BitsStored=12, HighBit=11)
    return encapsulated_dicom(dataset, uid.JPEG2000Lossless, stream)


@cache
def _jpegs() -> tuple[bytes, ...]:
    ways = [{"quality": 90}, {"quality": 75, "progressive": True}, {"quality": 95, "restart_marker_blocks": 64}]
    return tuple(image_bytes(film(), "JPEG", **way) for way in ways)


def cut_jpeg(dice: Dice) -> bytes:
    """A film of which more than a tenth is missing, with the marker of its end glued on more often than not."""
    data = _jpegs()[dice.integers(len(_jpegs()))]
    start = data.index(b"\xff\xda")
    data = data[: start + int((len(data) - start) * dice.uniform(0.05, 0.85))]
    return data + b"\xff\xd9" if dice.random() < 0.8 else data


def jpeg_markers(dice: Dice) -> bytes:
    """Headers that lie, hundreds of scans, megabytes of fill bytes."""
    data = _jpegs()[dice.integers(len(_jpegs()))]
    kind = dice.integers(4)
    if kind == 0:
        return data[:2] + b"\xff" * int(2 ** dice.uniform(1, 27)) + data[2:]
    if kind == 1:
        start = data.index(b"\xff\xda")
        return data[:start] + data[start:-2] * int(dice.integers(2, 600)) + data[-2:]
    if kind == 2:
        frame = max(data.find(b"\xff\xc0"), data.find(b"\xff\xc2"))
        size = struct.pack(">HH", *(int(side) for side in dice.integers(16, 9000, 2)))
        return data[: frame + 5] + size + data[frame + 9 :]
    return mutated(data, dice, last=700)


def png(dice: Dice) -> bytes:
    """All color types and depths, up to the most pixels that are read, packed very small; and damaged ones."""
    if dice.random() < 0.4:
        return mutated(image_bytes(film(), "PNG"), dice, last=300 if dice.random() < 0.5 else None)
    color = int(dice.choice([0, 2, 3, 4, 6]))
    bits = int(dice.choice({0: [1, 2, 8, 16], 3: [1, 4, 8]}.get(color, [8, 16])))
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    pixels = int(dice.choice([1e5, 1e6, 1e7, LIMIT, 99e6]))
    width = int(dice.integers(100, 20_000))
    height = max(1, pixels // width)
    nbytes = (width * channels * bits + 7) // 8
    row = bytes([int(dice.integers(0, 5))]) + (bytes(range(251)) * (nbytes // 251 + 1))[:nbytes]
    packer = zlib.compressobj(1)
    packed = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    palette = png_chunk(b"PLTE", bytes(range(256)) * 3) if color == 3 else b""
    header = png_header(width, height, bits, color)
    return SIGNATURE + header + palette + png_chunk(b"IDAT", packed) + png_chunk(b"IEND", b"")


def tiff(dice: Dice) -> bytes:
    """Every mode and compression up to the most pixels that are read, and damaged ones."""
    side = int(dice.choice([200, 1000, 3000, 5000, 9000]))
    mode = str(dice.choice(["L", "I;16", "F", "I", "RGB", "RGBA", "CMYK", "P", "LA", "1"]))
    if side > 5000 and mode not in ("L", "I;16"):
        side = 5000
    ways = ["raw", "tiff_lzw", "tiff_adobe_deflate", "packbits", *["jpeg"] * (mode in ("L", "RGB", "CMYK"))]
    way = str(dice.choice(ways))
    square = np.resize(deep(), (side, side))
    if mode in ("F", "I", "I;16"):
        image = Image.fromarray(square.astype({"F": "f4", "I": "i4", "I;16": "u2"}[mode]))
    else:
        image = Image.fromarray((square >> 4).astype(np.uint8)).convert("RGB").convert(mode)
    try:
        data = tiff_bytes(image, way)
    except (OSError, RuntimeError, ValueError):  # not every compression takes every mode
        data = tiff_bytes(image, "raw")
    return mutated(data, dice) if dice.random() < 0.4 and side <= 1000 else data


def tiff_bytes(image: Image.Image, compression: str) -> bytes:
    file = BytesIO()
    image.save(file, "TIFF", compression=None if compression == "raw" else compression)
    return file.getvalue()


@cache
def _packed() -> tuple[bytes, ...]:
    names = [
        "MR_small_jpeg_ls_lossless",
        "JPEGLSNearLossless_16",
        "MR_small_jp2klossless",
        "JPEG2000",
        "examples_jpeg2k",
    ]
    names += ["MR_small_RLE", "SC_rgb_jpeg_dcmtk", "SC_rgb_rle", "SC_rgb_jpeg_gdcm"]
    lossless = PACKAGED / "JPEG-LL.dcm"
    return tuple(_as_film(path) for path in [lossless, *(PYDICOM_FILES / f"{name}.dcm" for name in names)])


def _as_film(path: Path) -> bytes:
    dataset = pydicom.dcmread(path)
    dataset.Modality = "DX"
    if "NumberOfFrames" in dataset:
        del dataset.NumberOfFrames
    file = BytesIO()
    dataset.save_as(file)
    return file.getvalue()


def packed_dicom(dice: Dice) -> bytes:
    """JPEG lossless, JPEG-LS, JPEG 2000, JPEG and RLE as DICOM packs them, damaged."""
    data = _packed()[dice.integers(len(_packed()))]
    return mutated(data, dice, first=max(0, data.find(b"\xe0\x7f\x10\0")) if dice.random() < 0.8 else 0)


def junk(dice: Dice) -> bytes:
    """Anything behind the beginning of a format."""
    starts = [SIGNATURE, b"\xff\xd8\xff", b"II*\0", b"MM\0*", bytes(128) + b"DICM", b"\x08\0\x05\0CS", b""]
    filler = dice.bytes(64) * 1000 if dice.random() < 0.5 else dice.bytes(64_000)
    return starts[dice.integers(len(starts))] + filler[: int(dice.integers(0, 64_000))]


KINDS: dict[str, Callable[[Dice], bytes]] = {
    "DICOM header": dicom_header,
    "JPEG 2000": jpeg2000,
    "cut JPEG": cut_jpeg,
    "JPEG markers": jpeg_markers,
    "PNG": png,
    "TIFF": tiff,
    "packed DICOM": packed_dicom,
    "junk": junk,
}


def films(kind: str, count: int, seed: int) -> Iterator[bytes]:
    """So many films of a kind, the same ones for the same seed."""
    dice = np.random.default_rng([seed, list(KINDS).index(kind)])
    for _ in range(count):
        yield KINDS[kind](dice)


def large_films() -> Iterator[tuple[str, bytes]]:
    """Legal films of 25 megapixels, by what they are."""
    noise = np.random.default_rng(0).normal(0, 40, (500, 500))
    big = np.tile((np.resize(deep(), (500, 500)) + noise).clip(0, 4095).astype(np.uint16), (10, 10))
    grey = (big >> 4).astype(np.uint8)

    def dataset() -> Dataset:  # another one each time: compressing one changes it
        return dicom_dataset(big, BitsStored=12, HighBit=11)

    yield "DICOM", dicom_bytes(dataset())
    yield "deflated DICOM", deflated(dicom_bytes(dataset()))
    yield "RLE", compressed_dicom(dataset(), uid.RLELossless)
    yield "JPEG 2000", compressed_dicom(dataset(), uid.JPEG2000Lossless)
    yield "JPEG", image_bytes(grey, "JPEG", quality=95)
    yield "progressive JPEG", image_bytes(grey, "JPEG", quality=95, progressive=True)
    yield "8-bit PNG", image_bytes(grey, "PNG", compress_level=1)
    yield "16-bit PNG", image_bytes(big, "PNG", compress_level=1)
    yield "RGB PNG", image_bytes(np.stack([grey, grey, 255 - grey], -1), "PNG", compress_level=1)
    yield "LZW TIFF", image_bytes(grey, "TIFF", compression="tiff_lzw")
    yield "CMYK TIFF", tiff_bytes(Image.fromarray(np.stack([grey, 255 - grey, grey, grey // 3], -1), "CMYK"), "raw")
