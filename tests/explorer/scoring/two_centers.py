"""NIH and Hannover as one table: `python -m tests.explorer.scoring.two_centers ../shared FOLDER`.

NIH's films have a 1 or a 0 for every finding, Hannover's have none: their cells are blank. The films of NIH are those
of 512 pixels, as Hannover's are; the others, of 64 pixels, would shift scores by themselves.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from models.training.nih.dataset import NIH_FINDINGS

MAP = """\
image_id = "image_id"
file = "file"
patient = "patient"
center = "center"
view = "view"
sex = "sex"
age = "age"
title = "NIH and Hannover"
source = "NIH ChestX-ray14, mined from reports"
"""


def write_two_centers(shared: Path, folder: Path, nih: int | None = None, hannover: int | None = None) -> None:
    """Write `films.csv`, with files below `shared`/data, and `map.toml`; the first films of each center."""
    rows = [*_nih(shared / "data" / "nih_cxr14")][:nih] + [*_hannover(shared / "data" / "hannover")][:hannover]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "map.toml").write_text(MAP)
    with (folder / "films.csv").open("w", encoding="utf-8", newline="") as file:
        names = ["image_id", "file", "patient", "center", "view", "sex", "age", *NIH_FINDINGS.values()]
        table = csv.DictWriter(file, names, restval="")
        table.writeheader()
        table.writerows(rows)


def _nih(folder: Path) -> list[dict[str, object]]:
    rows = []
    for row in _read(folder):
        words = row["findings"].split("|")
        if row["file"].startswith("images/"):
            labels = {finding: int(word in words) for word, finding in NIH_FINDINGS.items()}
            facts = {name: row[name] for name in ("image_id", "view", "sex", "age")}
            file = f"nih_cxr14/{row['file']}"
            rows.append({**facts, "file": file, "patient": row["patient_id"], "center": "NIH", **labels})
    return rows


def _hannover(folder: Path) -> list[dict[str, object]]:
    return [
        {name: row[name] for name in ("image_id", "center", "view", "sex")}
        | {"file": f"hannover/{row['file']}", "patient": row["patient_id"]}
        for row in _read(folder)
    ]


def _read(folder: Path) -> list[dict[str, str]]:
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    write_two_centers(Path(sys.argv[1]), Path(sys.argv[2]))
