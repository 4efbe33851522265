"""What an ingest costs: `python -m tests.benchmarks.ingest` prints `name value goal`, exits 1 if one is missed.

The real NIH table of 112,120 films from the torchxrayvision wheel, in NIH's layout with twelve folders. The films stand
in for real ones by what an ingest reads of them: they begin as a PNG does, go on as noise, and are 20 kB long, so that
2.4 GB of disk do. Each run is a process of its own; the second goes on from the journal of one that was killed when it
had looked at half of the films.
"""

from __future__ import annotations

import csv
import gzip
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.ingest.building import JOURNAL
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure
from tests.explorer.ingest.brought import film, wheel

TABLES = ("Data_Entry_2017_v2020.csv", "BBox_List_2017.csv")
FOLDERS, SIZE = 12, 20_000
SMALL_FILMS = 2_000  # as many as are enough to kill an ingest half way


def write_nih(root: Path, most: int | None) -> int:
    """NIH's own layout; the number of films, at most the first ones."""
    for name, lines in zip(TABLES, (None if most is None else most + 1, None), strict=True):
        table = gzip.decompress(wheel(f"{name}.gz").read_bytes())
        (root / name).write_bytes(b"".join(table.splitlines(keepends=True)[:lines]))
    with (root / TABLES[0]).open(encoding="utf-8", newline="") as file:
        names = [row["Image Index"] for row in csv.DictReader(file)]
    folders = [root / f"images_{number:03}" / "images" for number in range(1, FOLDERS + 1)]
    for folder in folders:
        folder.mkdir(parents=True)
    beginning = film(0)[:64]
    for place, name in enumerate(names):
        (folders[place * FOLDERS // len(names)] / name).write_bytes(beginning + os.urandom(SIZE))
    return len(names)


def ingest(root: Path, home: Path, name: str) -> subprocess.Popen[bytes]:
    words = ("-m", "explorer", "ingest", "nih", "--root", str(root), "--out", name)
    environment = os.environ | {HOME_VARIABLE: str(home)}
    return subprocess.Popen([sys.executable, *words], env=environment, stdout=subprocess.DEVNULL)


def seconds(root: Path, home: Path, name: str) -> float:
    start = time.perf_counter()
    if ingest(root, home, name).wait():
        sys.exit(f"The ingest of {name} failed.")
    return time.perf_counter() - start


def kill_half_way(root: Path, home: Path, name: str, films: int) -> None:
    journal = home / "cohorts" / f".{name}.partial" / JOURNAL
    process = ingest(root, home, name)
    while process.poll() is None and (not journal.is_file() or journal.read_bytes().count(b"\n") < films / 2):
        time.sleep(0.01)
    if process.poll() is not None:
        sys.exit(f"The ingest of {name} ended before it was killed.")
    process.send_signal(signal.SIGKILL)
    process.wait()


def measured(small: bool) -> Iterator[Figure]:
    """A whole run, and the rest of one that was killed."""
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "nih", Path(folder) / "home"
        root.mkdir()
        films = write_nih(root, SMALL_FILMS if small else None)
        whole = seconds(root, home, "whole")
        yield Figure("films", films, "")
        yield Figure("whole run", whole, "s")
        yield Figure("films a second", films / whole, "/s")
        kill_half_way(root, home, "cut", films)
        yield Figure("the rest of one that was cut", seconds(root, home, "cut"), "s")
    yield Figure("most memory of a run", peak_gigabytes(resource.RUSAGE_CHILDREN), "GB", 2)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(asked.small), asked)


if __name__ == "__main__":
    raise SystemExit(main())
