"""Tables with bytes lost, doubled and changed: an import takes what can be taken, or says what is wrong."""

from __future__ import annotations

import gzip
import random
import warnings
from contextlib import suppress
from pathlib import Path

import pytest

from explorer.ingest.datasets.importing import import_dataset
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.tabular.problems import Refused
from tests.explorer.ingest.brought import written
from tests.explorer.ingest.datasets.samples import SAMPLES

TRIES = 15
ODD = (b",", b'"', b"\n", b"nan", b"-1", b"\0", b"1e400", b"\xff", b"[]", b"null", "٣".encode())


def damaged(content: bytes, draw: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(draw.randint(1, 4)):
        place = draw.randrange(len(data) or 1)
        kind = draw.randrange(3)
        if kind == 0:
            del data[place : place + draw.randint(1, 30)]
        elif kind == 1:
            data[place:place] = draw.choice(ODD)
        else:
            data[place:place] = data[max(0, place - 40) : place]
    return bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_nobody_is_surprised(home: Path, tmp_path: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pydicom's, of made-up values
        SAMPLES[name](tmp_path)
    tables = sorted(path for path in tmp_path.rglob("*") if path.suffix in (".csv", ".gz", ".json"))
    for seed in range(TRIES):
        draw = random.Random(seed)
        path = draw.choice(tables)
        whole = path.read_bytes()
        packed = path.suffix == ".gz"
        spoiled = damaged(gzip.decompress(whole) if packed else whole, draw)
        written(path, gzip.compress(spoiled) if packed else spoiled)
        with suppress(Refused):
            import_dataset(name, tmp_path, ImportOptions(labels_only=bool(seed % 2)), "cohort", replace=True)
        written(path, whole)
