"""In which encoding a text file is. Only what can be known is taken: an encoding without a mark is not guessed."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path

from explorer.tabular.problems import WrongInput

HEAD = 1 << 16  # bytes
_UTF_8 = "utf-8-sig"
_MOST_ZEROS = 0.4  # of the bytes of Latin text in UTF-16 every second one is zero
_OTHER_FILES = {
    b"PK\x03\x04": "is a spreadsheet or a ZIP. Save the sheet as CSV in UTF-8",
    b"\xd0\xcf\x11\xe0": "is a spreadsheet. Save the sheet as CSV in UTF-8",
    b"\x1f\x8b": "is compressed. Unpack it first",
    b"PAR1": "is Parquet. Write it as CSV in UTF-8",
}


@dataclass(frozen=True, slots=True)
class Encoding:
    """`name` as Python has it; `said` is what to note of it, None for UTF-8."""

    name: str
    said: str | None


PLAIN = Encoding(_UTF_8, None)


def encoding_of(path: Path) -> Encoding:
    """UTF-8, or UTF-16 by its mark or by its zeros. Raises OSError, WrongInput for a file that is no text at all."""
    with path.open("rb") as file:
        head = file.read(HEAD)
    for start, words in _OTHER_FILES.items():
        if head.startswith(start):
            raise WrongInput(f"{path} {words}.")
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Encoding("utf-16", "read as UTF-16")
    for name, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[0::2])):
        if zeros and zeros.count(0) > 2 * _MOST_ZEROS * len(zeros):
            return Encoding(name, "read as UTF-16, though it has no mark that says so")
    return PLAIN


def not_utf_8(path: Path) -> str:
    """Where a file is not text in UTF-8, in words, and what to do."""
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
