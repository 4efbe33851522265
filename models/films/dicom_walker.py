"""Finds the few DICOM elements that a film needs and decodes nothing else of the header.

pydicom's own reader is unsuitable: it recurses into nested sequences, inflates deflated files without a bound and
quotes header values in warnings. This walker is flat, bounded and silent, and never reads patient data.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from models.films.dicom_names import element_name
from models.films.dicom_numbers import BINARY_VRS, WIDE_BINARY_VRS, is_text_number, parse_decimals, unpack_numbers
from models.films.film import DamagedData, UnreadableRadiograph

MAX_ELEMENTS = 20_000  # a film has a few hundred, a hostile header millions
MAX_HEADER = 64 << 20  # bytes without pixels: overlays and private elements take a few megabytes
MAX_WORDS = 4  # 16-bit integers read per element; the longest element needed, a LUT descriptor, has 3
MAX_INFLATED = 256 << 20  # bytes
MAX_INFLATION = 100  # times the deflated size; zlib itself allows 1,032 times

IMPLICIT_LITTLE = "1.2.840.10008.1.2"
EXPLICIT_LITTLE = "1.2.840.10008.1.2.1"
DEFLATED = "1.2.840.10008.1.2.1.99"
EXPLICIT_BIG = "1.2.840.10008.1.2.2"

UNDEFINED = 0xFFFFFFFF
ITEM, ITEM_END, SEQUENCE_END = 0xFFFEE000, 0xFFFEE00D, 0xFFFEE0DD
DELIMITER = b"\xfe\xff\xdd\xe0"  # SEQUENCE_END as bytes, after compressed pixels
PIXEL_DATA = 0x7FE00010
TRANSFER_SYNTAX = 0x00020010

SHORT_VRS = frozenset(b"AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US".split())
LONG_VRS = frozenset(b"OB OD OF OL OV OW SQ SV UC UN UR UT UV".split())


def unlikely_header(why: str) -> UnreadableRadiograph:
    """Return the refusal of a header that films do not have."""
    return UnreadableRadiograph(
        "The DICOM header does not look like a film's", f"{why} Export the film again from the archive."
    )


@dataclass(frozen=True, slots=True)
class ElementEncoding:
    """How elements are encoded."""

    implicit: bool
    little: bool


@dataclass(frozen=True, slots=True)
class Element:
    """One element: `data[start:end]` is the value; `vr` is empty if the encoding has none."""

    tag: int
    vr: bytes
    start: int
    end: int
    undefined: bool


@dataclass(slots=True)
class Walk:
    """A pass over the elements of `data` that counts them.

    Raises DamagedData if the data end early, UnreadableRadiograph if there are too many elements.
    """

    data: memoryview
    encoding: ElementEncoding
    seen: int = 0

    def header(self, at: int, implicit: bool) -> tuple[int, bytes, int, int]:
        """Return tag, VR, length and value start of the element at `at`."""
        self.seen += 1
        if self.seen > MAX_ELEMENTS:
            raise unlikely_header(f"It has more than {MAX_ELEMENTS} elements.")
        order = "<" if self.encoding.little else ">"
        try:
            group, number = struct.unpack_from(order + "HH", self.data, at)
            tag = group << 16 | number
            vr = bytes(self.data[at + 4 : at + 6])
            # Some writers switch to implicit inside an explicit file; a VR is always two capitals.
            if implicit or group == 0xFFFE or not (vr.isalpha() and vr.isupper()):
                return tag, b"", struct.unpack_from(order + "L", self.data, at + 4)[0], at + 8
            if vr in LONG_VRS:
                return tag, vr, struct.unpack_from(order + "L", self.data, at + 8)[0], at + 12
            return tag, vr, struct.unpack_from(order + "H", self.data, at + 6)[0], at + 8
        except struct.error as error:
            raise DamagedData from error

    def elements(self, start: int) -> Iterator[Element]:
        """Yield the elements of one level from `start` on, until the level ends or the data end."""
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
        """Return the end of the last of the fragments that start at `at`, with or without a delimiter."""
        while at + 8 <= len(self.data):
            tag, _, length, start = self.header(at, implicit=True)
            if tag != ITEM:
                break
            at = start + length
            if at > len(self.data):
                raise DamagedData
        return at

    def skip(self, at: int, implicit: bool) -> tuple[int, int]:
        """Return the end of the undefined-length value that starts at `at`, and the start of the next element."""
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
    """A data set's wanted elements as raw bytes, with typed getters that tolerate odd values."""

    encoding: ElementEncoding
    transfer_syntax: str
    data: memoryview
    elements: dict[int, Element] = field(default_factory=dict)

    def __contains__(self, tag: int) -> bool:
        return tag in self.elements

    def raw(self, tag: int) -> memoryview:
        """Return the bytes of the value, empty if absent."""
        element = self.elements.get(tag)
        return self.data[element.start : element.end] if element else memoryview(b"")

    def texts(self, tag: int) -> tuple[str, ...]:
        """Return the backslash-separated values, stripped; empty if absent or longer than any code."""
        raw = self.raw(tag)
        text = bytes(raw).decode("ascii", "replace").strip(" \0") if len(raw) <= 1024 else ""
        return tuple(part.strip(" \0") for part in text.split("\\")) if text else ()

    def text(self, tag: int) -> str:
        """Return the first value, or an empty string."""
        return (self.texts(tag) or ("",))[0]

    def numbers(self, tag: int) -> tuple[float, ...]:
        """Return the numbers as floats; empty if any is not finite."""
        found = self.numbers_or_gaps(tag)
        numbers = tuple(number for number in found if number is not None)
        return numbers if len(numbers) == len(found) else ()

    def numbers_or_gaps(self, tag: int) -> tuple[float | None, ...]:
        """Return the numbers as floats, with None for each that is not finite; trailing blanks are dropped."""
        vr = self.elements[tag].vr if tag in self.elements else b""
        if vr in BINARY_VRS:  # violates the standard for these elements, but is unambiguous
            return unpack_numbers(self.raw(tag), vr, little=self.encoding.little)
        return parse_decimals(self.texts(tag))

    def words(self, tag: int, *, signed: bool = False) -> tuple[int, ...]:
        """Return 16-bit integers; an explicit VR overrules `signed`.

        Raises UnreadableRadiograph if there are more integers than any wanted element has.
        """
        raw, vr = self.raw(tag), self.elements[tag].vr if tag in self.elements else b""
        if is_text_number(bytes(raw[:8]), vr) or vr in WIDE_BINARY_VRS:
            return tuple(int(each) for each in self.numbers(tag)[:MAX_WORDS] if each == int(each) and abs(each) < 65536)
        if len(raw) > 2 * MAX_WORDS:
            raise unlikely_header(f"{element_name(tag)} holds {len(raw) // 2} numbers; expected one to three.")
        kind = {b"US": "H", b"SS": "h"}.get(vr, "h" if signed else "H")
        order, count = "<" if self.encoding.little else ">", len(raw) // 2
        return struct.unpack_from(f"{order}{count}{kind}", raw) if count else ()

    def integer(self, tag: int, default: int = 0) -> int:
        """Return the first 16-bit unsigned integer, or `default`."""
        return (self.words(tag) or (default,))[0]

    def item(self, tag: int) -> DicomHeader | None:
        """Return the first item of a sequence; None if there is none."""
        element = self.elements.get(tag)
        if element is None:
            return None
        encoding = ElementEncoding(self.encoding.implicit or element.vr == b"UN", self.encoding.little)
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
    """Return whether bytes without a preamble start like a data set: three ascending elements of low groups."""
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


