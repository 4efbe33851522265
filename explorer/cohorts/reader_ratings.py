"""Where people's calls and ratings of a cohort's films lie: beside the models' predictions, one file for each import.

A row is one reader's opinion about one finding on one film. Readers never count as labels: they are compared with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from explorer.cohorts.layout import Folder, checked_name
from explorer.cohorts.parquet_files import read_table, write_table

_WORD = pa.dictionary(pa.int32(), pa.string())
READER_RATINGS = pa.schema(
    [
        pa.field("reader", _WORD, nullable=False),  # a code
        pa.field("case", pa.string(), nullable=False),
        pa.field("finding", _WORD, nullable=False),
        pa.field("call", pa.int8()),  # 1 called present, 0 not; null: only rated
        pa.field("rating", pa.float32()),  # higher: more likely; null: only called
    ]
)


def ratings_files(folder: Folder) -> dict[str, Path]:
    """Return the imports of readers by name, sorted; of two with the same name, the user's."""
    found = (path for place in folder.places() for path in sorted((place / "readers").glob("*.parquet")))
    return dict(sorted((path.stem, path) for path in found))


def write_ratings(place: Folder, name: str, rows: pa.Table) -> Path:
    """Write an import of readers below `place`, replacing one of this name; returns its path. Raises NoCohort."""
    target = place.path / "readers" / f"{checked_name(name)}.parquet"
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_table(target, rows.cast(READER_RATINGS))
    return target


def read_ratings(folder: Folder, finding: str) -> Iterator[tuple[str, pa.Table]]:
    """Yield each import's name and its rows about a finding, if it has any. Raises DamagedCohort."""
    for name, path in ratings_files(folder).items():
        rows = read_table(path, READER_RATINGS.names)
        about = rows.filter(pc.equal(rows["finding"].cast(pa.string()), finding))
        if about.num_rows:
            yield name, about
