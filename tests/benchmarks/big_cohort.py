"""A cohort as large as CXR-LT's with labels as PadChest has them, two centers or more and two models' made-up scores.

Whole label rows are drawn, with replacement, from the real PadChest table that lies in the torchxrayvision wheel, so
that findings are as frequent, and go together, as they do there. The scores are random but follow the labels.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import files
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import listed_cohort, listed_scores
from explorer.cohorts.manifest import Manifest, ModelManifest, read_manifest, write_manifest
from explorer.cohorts.parquet_files import write_batches, write_table
from explorer.cohorts.schema import CASES, LABEL_ROWS, OPERATING_POINTS, PREDICTIONS
from explorer.cohorts.version import version_of
from explorer.core.findings import PADCHEST_WORDS

NAME, FINDINGS, MODELS = "big", 45, ("one", "other")
CENTERS = {"Alicante": 0.5, "Hannover": 0.25, "Boston": 0.15, "Porto Alegre": 0.08, "Hanoi": 0.02}
SHARD = 8192  # films
_VIEWS = {"PA": "PA", "AP": "AP", "AP_horizontal": "AP", "L": "lateral"}


@dataclass(frozen=True, slots=True, eq=False)
class Big:
    """Films (n) with labels, scores of both models (n, findings) and the thresholds (findings,) of both."""

    cases: pd.DataFrame
    findings: tuple[str, ...]
    present: np.ndarray  # (n, findings) bool
    scores: tuple[np.ndarray, ...]
    thresholds: tuple[np.ndarray, ...]


def padchest() -> pd.DataFrame:
    """The real table: a row for each film."""
    (path,) = (file for file in files("torchxrayvision") or () if "PADCHEST" in file.name)
    columns = [
        "PatientID",
        "PatientBirth",
        "PatientSex_DICOM",
        "StudyDate_DICOM",
        "Projection",
        "MethodLabel",
        "Labels",
    ]
    table = pd.read_csv(Path(str(path.locate())), usecols=columns, dtype=str)
    return table[table["Labels"].notna() & table["MethodLabel"].notna()]


def findings_of(words: str) -> set[str]:
    """What a row's list of words names, in this project's spelling where it has one."""
    return {PADCHEST_WORDS.get(word.strip(), word.strip()) for word in ast.literal_eval(words) if word.strip()}


def big_cohort(n: int, seed: int = 0) -> Big:
    """Draw `n` films."""
    rng = np.random.default_rng(seed)
    table = padchest()
    named = [findings_of(words) for words in table["Labels"]]
    known = set(PADCHEST_WORDS.values())
    counted = Counter(finding for row in named for finding in row)
    ours = [finding for finding, _ in counted.most_common() if finding in known]
    rest = [finding for finding, _ in counted.most_common() if finding not in known]
    findings = tuple(sorted([*ours, *rest][:FINDINGS]))
    labels = np.array([[finding in row for finding in findings] for row in named])
    drawn = rng.integers(0, len(table), n)
    present = labels[drawn]
    scores, thresholds = zip(*_models(rng, present), strict=True)
    return Big(_cases(rng, table.iloc[drawn]), findings, present, scores, thresholds)


def _models(rng: np.random.Generator, present: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Two models that share half of what they get wrong."""
    shared = rng.standard_normal(present.shape, np.float32)
    for _ in MODELS:
        logits = shared * 0.7 + rng.standard_normal(present.shape, np.float32) * 0.7 + 2 * present - 2
        scores = (1 / (1 + np.exp(-logits))).astype(np.float32)
        yield scores, np.round(np.quantile(scores[:20_000], 0.85, axis=0).astype(np.float64), 4)


def _cases(rng: np.random.Generator, rows: pd.DataFrame) -> pd.DataFrame:
    n = len(rows)
    age = pd.to_numeric(rows["StudyDate_DICOM"].str[:4]) - pd.to_numeric(rows["PatientBirth"], errors="coerce")
    frame = pd.DataFrame(
        {
            "case": [f"film-{number:07d}" for number in rng.permutation(n)],
            "patient": rows["PatientID"].to_numpy(),
            "study": None,
            "center": rng.choice(list(CENTERS), n, p=list(CENTERS.values())),
            "view": rows["Projection"].map(_VIEWS).fillna("unknown").to_numpy(),
            "sex": rows["PatientSex_DICOM"].where(rows["PatientSex_DICOM"].isin(["F", "M"]), "unknown").to_numpy(),
            "age": age.astype("Int16").to_numpy(),
            "split": None,
            "root": "films",
            "source": rows["MethodLabel"].to_numpy(),
        }
    )
    frame["file"] = frame["case"] + ".png"
    return frame


def write_big_cohort(place: Path, n: int) -> tuple[int, int]:
    """Write the cohort below `place` where it is not there yet; its films and findings."""
    folder = Folder(place / NAME)
    if not folder.manifest.exists():
        _write(big_cohort(n), folder)
    return read_manifest(folder.manifest).cases, FINDINGS


def _write(big: Big, folder: Folder) -> None:
    n = len(big.cases)
    cases = big.cases.drop(columns="source").assign(width=None, height=None, weight=None)
    write_table(folder.cases, pa.Table.from_pandas(cases[CASES.names], schema=CASES, preserve_index=False))
    write_batches(folder.labels, LABEL_ROWS, _batches(big, big.present, _label_rows))
    for model, scores, thresholds in zip(MODELS, big.scores, big.thresholds, strict=True):
        for number, batch in enumerate(_batches(big, scores, _score_rows)):
            write_table(folder.predictions(model) / f"part-{number:05d}.parquet", pa.Table.from_batches([batch]))
        cuts = {
            "finding": big.findings,
            "split": [None] * FINDINGS,
            "threshold": thresholds,
            "rule": ["85 %"] * FINDINGS,
        }
        write_table(folder.operating_points(model), pa.table(cuts, schema=OPERATING_POINTS))
        about = ModelManifest(
            model, model, None, "none", "none", big.findings, {}, n, 0, "the 85th percentile of the scores"
        )
        write_manifest(folder.model(model), replace(about, files=listed_scores(folder, model)))
    version = version_of(folder.cases, folder.labels)
    about_all = Manifest(NAME, NAME, "made up", version, n, True, "absent", simulated=True)
    write_manifest(folder.manifest, replace(about_all, files=listed_cohort(folder)))


def _batches(big: Big, values: np.ndarray, rows: Callable[..., pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(values), SHARD):
        block = values[start : start + SHARD]
        cases = big.cases.iloc[start : start + SHARD]
        finding = pa.DictionaryArray.from_arrays(
            np.tile(np.arange(FINDINGS, dtype=np.int32), len(block)), list(big.findings)
        )
        yield rows(np.repeat(cases["case"].to_numpy(), FINDINGS), finding, block.ravel(), cases["source"])


def _score_rows(case: np.ndarray, finding: pa.Array, scores: np.ndarray, _: pd.Series) -> pa.RecordBatch:
    return pa.record_batch([pa.array(case, pa.string()), finding, pa.array(scores)], schema=PREDICTIONS)


def _label_rows(case: np.ndarray, finding: pa.Array, present: np.ndarray, source: pd.Series) -> pa.RecordBatch:
    label = pa.DictionaryArray.from_arrays((~present).astype(np.int32), ["present", "absent"])
    who = pa.array(np.repeat(source.to_numpy(), FINDINGS), pa.string()).dictionary_encode()
    return pa.record_batch([pa.array(case, pa.string()), finding, label, who], schema=LABEL_ROWS)
