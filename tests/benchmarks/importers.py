"""What imports of public datasets cost: `python -m tests.benchmarks.importers` prints `name value goal`, exits 1 if one
is missed.

With names, such as `csv predictions`, these imports alone. Labels alone: no film is looked for. Real tables are those
that the torchxrayvision wheel carries; the others are generated in the same format, with as many rows as the dataset
has, MIMIC-CXR-JPG and own tables with 400,000. Each import is a process of its own. `--films N` imports N generated
films of MIMIC-CXR-JPG instead, and looks for them: files that take 8 kB of disk and begin as a PNG does.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.ingest.datasets.chexpert_labels import OBSERVATIONS
from explorer.ingest.datasets.mimic import film_file
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure
from tests.explorer.ingest.brought import film, wheel
from tests.explorer.ingest.datasets.samples import REVEAL_LABELS

PEAK = 2.0  # GB
MIMIC = OWN = 400_000  # films
SIIM = "siim-pneumothorax-train-rle.csv.gz"
PADCHEST = "PADCHEST_chest_x_ray_images_labels_160K_01.02.19.csv.gz"


@dataclass(frozen=True)
class Download:
    """`write` fills a folder, and returns how many rows its largest table has."""

    words: Sequence[str]
    write: Callable[[Path], int]
    real: bool
    options: Sequence[str] = ("--root", ".", "--labels-only")


def table(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a table, packed; returns its rows."""
    with gzip.open(path, "wt", encoding="utf-8", newline="", compresslevel=1) as file:
        lines = csv.writer(file)
        lines.writerow(header)
        return sum(bool(lines.writerow(row)) for row in rows)


def real(*names: tuple[str, str]) -> Callable[[Path], int]:
    """Copies of tables in the wheel, under the names that they are published with; the first one's rows count."""

    def write(root: Path) -> int:
        for packed, name in names:
            shutil.copy(wheel(packed), root / name)
        path = root / names[0][1]
        if path.suffix == ".zip":
            return 30_227
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            return sum(1 for _ in csv.reader(file)) - 1

    return write


def mimic_ids(films: int) -> list[tuple[str, str, str]]:
    """Film, patient and study: two films of a study, three studies of a patient."""
    return [(f"{place:08x}-aaaa", f"{10_000_000 + place // 6}", f"{50_000_000 + place // 2}") for place in range(films)]


def mimic(root: Path, films: int = MIMIC) -> int:
    ids = mimic_ids(films)
    header = ("dicom_id", "subject_id", "study_id", "PerformedProcedureStepDescription", "ViewPosition", "Rows")
    lines = ((*one, "CHEST (PA AND LAT)", "PA" if n % 2 else "LATERAL", 3056, 2544) for n, one in enumerate(ids))
    rows = table(root / "mimic-cxr-2.0.0-metadata.csv.gz", (*header, "Columns"), lines)
    splits = ((name, study, who, "train") for name, who, study in ids)
    table(root / "mimic-cxr-2.0.0-split.csv.gz", ("dicom_id", "study_id", "subject_id", "split"), splits)
    draw = random.Random(0)
    cells = ["", "", "", "0.0", "-1.0", "1.0"]
    labels = ((who, study, "", *draw.choices(cells, k=13)) for _, who, study in ids[::2])
    table(root / "mimic-cxr-2.0.0-chexpert.csv.gz", ("subject_id", "study_id", *OBSERVATIONS), labels)
    return rows


def cxrlt(root: Path) -> int:
    header = ("dicom_id", "subject_id", "study_id", "ViewPosition", "ViewCodeSequence_CodeMeaning", "fpath")
    names = [*OBSERVATIONS[1:], "Mass", "Nodule", "Infiltration", "Hernia", "Emphysema", "Fibrosis", "Tuberculosis"]
    draw = random.Random(0)
    ids = mimic_ids(377_110)
    lines = (
        (*one, "PA", "postero-anterior", film_file(one[1], one[2], one[0]), *draw.choices("0001", k=len(names)))
        for one in ids
    )
    return table(root / "train_labeled.csv.gz", (*header, *names), lines)


def cxrlt2026(root: Path) -> int:
    names = ["aortic elongation", "cardiomegaly", "Support Devices", "scoliosis", "kyphosis", "mass", "nodule"]
    draw = random.Random(0)
    lines = (
        (f"{10**37 + place // 2}_{place:06x}.png", "20140915", "3.24E+38", *draw.choices("0001", k=len(names)))
        for place in range(120_000)
    )
    return table(root / "CXRLT_2026_training.csv.gz", ("ImageID", "StudyDate_DICOM", "PatientID", *names), lines)


def padchest_gr(root: Path) -> int:
    finding = {"abnormal": True, "labels": ["nodule"], "boxes": [[0.1, 0.2, 0.3, 0.4]] * 3, "sentence_en": "A nodule."}
    studies = [{"StudyID": str(n), "ImageID": f"{n}_a.png", "findings": [finding] * 2} for n in range(4_555)]
    (root / "grounded_reports_20240819.json").write_text(json.dumps(studies))
    return len(studies)


def reveal(root: Path) -> int:
    return table(root / "labels.csv.gz", ("study", *REVEAL_LABELS), ((f"s{n}", *[n % 2] * 12) for n in range(100)))


def nih(root: Path) -> int:
    packed = wheel("Data_Entry_2017_v2020.csv.gz").read_bytes()
    (root / "Data_Entry_2017_v2020.csv").write_bytes(gzip.decompress(packed))
    return 112_120


