"""Find the few DICOM elements that a film needs; nothing else of the header is decoded.

pydicom's own reader is not used for this: it recurses into nested sequences, inflates deflated files without a bound
and warns with header values in the text. This walk is flat, counted and silent, and never looks at the patient.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from models.films.dicom_names import named
from models.films.dicom_numbers import BINARY, WIDER, binary_numbers, is_written, written_numbers
from models.films.film import DamagedData, UnreadableRadiograph

MAX_ELEMENTS = 20_000  # a film has some hundred; a hostile header millions
MAX_HEADER = 64 << 20  # bytes of all that is not pixels: overlays and private elements take some megabytes
MAX_WORDS = 4  # 16-bit integers of one element: the longest that is looked at, a LUT descriptor, has 3
MAX_INFLATED = 256 << 20  # bytes
MAX_INFLATION = 100  # times the deflated size; zlib itself allows 1,032

IMPLICIT_LITTLE = "1.2.840.10008.1.2"
EXPLICIT_LITTLE = "1.2.840.10008.1.2.1"
DEFLATED = "1.2.840.10008.1.2.1.99"
EXPLICIT_BIG = "1.2.840.10008.1.2.2"

UNDEFINED = 0xFFFFFFFF
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
DELIMITER = b"\xfe\xff\xdd\xe0"  # the last of these tags in the bytes of a file, where pixels are compressed
PIXEL_DATA = 0x7FE00010
TRANSFER_SYNTAX = 0x00020010

SHORT_VRS = frozenset(b"AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US".split())
LONG_VRS = frozenset(b"OB OD OF OL OV OW SQ SV UC UN UR UT UV".split())


def not_a_films_header(why: str) -> UnreadableRadiograph:
    """The refusal of a header that no film has."""
    return UnreadableRadiograph(
        "The DICOM header does not look like a film's", f"{why} Export the film again from the archive."
    )


@dataclass(frozen=True, slots=True)
class Encoding:
    """How elements are written down."""

    implicit: bool
    little: bool


@dataclass(frozen=True, slots=True)
class Element:
    """`data[start:end]` is the value; `vr` is empty where the encoding has none."""

    tag: int
    vr: bytes
    start: int
    end: int
    undefined: bool


@dataclass(slots=True)
class Walk:
    """A pass over the elements of `data`, counting what it sees.

    Raises DamagedData when the data end early, UnreadableRadiograph when there are too many elements.
    """

    data: memoryview
    encoding: Encoding
    seen: int = 0

    def header(self, at: int, implicit: bool) -> tuple[int, bytes, int, int]:
        """Tag, VR, length and start of the value of the element at `at`."""
        self.seen += 1
        if self.seen > MAX_ELEMENTS:
            raise not_a_films_header(f"It has more than {MAX_ELEMENTS} elements.")
        order = "<" if self.encoding.little else ">"
        try:
            group, number = struct.unpack_from(order + "HH", self.data, at)
            tag = group << 16 | number
            vr = bytes(self.data[at + 4 : at + 6])
            # Some writers change to implicit in the middle of an explicit file: two capitals tell.
            if implicit or group == 0xFFFE or not (vr.isalpha() and vr.isupper()):
                return tag, b"", struct.unpack_from(order + "L", self.data, at + 4)[0], at + 8
            if vr in LONG_VRS:
                return tag, vr, struct.unpack_from(order + "L", self.data, at + 8)[0], at + 12
            return tag, vr, struct.unpack_from(order + "H", self.data, at + 6)[0], at + 8
        except struct.error as error:
            raise DamagedData from error

    def elements(self, start: int) -> Iterator[Element]:
        """The elements of one level from `start` on, until the level or the data end."""
        at = start
        while at + 8 <= len(self.data):
            tag, vr, length, value = self.header(at, self.encoding.implicit)
            if tag in (ITEM_END, SEQUENCE_END):
                return
            if length == UNDEFINED and tag == PIXEL_DATA:
                end = at = self.fragments_end(value)
            elif length == UNDEFINED:
                end, at = self.skip(value, self.encoding.implicit or vr == b"UN")
            else:
                end = at = value + length
            if end > len(self.data):
                raise DamagedData
            yield Element(tag, vr, value, end, length == UNDEFINED)

    def fragments_end(self, at: int) -> int:
        """End of the last of the fragments that start at `at`, whether or not a delimiter follows."""
        while at + 8 <= len(self.data):
            tag, _, length, start = self.header(at, implicit=True)
            if tag != ITEM:
                break
            at = start + length
            if at > len(self.data):
                raise DamagedData
        return at

    def skip(self, at: int, implicit: bool) -> tuple[int, int]:
        """End of the value of undefined length that starts at `at`, and where the next element starts."""
        open_levels = [implicit]
        while open_levels:
            last = at
            tag, vr, length, at = self.header(at, open_levels[-1])
            if tag in (ITEM_END, SEQUENCE_END):
                open_levels.pop()
            elif length == UNDEFINED:
                open_levels.append(open_levels[-1] or vr == b"UN")
            else:
                at += length
        return last, at


@dataclass(frozen=True, slots=True)
class DicomHeader:
    """The wanted elements of one data set, as raw bytes with typed getters that never raise on odd values."""

    encoding: Encoding
    transfer_syntax: str
    data: memoryview
    elements: dict[int, Element] = field(default_factory=dict)

    def __contains__(self, tag: int) -> bool:
        return tag in self.elements

    def raw(self, tag: int) -> memoryview:
        """The bytes of the value, empty when absent."""
        element = self.elements.get(tag)
        return self.data[element.start : element.end] if element else memoryview(b"")

    def texts(self, tag: int) -> tuple[str, ...]:
        """The backslash-separated values, stripped; empty when absent or longer than any code."""
        raw = self.raw(tag)
        text = bytes(raw).decode("ascii", "replace").strip(" \0") if len(raw) <= 1024 else ""
        return tuple(part.strip(" \0") for part in text.split("\\")) if text else ()

    def text(self, tag: int) -> str:
        """The first value, or nothing."""
        return (self.texts(tag) or ("",))[0]

    def numbers(self, tag: int) -> tuple[float, ...]:
        """Numbers as floats; nothing at all when one of them is not a finite number."""
        found = self.numbers_or_gaps(tag)
        numbers = tuple(number for number in found if number is not None)
        return numbers if len(numbers) == len(found) else ()

    def numbers_or_gaps(self, tag: int) -> tuple[float | None, ...]:
        """Numbers as floats, None for each that is not a finite number; none at the end, where writers leave a mark."""
        vr = self.elements[tag].vr if tag in self.elements else b""
        if vr in BINARY:  # not what the standard has for these elements, but clear
            return binary_numbers(self.raw(tag), vr, little=self.encoding.little)
        return written_numbers(self.texts(tag))

    def words(self, tag: int, *, signed: bool = False) -> tuple[int, ...]:
        """16-bit integers; an element that names its own kind of number overrules `signed`.

        Raises UnreadableRadiograph for more of them than any of the wanted elements has.
        """
        raw, vr = self.raw(tag), self.elements[tag].vr if tag in self.elements else b""
        if is_written(bytes(raw[:8]), vr) or vr in WIDER:
            return tuple(int(each) for each in self.numbers(tag)[:MAX_WORDS] if each == int(each) and abs(each) < 65536)
        if len(raw) > 2 * MAX_WORDS:
            raise not_a_films_header(f"{named(tag)} holds {len(raw) // 2} numbers; one to three would be right.")
        kind = {b"US": "H", b"SS": "h"}.get(vr, "h" if signed else "H")
        order, count = "<" if self.encoding.little else ">", len(raw) // 2
        return struct.unpack_from(f"{order}{count}{kind}", raw) if count else ()

    def integer(self, tag: int, default: int = 0) -> int:
        """The first 16-bit unsigned integer, or `default`."""
        return (self.words(tag) or (default,))[0]

    def item(self, tag: int) -> DicomHeader | None:
        """The first item of a sequence; None when there is none."""
        element = self.elements.get(tag)
        if element is None:
            return None
        encoding = Encoding(self.encoding.implicit or element.vr == b"UN", self.encoding.little)
        walk = Walk(self.data[: element.end], encoding)
        try:
            found, _, length, start = walk.header(element.start, implicit=True)
            if found != ITEM:
                return None
            if length != UNDEFINED:
                walk.data = walk.data[: start + length]
            inner = {each.tag: each for each in walk.elements(start)}
        except DamagedData:
            return None
        return DicomHeader(encoding, self.transfer_syntax, self.data, inner)


def looks_like_dicom(data: bytes) -> bool:
    """Whether bytes without a preamble begin like a data set: three ascending elements of low groups."""
    view = memoryview(data)
    if len(data) < 64 or data[:2] not in (b"\2\0", b"\x08\0", b"\0\x08"):
        return False
    walk = Walk(view, _guess(view, 0))
    tags = []
    try:
        for element in walk.elements(0):
            tags.append(element.tag)
            if len(tags) == 3:
                break
    except (DamagedData, UnreadableRadiograph):
        return False
    return len(tags) == 3 and tags == sorted(set(tags)) and tags[-1] >> 16 <= 0x0010


def parse(data: bytes, wanted: frozenset[int]) -> DicomHeader:
    """Walk a file, with or without preamble, up to its pixel data and keep the wanted elements.

    Raises DamagedData or UnreadableRadiograph.
    """
    view = memoryview(data)
    syntax, start = _file_meta(view, 132 if data[128:132] == b"DICM" else 0)
    if syntax == DEFLATED:
        view, start = memoryview(_inflate(view[start:])), 0
    encoding = _guess(view, start)
    if not syntax:
        explicit = EXPLICIT_LITTLE if encoding.little else EXPLICIT_BIG
        syntax = IMPLICIT_LITTLE if encoding.implicit else explicit
    found: dict[int, Element] = {}
    for element in Walk(view, encoding).elements(start):
        if element.tag in wanted:
            found[element.tag] = element
        if element.tag >= PIXEL_DATA:
            break
        if element.end - start > MAX_HEADER:
            raise not_a_films_header(f"It takes more than {MAX_HEADER >> 20} MB beside the pixels.")
    return DicomHeader(encoding, syntax, view, found)


def is_plain(data: bytes) -> bool:
    """Whether a file's pixels are neither compressed nor deflated, as far as it says. Raises as `parse` does."""
    syntax, _ = _file_meta(memoryview(data), 132 if data[128:132] == b"DICM" else 0)
    return syntax in ("", IMPLICIT_LITTLE, EXPLICIT_LITTLE, EXPLICIT_BIG)


