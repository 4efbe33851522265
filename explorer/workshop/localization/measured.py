"""Stores measurements of maps as Parquet next to the cohort, each part atomically."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.parquet_files import WRITING, reading_parquet
from explorer.simulator.version import version_mtime
from models.cards.heat_method import HeatMethod
from models.whole_file import atomic_write

MEASURE_VERSION = "1"  # version of the measuring method
_MADE, _FAILED = b"made", b"failed"

FOUND_SCHEMA = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("patient", pa.string(), nullable=False),
        pa.field("center", pa.string(), nullable=False),
        pa.field("finding", pa.string(), nullable=False),
        pa.field("called", pa.bool_(), nullable=False),  # the score reaches the threshold: a hit, else a miss
        pa.field("pointing", pa.bool_(), nullable=False),
        pa.field("energy", pa.float64()),  # null if the map is zero everywhere
        pa.field("overlap", pa.list_(pa.float64()), nullable=False),  # at explorer.metrics.localization.HEAT_LEVELS
        pa.field("peak", pa.float64(), nullable=False),  # the map's maximum, in the map's own unit
    ]
)
SIMILARITY_SCHEMA = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("first", pa.string(), nullable=False),  # two findings flagged on the film
        pa.field("second", pa.string(), nullable=False),
        pa.field("correlation", pa.float64()),  # null if a map is constant
    ]
)
TARGETS_SCHEMA = pa.schema(
    [
        pa.field("case", pa.string(), nullable=False),
        pa.field("patient", pa.string(), nullable=False),
        pa.field("center", pa.string(), nullable=False),
        pa.field("finding", pa.string(), nullable=False),
        pa.field("mask", pa.binary(), nullable=False),  # usual.SIDE squared bits, stretched
        pa.field("share", pa.float64(), nullable=False),  # the mask's share of the film: the chance of pointing into it
    ]
)
TableRow = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class TablePart:
    """One part of a table; `made` identifies its input."""

    path: Path
    schema: pa.Schema
    made: str

    def is_current(self) -> bool:
        """Return whether the file exists and was made from the same input without any failed film."""
        if not self.path.exists():
            return False
        with reading_parquet(self.path):
            metadata = pq.read_schema(self.path).metadata or {}
        return metadata.get(_MADE) == self.made.encode() and metadata.get(_FAILED) == b"{}"

    def write(self, rows: Sequence[TableRow], failed: Mapping[str, str]) -> None:
        """Write the part atomically, with the films that failed and the reasons."""
        about = {_MADE: self.made.encode(), _FAILED: json.dumps(failed).encode()}
        table = pa.Table.from_pylist(list(rows), schema=self.schema).replace_schema_metadata(about)
        with atomic_write(self.path) as partial:
            pq.write_table(table, partial, **WRITING)

    def rows(self) -> list[dict[str, object]]:
        """Return its rows. Raises DamagedCohort."""
        with reading_parquet(self.path):
            rows: list[dict[str, object]] = pq.read_table(self.path).to_pylist()
        return rows


@dataclass(frozen=True, slots=True)
class MeasurementFolder:
    """The location of one model's measurements on one cohort; `films` are the cases of each part."""

    folder: Path
    model: str
    sha256: str
    films: tuple[tuple[str, ...], ...]

    def targets(self) -> Iterator[TablePart]:
        """Yield the parts with the findings' masks, which are the same for every model."""
        yield from self._parts(self.folder / "targets", "part", TARGETS_SCHEMA, "")

    def found(self, method: HeatMethod) -> Iterator[TablePart]:
        """Yield the parts that state how well each map matches its mask."""
        yield from self._parts(self._of(method), "found", FOUND_SCHEMA, f"{self.sha256} {method}")

    def alike(self, method: HeatMethod) -> Iterator[TablePart]:
        """Yield the parts with the similarity of two findings' maps."""
        yield from self._parts(self._of(method), "alike", SIMILARITY_SCHEMA, f"{self.sha256} {method}")

    def _of(self, method: HeatMethod) -> Path:
        return self.folder / self.model / str(method).replace(":", "-")

    def _parts(self, folder: Path, name: str, schema: pa.Schema, made: str) -> Iterator[TablePart]:
        for number, cases in enumerate(self.films):
            digest = hashlib.sha256(
                "\n".join((MEASURE_VERSION, str(version_mtime()), made, *cases)).encode()
            ).hexdigest()[:16]
            yield TablePart(folder / f"{name}-{number:05d}.parquet", schema, digest)
