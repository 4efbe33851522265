"""The map of a model's films: where each lies in two dimensions, kept beside the embeddings that it was made from.

One Parquet file for each cohort and model; what made it stands in its metadata. Where the embeddings are others by now
it is no map of theirs, and not used.
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
from explorer.cohorts.listing import parts
from explorer.cohorts.parquet_files import read_table, write_table
from explorer.cohorts.schema import FILM_MAP
from explorer.cohorts.typed import typed
from explorer.core.map_area import FilmPosition, MapArea, WrongArea, corners_of, inside
from explorer.runtime.too_little_memory import too_little_memory
from models.cards.known_file import file_state, is_settled, sha256_of

KEPT = 8  # maps that need not be read again while their files stay the same
AREAS = 64  # whose films need not be counted again
DIGITS = 6  # of a map's version: 36 bits
_METADATA = b"tailscope"
Places = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class MadeWith:
    """What made a map. `features` is the version of the embeddings, `library` its name and version.

    `kept` is how many of a film's `neighbors` nearest by cosine distance are among as many nearest on the map, the mean
    over `asked` films, from `low` to `high` (95 % interval over patients); `plain` the same of the first two principal
    components, `chance` of films strewn at random.
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
    """Films, by case name, and where they lie: `x` and `y` (n,) in units of `explorer.core.map_area`, y upward."""

    cases: tuple[str, ...]
    x: Places
    y: Places
    made: MadeWith

    @property
    def version(self) -> str:
        """Another one for every other map: the same films lie elsewhere on it."""
        digest = hashlib.sha256("\0".join((self.made.model, *self.cases)).encode())
        digest.update(self.x.astype("<u2").tobytes() + self.y.astype("<u2").tobytes())
        return base64.urlsafe_b64encode(digest.digest())[:DIGITS].decode()


@dataclass(frozen=True, slots=True, eq=False)
class KnownMap:
    """A map with its version and its file."""

    map: FilmMap
    version: str
    path: Path

    def place(self, case: str) -> FilmPosition | None:
        """Where a film lies; None where it is not on the map."""
        at = bisect_left(self.map.cases, case)
        there = at < len(self.map.cases) and self.map.cases[at] == case
        return (int(self.map.x[at]), int(self.map.y[at])) if there else None

    def area(self, word: str) -> MapArea:
        """The area that an address names. Raises WrongArea, also for one of another map: films lie elsewhere there."""
        return _area(self, word)


@lru_cache(maxsize=AREAS)  # each word of a filter's menu asks again
def _area(known: KnownMap, word: str) -> MapArea:
    version, corners = corners_of(word)
    if version != known.version:
        raise WrongArea(f"an area of another map of {known.map.made.model} than the one here")
    return MapArea(known.map.made.model, version, corners, int(inside(corners, known.map.x, known.map.y).sum()))


def features_version(folder: Folder, model: str) -> str:
    """Another one whenever the model's embeddings are others, whatever their files' times. Raises OSError."""
    digest = hashlib.sha256()
    for path in parts(folder.embeddings(model)):
        digest.update(f"{path.name} {sha256_of(path)}\n".encode())
    return digest.hexdigest()[:16]


def keep(folder: Folder, model: str, made: FilmMap) -> None:
    """Write the map where this machine adds to a cohort. Raises OSError."""
    table = pa.table({"case": list(made.cases), "x": made.x, "y": made.y}, FILM_MAP)
    about = json.dumps(asdict(made.made), sort_keys=True).encode()
    write_table(folder.film_maps(model)[-1], table.replace_schema_metadata({_METADATA: about}))


def known_map(folder: Folder, model: str) -> KnownMap | None:
    """The map of the embeddings as they are now; None where none was made, or what there is cannot be read."""
    for path in folder.film_maps(model):
        try:
            stat = path.stat()
            found = _kept(path, file_state(stat)) if is_settled(stat) else _read(path)
            if found.map.made.model == model and found.map.made.features == features_version(folder, model):
                return found
        except (DamagedCohort, OSError):
            continue
    return None


@lru_cache(maxsize=KEPT)
def _kept(path: Path, _state: tuple[int, ...]) -> KnownMap:
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
        raise DamagedCohort(f"{path.name} is no map of films", "Open Map again: it is made anew.") from error
    if _out_of_order(found.cases) or any(column.null_count for column in columns):
        raise DamagedCohort(f"{path.name} does not have each film once", "Open Map again: it is made anew.")
    return KnownMap(found, found.version, path)


def _out_of_order(cases: Sequence[str]) -> bool:
    return any(one >= other for one, other in zip(cases, cases[1:], strict=False))
