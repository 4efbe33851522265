"""What an export of Explore as CSV holds: rows in one file of a ZIP, what they were made of in the other."""

from __future__ import annotations

import csv
import io
import json
from pathlib import PurePath
from zipfile import ZipFile


def unpacked(data: bytes) -> tuple[list[dict[str, str]], dict[str, str]]:
    """The rows, and what they were made of."""
    with ZipFile(io.BytesIO(data)) as archive:
        rows, facts = archive.namelist()
        assert (PurePath(rows).suffix, PurePath(facts).suffix) == (".csv", ".json")
        assert PurePath(rows).stem == PurePath(facts).stem
        text = archive.read(rows).decode()
        return list(csv.DictReader(io.StringIO(text, newline=""))), json.loads(archive.read(facts))
