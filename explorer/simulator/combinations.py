"""Counts finding combinations on PadChest's frontal films; `python -m explorer.simulator.combinations` recounts them.

Only counts of label combinations are stored (Bustos et al., PadChest, Medical Image Analysis 2020), from the label
table in the development dependency torchxrayvision. `explorer.core.findings` maps PadChest's terms to findings.
"""

from __future__ import annotations

import ast
import csv
import gzip
import importlib.util
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from explorer.core.findings import FINDINGS, PADCHEST_WORDS
from models.whole_file import atomic_write

_DATA = Path(__file__).parents[1] / "core" / "data"
COMBINATIONS, PATIENTS = _DATA / "padchest_combinations.csv", _DATA / "padchest_patients.csv"
PADCHEST_TABLE = "data/PADCHEST_chest_x_ray_images_labels_160K_01.02.19.csv.gz"
PADCHEST_VIEWS = {"PA": "PA", "AP": "AP", "AP_horizontal": "AP"}  # PadChest's frontal projections
AGE_LIMITS = (45, 60, 75)  # years at which age groups end
ALL_FILMS = "all films"

Combination = frozenset[str]
SexAndAge = tuple[str, int]  # sex and age group; 0 is below the first of AGES


@dataclass(frozen=True, slots=True)
class CombinationCounts:
    """Films by view and combination, and by finding (ALL: all films) and patient trait."""

    combinations: Mapping[str, Mapping[Combination, int]]
    patients: Mapping[str, Mapping[SexAndAge, int]]


def age_group(years: int) -> int:
    """Return the age group of an age, as divided by AGES."""
    return sum(years >= age for age in AGE_LIMITS)


@cache
def combination_counts() -> CombinationCounts:
    """Return the counts stored in the project."""
    combinations: dict[str, dict[Combination, int]] = {"PA": {}, "AP": {}}
    for row in _rows(COMBINATIONS):
        findings = frozenset(name for name in row["findings"].split("; ") if name)
        for view, films in combinations.items():
            if int(row[view]):
                films[findings] = int(row[view])
    patients: dict[str, dict[SexAndAge, int]] = {}
    for row in _rows(PATIENTS):
        patients.setdefault(row["finding"], {})[row["sex"], int(row["age_group"])] = int(row["films"])
    return CombinationCounts(MappingProxyType(combinations), MappingProxyType(patients))


def recount(table: Path | None = None) -> CombinationCounts:
    """Return the counts from PadChest's own label table; raises FileNotFoundError if it is missing."""
    combinations: dict[str, Counter[Combination]] = {"PA": Counter(), "AP": Counter()}
    patients: dict[str, Counter[SexAndAge]] = {name: Counter() for name in (ALL_FILMS, *_names())}
    for row in _films(table or _table()):
        found = _combination(row["Labels"])
        combinations[PADCHEST_VIEWS[row["Projection"]]][found] += 1
        if row["PatientSex_DICOM"] in ("F", "M") and row["PatientBirth"]:
            years = int(row["StudyDate_DICOM"][:4]) - int(float(row["PatientBirth"]))
            for name in (ALL_FILMS, *found):
                patients[name][row["PatientSex_DICOM"], age_group(years)] += 1
    return CombinationCounts(combinations, {name: films for name, films in patients.items() if films})


def write_counts(found: CombinationCounts) -> None:
    """Write counts to the project's two files; equal counts give equal bytes."""
    order = {name: place for place, name in enumerate(_names())}
    named = {each: sorted(each, key=order.__getitem__) for films in found.combinations.values() for each in films}
    films = {each: [found.combinations[view].get(each, 0) for view in ("PA", "AP")] for each in named}
    ranked = sorted(named, key=lambda each: (-sum(films[each]), named[each]))
    _write(COMBINATIONS, ["PA", "AP", "findings"], ([*films[each], "; ".join(named[each])] for each in ranked))
    cells = ([name, *trait, n] for name, each in found.patients.items() for trait, n in sorted(each.items()))
    _write(PATIENTS, ["finding", "sex", "age_group", "films"], cells)


def _names() -> tuple[str, ...]:
    """Return the names of the 36 findings."""
    return tuple(name for name, finding in FINDINGS.items() if finding.task != "nih")


def _combination(words: str) -> Combination:
    labels = ast.literal_eval(words) if words.startswith("[") else []  # otherwise "nan": no label
    return frozenset(PADCHEST_WORDS[word.strip()] for word in labels if word.strip() in PADCHEST_WORDS)


def _table() -> Path:
    spec = importlib.util.find_spec("torchxrayvision")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("PadChest's label table comes with torchxrayvision: install requirements-dev.txt.")
    return Path(spec.origin).parent / PADCHEST_TABLE


def _films(table: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of frontal films."""
    with gzip.open(table, "rt", encoding="utf-8", newline="") as file:
        yield from (row for row in csv.DictReader(file) if row["Projection"] in PADCHEST_VIEWS)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _write(path: Path, header: list[str], rows: Iterator[list[object]]) -> None:
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


if __name__ == "__main__":
    write_counts(recount())
