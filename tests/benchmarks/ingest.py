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
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.ingest.building import JOURNAL
from tests.benchmarks.timing import Figure
from tests.explorer.ingest.brought import film, wheel

TABLES = ("Data_Entry_2017_v2020.csv", "BBox_List_2017.csv")
FOLDERS, SIZE = 12, 20_000


def write_nih(root: Path) -> int:
    """NIH's own layout; the number of films."""
    for name in TABLES:
        (root / name).write_bytes(gzip.decompress(wheel(f"{name}.gz").read_bytes()))
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
    while not journal.is_file() or journal.read_bytes().count(b"\n") < films / 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder) / "nih", Path(folder) / "home"
        root.mkdir()
        films = write_nih(root)
        whole = seconds(root, home, "whole")
        kill_half_way(root, home, "cut", films)
        rest = seconds(root, home, "cut")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9
    figures = [
        Figure("films", films, ""),
        Figure("whole run", whole, "s"),
        Figure("films a second", films / whole, "/s"),
        Figure("the rest of one that was cut", rest, "s"),
        Figure("most memory of a run", peak, "GB", 2),
    ]
    for figure in figures:
        print(figure)
    return int(any(figure.missed for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