def parse_header(data: bytes, wanted: frozenset[int]) -> DicomHeader:
    """Read a file, with or without preamble, up to its pixel data and keep the wanted elements.

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
            raise unlikely_header(f"It takes more than {MAX_HEADER >> 20} MB without the pixels.")
    return DicomHeader(encoding, syntax, view, found)


def is_uncompressed(data: bytes) -> bool:
    """Return whether the file says that its pixels are neither compressed nor deflated. Raises like `parse_header`."""
    syntax, _ = _file_meta(memoryview(data), 132 if data[128:132] == b"DICM" else 0)
    return syntax in ("", IMPLICIT_LITTLE, EXPLICIT_LITTLE, EXPLICIT_BIG)


def _file_meta(view: memoryview, start: int) -> tuple[str, int]:
    """Return the transfer syntax and the end of group 0002, which is always explicit little endian."""
    walk = Walk(view, ElementEncoding(implicit=False, little=True))
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


def _guess(view: memoryview, start: int) -> ElementEncoding:
    """Infer the encoding from the first element, which is more reliable than the declared transfer syntax."""
    first = bytes(view[start : start + 6])
    explicit = first[4:] in SHORT_VRS | LONG_VRS
    big = first[:1] == b"\0" and first[1:2] != b"\0"
    return ElementEncoding(implicit=not explicit, little=not big)


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
            "It unpacks to much more than a film needs. Export it with an uncompressed transfer syntax.",
        )
    return data
