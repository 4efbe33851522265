"""Makes a cohort's film map from its files, without a store: in a helper process, or to be shipped."""

from __future__ import annotations

from explorer.analysis.film_maps.film_map import NoMap, film_map
from explorer.cohorts.film_map import FilmMap, features_version
from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import check_features, shards_in
from explorer.cohorts.parquet_files import read_table
from explorer.core.progress import OnProgress
from explorer.metrics.patient_ids import patient_numbers
from explorer.store.prepared.features import features


def check_has_features(folder: Folder, model: str) -> None:
    """Check that the model has features of the films. Raises NoMap if it does not."""
    if not shards_in(folder.embeddings(model)):
        raise NoMap(
            f"{model} has no features of the films of {folder.name}",
            "Scores alone are not enough for a map. To add features: "
            f"`python -m explorer score --cohort {folder.name} --model {model}`.",
        )


def make_film_map(folder: Folder, model: str, on_progress: OnProgress = lambda done, of: None) -> FilmMap:
    """Return the map of the films that have features. Raises NoMap, DamagedCohort, NoCohort and OSError."""
    check_has_features(folder, model)
    check_features(folder, model)
    shards = shards_in(folder.embeddings(model))
    version = features_version(folder, model)
    found = features(folder, model, shards)
    films = read_table(folder.cases, ["case", "patient"])
    known = dict(zip(*films.to_pydict().values(), strict=True))
    patient = patient_numbers(known.get(case) for case in found.cases)
    return film_map(model, found.cases, found.vectors, patient, version, on_progress)
