"""A cohort as large as CXR-LT's with labels as PadChest has them, five centers and made-up scores of models.

`python -m tests.benchmarks.big_cohort PLACE --films 2200000 --models 38` writes one and prints what that took. Whole
label rows are drawn, with replacement, from the real PadChest table that lies in the torchxrayvision wheel, so that
findings are as frequent, and go together, as they do there. The scores are random but follow the labels. Films are
drawn a shard at a time, so that memory does not grow with them.
"""

from __future__ import annotations

import argparse
import ast
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import Manifest, ModelManifest, read_manifest, write_manifest
from explorer.cohorts.parquet_files import write_batches, write_table
from explorer.cohorts.schema import CASES, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.version import version_of
from explorer.core.findings import PADCHEST_WORDS
from tests.benchmarks.command_line import command, report
from tests.benchmarks.of_process import peak_gigabytes
from tests.benchmarks.timing import Figure

NAME, FINDINGS = "big", 45
CENTERS = {"Alicante": 0.5, "Hannover": 0.25, "Boston": 0.15, "Porto Alegre": 0.08, "Hanoi": 0.02}
SHARD = 8192  # films
_VIEWS = {"PA": "PA", "AP": "AP", "AP_horizontal": "AP", "L": "lateral"}
_COLUMNS = "PatientID PatientBirth PatientSex_DICOM StudyDate_DICOM Projection MethodLabel Labels".split()


@dataclass(frozen=True, slots=True, eq=False)
class RealRows:
    """PadChest's films (n): columns of CASES that it has, and `source`, who labeled each; labels (n, findings)."""

    columns: pa.Table
    findings: tuple[str, ...]
    present: NDArray[np.bool_]


@cache
def real_rows() -> RealRows:
    """Return the films of the real table with its most frequent findings, those of this project first."""
    (path,) = (file for file in files("torchxrayvision") or () if "PADCHEST" in file.name)
    table = pd.read_csv(Path(str(path.locate())), usecols=_COLUMNS, dtype=str)
    table = table[table["Labels"].notna() & table["MethodLabel"].notna()]
    codes, lists = pd.factorize(table["Labels"])
    named = [_findings_of(words) for words in lists]
    counted: Counter[str] = Counter()
    for row, n in zip(named, np.bincount(codes).tolist(), strict=True):
        counted.update(dict.fromkeys(row, n))
    known = set(PADCHEST_WORDS.values())
    ranked = sorted(counted, key=lambda finding: (finding not in known, -counted[finding], finding))
    findings = tuple(sorted(ranked[:FINDINGS]))
    present = np.array([[finding in row for finding in findings] for row in named])[codes]
    age = pd.to_numeric(table["StudyDate_DICOM"].str[:4]) - pd.to_numeric(table["PatientBirth"], errors="coerce")
    sex = table["PatientSex_DICOM"]
    columns = {
        "patient": pa.array(table["PatientID"], pa.string()),
        "view": _words(table["Projection"].map(_VIEWS).fillna("unknown")),
        "sex": _words(sex.where(sex.isin(["F", "M"]), "unknown")),
        "age": pa.array(age.astype("Int16"), pa.int16()),
        "source": _words(table["MethodLabel"]),
    }
    return RealRows(pa.table(columns), findings, present)


def _findings_of(words: str) -> set[str]:
    """What a row's list of words names, in this project's spelling where it has one."""
    return {PADCHEST_WORDS.get(word.strip(), word.strip()) for word in ast.literal_eval(words) if word.strip()}


def _words(column: pd.Series) -> pa.Array:
    return pa.array(column, pa.string()).dictionary_encode()


def models_of(count: int) -> tuple[str, ...]:
    """Return the names of the first models: two different ones, then variants of the first."""
    return ("one", "other", *(f"variant-{number:02}" for number in range(3, count + 1)))[:count]