def _file_meta(view: memoryview, start: int) -> tuple[str, int]:
    """The transfer syntax and the end of group 0002, which is always explicit little endian."""
    walk = Walk(view, Encoding(implicit=False, little=True))
    syntax = ""
    at = start
    while bytes(view[at : at + 2]) == b"\2\0":
        element = next(walk.elements(at), None)
        if element is None:
            raise DamagedData
        if element.tag == TRANSFER_SYNTAX:
            raw = bytes(view[element.start : element.end][:64])
            syntax = raw.decode("ascii", "replace").strip(" \0")
        at = element.end
    return syntax, at


def _guess(view: memoryview, start: int) -> Encoding:
    """Read the encoding off the first element: its bytes are surer than the transfer syntax that was declared."""
    first = bytes(view[start : start + 6])
    explicit = first[4:] in SHORT_VRS | LONG_VRS
    big = first[:1] == b"\0" and first[1:2] != b"\0"
    return Encoding(implicit=not explicit, little=not big)


def _inflate(deflated: memoryview) -> bytes:
    limit = min(MAX_INFLATED, MAX_INFLATION * len(deflated))
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflater.decompress(deflated, limit)
    except zlib.error as error:
        raise DamagedData from error
    if inflater.unconsumed_tail:
        raise UnreadableRadiograph(
            "The deflated DICOM is far larger than its file",
            "It unpacks to much more than a film would. Export it with an uncompressed transfer syntax.",
        )
    return data