def own_table(root: Path, rows: int = OWN) -> int:
    """As people have them: semicolons, yes and no, a finding of its own."""
    draw = random.Random(0)
    (root / "map.toml").write_text('image_id = "image"\npatient = "patient"\ncenter = "center"\nfindings = ["ILD"]\n')
    with (root / "T.csv").open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file, delimiter=";")
        lines.writerow(["image", "patient", "center", *OBSERVATIONS, "ILD"])
        for place in range(rows):
            cells = ["no", *draw.choices(["yes", "no", ""], k=len(OBSERVATIONS))]
            lines.writerow([f"{place:08x}.png", f"p{place // 3}", "AB"[place % 2], *cells])
    return rows


def own_scores(root: Path, rows: int = OWN) -> int:
    draw = random.Random(0)
    for name in ("L.csv", "S.csv"):
        with (root / name).open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file)
            lines.writerow(["image_id", *OBSERVATIONS[1:]])
            for place in range(rows):
                cells = [f"{draw.random():.4f}" if name == "S.csv" else draw.choice("001") for _ in OBSERVATIONS[1:]]
                lines.writerow([f"{place:08x}.png", *cells])
    return rows


DOWNLOADS = {
    "chexpert": Download(["chexpert"], real(("chexpert_train.csv.gz", "train.csv.gz")), True),
    "padchest": Download(["padchest"], real((PADCHEST, PADCHEST)), True),
    "mimic": Download(["mimic"], mimic, False),
    "cxr-lt 2024": Download(["mimic", "--cxr-lt", "."], cxrlt, False),
    "cxrlt2026": Download(["cxrlt2026"], cxrlt2026, False),
    "vindr": Download(["vindr"], real(("vinbigdata-train.csv.gz", "train.csv.gz")), True),
    "rsna": Download(
        ["rsna"],
        real(
            ("kaggle_stage_2_train_labels.csv.zip", "stage_2_train_labels.csv.zip"),
            ("kaggle_stage_2_train_images_dicom_headers.csv.gz", "stage_2_train_images_dicom_headers.csv.gz"),
        ),
        True,
    ),
    "siim": Download(["siim"], real((SIIM, "train-rle.csv.gz")), True),
    "nih": Download(["nih"], nih, True),
    "padchest-gr": Download(["padchest-gr"], padchest_gr, False),
    "reveal": Download(["reveal"], reveal, False),
    "csv": Download(["csv", "--table", "T.csv", "--columns", "map.toml", "--out", "own"], own_table, False, ()),
    "predictions": Download(
        ["predictions", "S.csv", "--labels", "L.csv", "--model", "ours", "--out", "scored"], own_scores, False, ()
    ),
}


def write_films(root: Path, films: int) -> None:
    """Files that a look takes for films, no two the same: noise at both ends of a hole."""
    beginning = film(0)[:64]
    for image, patient, study in mimic_ids(films):
        path = root / film_file(patient, study, image)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(beginning + os.urandom(2_000))
            file.seek(1 << 14)
            file.write(os.urandom(4_096))


def cost(given: Sequence[str], root: Path, home: Path) -> tuple[float, float]:
    """Seconds, and GB at most, of an import in a process of its own."""
    words = [sys.executable, "-m", "explorer", "ingest", *given, "--replace", "--accept-rejects"]
    paths = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = os.environ | {HOME_VARIABLE: str(home), "PYTHONPATH": paths}
    start = time.perf_counter()
    process = subprocess.Popen(words, env=environment, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # or it is taken for one that still runs
    if process.returncode:
        sys.exit(f"The import {' '.join(given)} failed.")
    return time.perf_counter() - start, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9


def labels_alone(place: Path, names: Sequence[str]) -> Iterator[Figure]:
    for name, download in DOWNLOADS.items():
        if names and name not in names:
            continue
        root = place / name
        root.mkdir()
        rows = download.write(root)
        seconds, peak = cost([*download.words, *download.options], root, place / "home")
        yield Figure(f"{name}, {rows:,} rows, {'real' if download.real else 'made'}", rows / seconds, "/s")
        yield Figure(f"{name}, most memory", peak, "GB", PEAK)


def with_films(place: Path, films: int) -> Iterator[Figure]:
    root = place / "mimic"
    root.mkdir()
    mimic(root, films)
    write_films(root, films)
    seconds, peak = cost(["mimic", "--root", "."], root, place / "home")
    yield Figure(f"mimic, {films:,} films, made", films / seconds, "/s")
    yield Figure("mimic with films, most memory", peak, "GB", PEAK)


def measured(asked: argparse.Namespace) -> Iterator[Figure]:
    """With films, or labels alone; a small run imports both ways, a few films."""
    with tempfile.TemporaryDirectory() as folder:
        if asked.small or asked.films:
            yield from with_films(Path(folder), 50 if asked.small else asked.films)
        if asked.small or not asked.films:
            yield from labels_alone(Path(folder), ["reveal"] if asked.small else asked.names)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("--films", type=int, default=0, help="import so many films of MIMIC-CXR-JPG instead")
    parser.add_argument("names", nargs="*", choices=[*DOWNLOADS, []], help="only these imports")
    asked = parser.parse_args(words)
    return report(measured(asked), asked)


if __name__ == "__main__":
    raise SystemExit(main())
