"""A cohort's cases nearest to a film, as thumbnails with their findings."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.analysis.cases.cohort_context import SimilarCase, similar_cases
from explorer.analysis.cases.neighbors import NearCase, neighbors_of
from explorer.cohorts.layout import Folder
from explorer.cohorts.thumbnails import Thumbnails
from explorer.school.playlists.found_film import CohortFilm, FilmSources
from explorer.school.preparing.heat_overlay import data_url
from explorer.school.preparing.prepared import NearFilmPayload

MAX_NEAR_FILMS = 4


def near_case_films(film: CohortFilm, sources: FilmSources, thumbnails: Thumbnails) -> list[NearFilmPayload]:
    """Return the cases nearest to a cohort's film, by its first model with features. Raises the store's errors."""
    for manifest in sources.models(film.cohort.name):
        near = neighbors_of(sources.store, film.cohort.name, manifest.model).of_case(film.case.case, MAX_NEAR_FILMS)
        if near:
            return near_films_payload(sources, thumbnails, film.cohort.name, manifest.model, near)
    return []


def near_films_payload(
    sources: FilmSources, thumbnails: Thumbnails, cohort: str, model: str, near: Sequence[NearCase]
) -> list[NearFilmPayload]:
    """Return a cohort's cases that are nearest by a model's features, nearest first."""
    folder = sources.store.folder(cohort, model)
    return [_payload(each, folder, thumbnails) for each in similar_cases(sources.store, cohort, model, near)]


def _payload(each: SimilarCase, folder: Folder, thumbnails: Thumbnails) -> NearFilmPayload:
    line = each.line
    picture = thumbnails.webp(folder, line.case, line.root, line.file)
    unlabeled = "none of the findings" if line.none_of_these else "no label"
    words = ", ".join(line.present) or unlabeled
    same = ", another film of this patient" if each.near.same_patient else ""
    return {"picture": "" if picture is None else data_url(picture), "words": words + same}
