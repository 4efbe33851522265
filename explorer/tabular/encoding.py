"""Detects the encoding of a text file. Encodings are never guessed: only reliable evidence counts."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from explorer.tabular.problems import WrongInput

HEAD_BYTES = 1 << 16
_UTF_8 = "utf-8-sig"
_MANY_ZEROS = 0.4  # in UTF-16, every second byte of Latin text is zero
_OTHER_FILES = {
    b"PK\x03\x04": "is a spreadsheet or a ZIP. Save the sheet as CSV in UTF-8",
    b"\xd0\xcf\x11\xe0": "is a spreadsheet. Save the sheet as CSV in UTF-8",
    b"\x1f\x8b": "is compressed. Unpack it first",
    b"PAR1": "is Parquet. Write it as CSV in UTF-8",
}


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """An encoding. `name` is Python's; `note` reports it to the user, None for UTF-8."""

    name: str
    note: str | None


UTF_8 = TextEncoding(_UTF_8, None)


def encoding_of(path: Path) -> TextEncoding:
    """Return UTF-8, or UTF-16 for a byte order mark or many zeros. Raises OSError; WrongInput if it is not text."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    for start, words in _OTHER_FILES.items():
        if head.startswith(start):
            raise WrongInput(f"{path} {words}.")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return TextEncoding("utf-16", "read as UTF-16")
    for name, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if zeros and zeros.count(0) > 2 * _MANY_ZEROS * len(zeros):
            return TextEncoding(name, "read as UTF-16, although it has no byte order mark")
    return UTF_8


def not_utf_8(path: Path) -> str:
    """Return a refusal that shows where a file is not UTF-8, and what to do."""
    data = path.read_bytes()
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = data[error.start : error.start + 1]
        letter = byte.decode("cp1252", "replace")
        meant = f", {letter!r} in Windows-1252 (Latin-1)" if letter.isprintable() and letter != "\ufffd" else ""
        line = data.count(b"\n", 0, error.start) + 1
        where = f" line {line:,} has the byte {byte.hex().upper()}{meant}."
        return f"{path} is not text in UTF-8:{where} Save it as CSV in UTF-8."
    return f"{path} is not text in UTF-8. Save it as CSV in UTF-8."
