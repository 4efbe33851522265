"""Writes a model's scores of a cohort as shards, each atomically, with no film in two of them.

Every file is recorded in the journal before it gets its final name, until the model's manifest lists it.
"""

from __future__ import annotations

import csv
import fcntl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.layout import DamagedCohort, Folder, NoCohort
from explorer.cohorts.listing import REMEDY, add_to_journal, file_facts, journal_facts, journal_of
from explorer.cohorts.listing import shards_in as parts_in
from explorer.cohorts.manifest import FileFacts, ModelManifest, read_model_manifest, write_manifest
from explorer.cohorts.parquet_files import read_table, reading_parquet, write_table
from explorer.cohorts.predictions_table import predictions_table
from explorer.cohorts.schema import EMBEDDINGS
from explorer.core.csv_safe import formula_safe, without_formula_quote
from explorer.scoring.batches import ScoredBatch
from models.array_types import Float32
from models.cards.known_file import sha256_of
from models.whole_file import PARTIAL_SUFFIX, atomic_write


@dataclass(frozen=True, slots=True)
class ScoreOrigin:
    """What made the scores. Each shard carries it, so that scores of different origins are never mixed."""

    sha256: str  # of the weights
    preprocessing: str


class ScoreShards:
    """The shards of one model. A shard is two files: embeddings, then predictions, which make it valid."""

    def __init__(self, folder: Folder, model: str, maker: ScoreOrigin) -> None:
        self._folder = folder
        self._model = model
        self._maker = maker
        self._predictions = folder.predictions(model)
        self._embeddings = folder.embeddings(model)
        self._journal = journal_of(folder, model)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Lock out other processes that score with this model, and remove unfinished files. Raises NoCohort."""
        self._predictions.mkdir(parents=True, exist_ok=True)
        with (self._predictions / ".lock").open("w") as lock:  # the system releases it if the process dies
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise NoCohort(
                    f"{self._folder.name} is already being scored with {self._model}", "Wait until that has finished."
                ) from error
            self._check()
            self._tidy()
            yield

    def done(self) -> set[str]:
        """Return the cases that have scores."""
        files = (self._embeddings / path.name for path in self._parts())
        return {case for file in files for case in read_table(file, ["case"])["case"].to_pylist()}

    def write(self, findings: Sequence[str], scored: ScoredBatch) -> None:
        """Write a shard, unless no film was scored."""
        if scored.cases:
            self.write_rows(scored.cases, scored.features, predictions_table(scored.cases, findings, scored.scores))

    def write_rows(self, cases: Sequence[str], features: Float32, rows: pa.Table) -> None:
        """Write a shard of films with their features (n, d) and the rows of their scores."""
        name = f"part-{self._next():05}.parquet"
        made = {key: str(value) for key, value in asdict(self._maker).items()}
        self._write(self._embeddings / name, features_table(cases, features).replace_schema_metadata(made))
        self._write(self._predictions / name, rows.replace_schema_metadata(made))

    def close(self, manifest: ModelManifest, operating_points: pa.Table) -> ModelManifest:
        """Write the operating points, and the manifest, which lists all files; then delete the journal."""
        self._write(self._folder.operating_points(self._model), operating_points)
        known = self._known()
        manifest = replace(manifest, files={name: known.get(name) or file_facts(path) for name, path in self._files()})
        write_manifest(self._folder.model(self._model), manifest)
        self._journal.unlink(missing_ok=True)
        return manifest

    def failed(self) -> dict[str, str]:
        """Return the cases that could not be scored, with reasons."""
        try:
            with self._folder.failures(self._model).open(encoding="utf-8", newline="") as file:
                return {
                    without_formula_quote(row["case"]): without_formula_quote(row["reason"])
                    for row in csv.DictReader(file)
                }
        except FileNotFoundError:
            return {}

    def write_failed(self, failures: Mapping[str, str]) -> None:
        """Replace the list of failures; no file if there are none. Text cannot start a spreadsheet formula."""
        target = self._folder.failures(self._model)
        if not failures:
            target.unlink(missing_ok=True)
            return
        with atomic_write(target) as partial, partial.open("w", encoding="utf-8", newline="") as file:
            table = csv.writer(file)
            table.writerow(["case", "reason"])
            table.writerows((formula_safe(case), formula_safe(reason)) for case, reason in failures.items())

    def _write(self, target: Path, table: pa.Table) -> None:
        name = target.relative_to(self._folder.path).as_posix()
        self._journal.parent.mkdir(parents=True, exist_ok=True)
        write_table(target, table, lambda partial: add_to_journal(self._journal, name, file_facts(partial)))

    def _known(self) -> dict[str, FileFacts]:
        """Return the facts of listed files, from manifest and journal; older versions listed none."""
        try:
            files = read_model_manifest(self._folder.model(self._model)).files or {}
        except NoCohort:  # missing or damaged: the next manifest is rebuilt from the shards
            files = {}
        return {**files, **journal_facts(self._journal)}

    def _files(self) -> list[tuple[str, Path]]:
        """Return all existing files with their names in the manifest."""
        paths = [self._folder.operating_points(self._model), *self._parts(), *parts_in(self._embeddings)]
        return [(path.relative_to(self._folder.path).as_posix(), path) for path in paths if path.exists()]

    def _parts(self) -> list[Path]:
        return parts_in(self._predictions)

    def _next(self) -> int:
        return max((int(path.stem.removeprefix("part-")) + 1 for path in self._parts()), default=0)

    def _tidy(self) -> None:
        counted = {path.name for path in self._parts()}
        _unlink(path for path in self._embeddings.glob("part-*.parquet") if path.name not in counted)
        folder, model = self._folder, self._model
        for target in (folder.failures(model), folder.operating_points(model), folder.model(model)):
            _unlink(target.parent.glob(f".{target.name}.*{PARTIAL_SUFFIX}"))
        for parts in (self._embeddings, self._predictions):
            _unlink(parts.glob(f".part-*{PARTIAL_SUFFIX}"))

    def _check(self) -> None:
        """Raise NoCohort if there are scores of another origin, DamagedCohort if earlier ones are damaged."""
        self._check_whole()
        for path in self._parts():
            with reading_parquet(path):
                made = pq.read_schema(path).metadata or {}
            if any(made.get(key.encode()) != value.encode() for key, value in asdict(self._maker).items()):
                raise NoCohort(
                    f"There are other scores of {self._folder.name} by {self._model}",
                    "They were imported, or made with other weights or preprocessing, and cannot be mixed with "
                    f"new ones. To score again, delete {self._predictions} and {self._embeddings}.",
                )

    def _check_whole(self) -> None:
        """Verify listed files by hash. Unlisted ones, of an older version or a lost manifest, are read completely."""
        known = self._known()
        for path in (*self._parts(), *parts_in(self._embeddings)):
            name = path.relative_to(self._folder.path).as_posix()
            with reading_parquet(path):
                found = sha256_of(path)
            if name not in known:
                read_table(path)
            elif found != known[name].sha256:
                raise DamagedCohort(
                    f"{self._folder.name}: {name} cannot be read",
                    f"It is damaged, or another file. If you delete every {path.name} of {self._model}, "
                    f"its films are scored again. {REMEDY}",
                )


def _unlink(paths: Iterable[Path]) -> None:
    for path in list(paths):
        path.unlink()


def features_table(cases: Sequence[str], features: Float32) -> pa.Table:
    """Return feature vectors (n, d) in half precision as a table."""
    rows = [row.tobytes() for row in features.astype("<f2")]
    return pa.table({"case": list(cases), "features": rows}, schema=EMBEDDINGS)
