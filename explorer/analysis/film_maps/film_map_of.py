"""The map of a cohort's films from its files, without a store: in a process of its own, or to be shipped."""

from __future__ import annotations

from explorer.analysis.film_maps.film_map import NoMap, film_map
from explorer.cohorts.film_map import FilmMap, features_version
from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import check_features, parts
from explorer.cohorts.parquet_files import read_table
from explorer.core.progress import OnProgress
from explorer.metrics.patient_ids import numbered
from explorer.store.queries.features import features


def check_there(folder: Folder, model: str) -> None:
    """Raises NoMap where the model has no features of the films."""
    if not parts(folder.embeddings(model)):
        raise NoMap(
            f"{model} has no features of the films of {folder.name}",
            f"`python -m explorer score --cohort {folder.name} --model {model}` keeps them; scores alone have no map.",
        )


def film_map_of(folder: Folder, model: str, on_progress: OnProgress = lambda done, of: None) -> FilmMap:
    """The map of the films whose features the model has. Raises NoMap, DamagedCohort, NoCohort and OSError."""
    check_there(folder, model)
    check_features(folder, model)
    shards = parts(folder.embeddings(model))
    version = features_version(folder, model)
    found = features(folder, model, shards)
    films = read_table(folder.cases, ["case", "patient"])
    known = dict(zip(*films.to_pydict().values(), strict=True))
    patient = numbered(known.get(case) for case in found.cases)
    return film_map(model, found.cases, found.vectors, patient, version, on_progress)
