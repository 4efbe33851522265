"""The map of a model's films: their positions in two dimensions, stored with the embeddings it was made from.

One Parquet file per cohort and model, with its origin in the metadata. If the embeddings have changed since, the map is
not used.
"""

from __future__ import annotations

import base64
import hashlib
import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.cohorts.listing import shards_in
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import FILM_MAP
from explorer.cohorts.typed import typed
from explorer.core.map_area import FilmPosition, MapArea, WrongArea, corners_of, inside
from explorer.runtime.too_little_memory import too_little_memory
from models.cards.known_file import file_state, is_settled, sha256_of

CACHED_MAPS = 8
CACHED_AREAS = 64  # with their film counts
VERSION_DIGITS = 6  # 36 bits
_METADATA = b"tailscope"
Positions = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class MadeWith:
    """How a map was made. `features` is the version of the embeddings, `library` its name and version.

    `kept`: how many of a film's `neighbors` nearest films by cosine distance are also among its `neighbors` nearest on
    the map, averaged over `asked` films, with a 95 % interval over patients from `low` to `high`. `plain` is the same
    for the first two principal components, `chance` for random positions.
    """

    model: str
    features: str
    library: str
    settings: str
    seed: int
    tailscope: str
    neighbors: int
    asked: int
    kept: float
    low: float
    high: float
    plain: float
    chance: float


@dataclass(frozen=True, slots=True, eq=False)
class FilmMap:
    """Films by case name, with positions `x` and `y` (n,) in units of `explorer.core.map_area`, y upward."""

    cases: tuple[str, ...]
    x: Positions
    y: Positions
    made: MadeWith

    @property
    def version(self) -> str:
        """A hash of films and positions: an area is valid for one map only."""
        digest = hashlib.sha256("\0".join((self.made.model, *self.cases)).encode())
        digest.update(self.x.astype("<u2").tobytes() + self.y.astype("<u2").tobytes())
        return base64.urlsafe_b64encode(digest.digest())[:VERSION_DIGITS].decode()


@dataclass(frozen=True, slots=True, eq=False)
class KnownMap:
    """A map with its version and file."""

    map: FilmMap
    version: str
    path: Path

    def place(self, case: str) -> FilmPosition | None:
        """Return a film's position; None if it is not on the map."""
        at = bisect_left(self.map.cases, case)
        is_on_map = at < len(self.map.cases) and self.map.cases[at] == case
        return (int(self.map.x[at]), int(self.map.y[at])) if is_on_map else None

    def area(self, word: str) -> MapArea:
        """Return the area that an address names. Raises WrongArea, also for an area of another map."""
        return _area(self, word)


@lru_cache(maxsize=CACHED_AREAS)  # needed again for every entry of a filter menu
def _area(known: KnownMap, word: str) -> MapArea:
    version, corners = corners_of(word)
    if version != known.version:
        raise WrongArea(f"an area of a different map of {known.map.made.model}")
    return MapArea(known.map.made.model, version, corners, int(inside(corners, known.map.x, known.map.y).sum()))


def features_version(folder: Folder, model: str) -> str:
    """Return a version that changes with the content of the model's embeddings. Raises OSError."""
    digest = hashlib.sha256()
    for path in shards_in(folder.embeddings(model)):
        digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    return digest.hexdigest()[:16]


def save_map(folder: Folder, model: str, made: FilmMap) -> None:
    """Write the map to this machine's additions to a cohort. Raises OSError."""
    table = pa.table({"case": list(made.cases), "x": made.x, "y": made.y}, FILM_MAP)
    about = json.dumps(asdict(made.made), sort_keys=True).encode()
    write_table(folder.film_maps(model)[-1], table.replace_schema_metadata({_METADATA: about}))


def known_map(folder: Folder, model: str) -> KnownMap | None:
    """Return the map of the current embeddings; None if there is none, or it cannot be read."""
    for path in folder.film_maps(model):
        try:
            stat = path.stat()
            found = _cached(path, file_state(stat)) if is_settled(stat) else _read(path)
            if found.map.made.model == model and found.map.made.features == features_version(folder, model):
                return found
        except (DamagedCohort, OSError):
            continue
    return None


@lru_cache(maxsize=CACHED_MAPS)
def _cached(path: Path, _state: tuple[int, ...]) -> KnownMap:
    return _read(path)


def _read(path: Path) -> KnownMap:
    table = read_table(path)
    try:
        made = typed(MadeWith, json.loads((table.schema.metadata or {}).get(_METADATA, b"")))
        columns = [table[name].cast(FILM_MAP.field(name).type) for name in FILM_MAP.names]
        found = FilmMap(tuple(columns[0].to_pylist()), columns[1].to_numpy(), columns[2].to_numpy(), made)
    except (ValueError, TypeError, KeyError, RecursionError, pa.ArrowException) as error:
        if too_little_memory(error):
            raise
        raise DamagedCohort(f"{path.name} is not a map of films", "Open Map again to rebuild it.") from error
    if _not_ascending(found.cases) or any(column.null_count for column in columns):
        raise DamagedCohort(f"{path.name} does not list each film once", "Open Map again to rebuild it.")
    return KnownMap(found, found.version, path)


def _not_ascending(cases: Sequence[str]) -> bool:
    return any(one >= other for one, other in zip(cases, cases[1:], strict=False))