@dataclass(frozen=True, slots=True, eq=False)
class Shard:
    """Some films (n) with the row of the real table that each is drawn from; all else follows from `seed`."""

    names: pa.Array
    rows: NDArray[np.intp]
    seed: tuple[int, ...]

    def cases(self) -> pa.RecordBatch:
        """Return the rows of cases.parquet."""
        n, real = len(self.rows), real_rows().columns.select(["patient", "view", "sex", "age"]).take(self.rows)
        center = np.random.default_rng([*self.seed, 0]).choice(len(CENTERS), n, p=list(CENTERS.values()))
        columns = {name: real[name].combine_chunks() for name in real.column_names} | {
            "case": self.names,
            "center": pa.DictionaryArray.from_arrays(center.astype(np.int32), list(CENTERS)),
            "root": pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), ["films"]),
            "file": pa.array([f"{name}.png" for name in self.names.to_pylist()]),
        }
        missing = {field.name: pa.nulls(n, field.type) for field in CASES if field.name not in columns}
        return pa.record_batch([(columns | missing)[name] for name in CASES.names], schema=CASES)

    def labels(self) -> pa.RecordBatch:
        """Return the rows of labels.parquet, all findings of a film after each other."""
        absent = ~real_rows().present[self.rows].ravel()
        label = pa.DictionaryArray.from_arrays(absent.astype(np.int32), ["present", "absent"])
        source = real_rows().columns["source"].combine_chunks().take(self.rows.repeat(FINDINGS))
        return pa.record_batch([*self.pairs(), label, source], schema=LABEL_ROWS)

    def pairs(self) -> tuple[pa.Array, pa.Array]:
        """Return case and finding of each pair, film by film."""
        n = len(self.rows)
        finding = np.tile(np.arange(FINDINGS, dtype=np.int32), n)
        case = self.names.take(np.arange(n, dtype=np.int32).repeat(FINDINGS))
        return case, pa.DictionaryArray.from_arrays(finding, list(real_rows().findings))

    def scores(self, models: int) -> Iterator[NDArray[np.float32]]:
        """Yield each model's scores (n, findings): two share half of what they get wrong, variants nine tenths."""
        draw = np.random.default_rng([*self.seed, 1])
        right = 2 * real_rows().present[self.rows].astype(np.float32) - 2
        shape = right.shape
        shared = 0.7 * draw.standard_normal(shape, np.float32) + right
        first = shared + 0.7 * draw.standard_normal(shape, np.float32)
        for model in range(models):
            if model == 0:
                logits = first
            elif model == 1:
                logits = shared + 0.7 * draw.standard_normal(shape, np.float32)
            else:
                logits = first + np.float32(0.02 * model) + 0.3 * draw.standard_normal(shape, np.float32)
            yield 1 / (1 + np.exp(-logits))


def shards(films: int) -> Iterator[Shard]:
    """Yield the films of a cohort of this size, the same ones each time."""
    dice = np.random.default_rng(0)
    numbers, rows = dice.permutation(films), dice.integers(0, len(real_rows().present), films)
    for place, start in enumerate(range(0, films, SHARD)):
        names = pa.array([f"film-{number:07d}" for number in numbers[start : start + SHARD].tolist()])
        yield Shard(names, rows[start : start + SHARD], (0, place))


def write_big_cohort(place: Path, films: int, models: int = 2, name: str = NAME) -> tuple[int, int]:
    """Write the cohort below `place` where it is not there yet; its films and findings."""
    folder = Folder(place / name)
    if not folder.manifest.exists():
        _write(folder, films, models_of(models))
    return read_manifest(folder.manifest).cases, FINDINGS


def _write(folder: Folder, films: int, models: tuple[str, ...]) -> None:
    write_batches(folder.cases, CASES, (shard.cases() for shard in shards(films)))
    write_batches(folder.labels, LABEL_ROWS, (shard.labels() for shard in shards(films)))
    for number, shard in enumerate(shards(films)):
        pairs = shard.pairs()
        for model, scores in zip(models, shard.scores(len(models)), strict=True):
            if number == 0:
                _write_thresholds(folder, model, np.quantile(scores.astype(np.float64), 0.85, axis=0))
            table = pa.table([*pairs, pa.array(scores.ravel())], schema=PREDICTIONS)
            write_table(folder.predictions(model) / f"part-{number:05d}.parquet", table)
    for model in models:
        rule = "the 85th percentile of the scores"
        about = ModelManifest(model, model, None, "none", "none", real_rows().findings, {}, films, 0, rule)
        write_manifest(folder.model(model), replace(about, files=listed_scores(folder, model)))
    version = version_of(folder.cases, folder.labels)
    name = folder.manifest.parent.name
    whole = Manifest(name, name, "made up", version, films, True, "absent", simulated=True)
    write_manifest(folder.manifest, replace(whole, files=listed_cohort(folder)))


def _write_thresholds(folder: Folder, model: str, thresholds: NDArray[np.float64]) -> None:
    columns = {
        "finding": real_rows().findings,
        "split": [None] * FINDINGS,
        "threshold": np.round(thresholds, 4),
        "rule": ["85 %"] * FINDINGS,
    }
    write_table(folder.operating_points(model), pa.table(columns, schema=OPERATING_POINTS))


def measured(place: Path, films: int, models: int) -> Iterator[Figure]:
    """Write one; what it took."""
    start, busy = time.perf_counter(), time.process_time()
    write_big_cohort(place, films, models)
    seconds = time.perf_counter() - start
    yield Figure(f"{films:,} films, {models} models written", seconds, "s")
    yield Figure("  of a processor", time.process_time() - busy, "s")
    yield Figure("  million pairs of scores a second", films * FINDINGS * models / seconds / 1e6, "")
    yield Figure("peak memory", peak_gigabytes(), "GB", 4)


def main(words: Sequence[str] | None = None) -> int:
    """Print every figure; 1 where a goal is missed."""
    parser = command(__doc__)
    parser.add_argument("place", type=Path, nargs="?", help="a folder for the cohort; without it, it is not kept")
    parser.add_argument("--films", type=int, default=377_110)
    parser.add_argument("--models", type=int, default=2)
    asked = parser.parse_args(words)
    return report(_kept_or_not(asked), asked)


def _kept_or_not(asked: argparse.Namespace) -> Iterator[Figure]:
    with TemporaryDirectory() as temporary:
        yield from measured(asked.place or Path(temporary), 500 if asked.small else asked.films, asked.models)


if __name__ == "__main__":
    raise SystemExit(main())
