"""Finds a playlist's film on this machine: its file or the simulator, and its cohort's data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.cohorts.film_source import FilmSource, NoFilm
from explorer.cohorts.image_folder import PHANTOM
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.core.word_lists import and_list
from explorer.reading.model_routing import ByProvenance
from explorer.school.playlists.playlist import PlaylistFilm
from explorer.simulator.address import PhantomFilm, parse_film_address
from explorer.store.names import usual_model
from explorer.store.results import Case

if TYPE_CHECKING:
    from explorer.asking.asker import Asker
    from explorer.cohorts.images import Images
    from explorer.reading.reader import Readers
    from explorer.store.store import Store


@dataclass(frozen=True, slots=True)
class FilmSources:
    """The sources of films, labels and scores. `readers` and `askers` are None if their models are missing.

    `usual` names a cohort's preferred classifiers and image-text models.
    """

    store: Store
    images: Images
    readers: Readers | None = None
    askers: ByProvenance[Asker] | None = None
    usual: tuple[str, ...] = ()

    def models(self, cohort: str, named: Sequence[str] = ()) -> tuple[ModelManifest, ...]:
        """Return the models whose scores of a cohort are shown: the named ones that the cohort has, in this order.

        If none is named, return the default classifier and image-text model, if the cohort has them.
        """
        scored = self.store.models(cohort)
        if named:
            known = {each.model: each for each in scored}
            return tuple(known[name] for name in named if name in known)
        kinds = ([each for each in scored if each.unit == unit] for unit in ("score", "margin"))
        return tuple(usual_model(models, self.usual) for models in kinds if models)

    def lacking(self, film: PlaylistFilm) -> str:
        """Return a sentence about models that a film names but its cohort lacks; empty if it lacks none."""
        known = {each.model for each in self.store.models(film.cohort)} if film.models else set()
        missing = [name for name in film.models if name not in known]
        return f"{film.cohort} has no scores by {and_list(missing)}: the reveal omits them." if missing else ""


@dataclass(frozen=True, slots=True)
class CohortFilm:
    """A film of a cohort."""

    cohort: Manifest
    case: Case
    source: FilmSource

    @property
    def simulated(self) -> bool:
        return self.cohort.simulated


@dataclass(frozen=True, slots=True)
class OrderedFilm:
    """A simulated film outside a cohort, rendered from its address."""

    film: PhantomFilm
    source: FilmSource

    @property
    def simulated(self) -> bool:
        return True


def find_film(sources: FilmSources, entry: PlaylistFilm) -> CohortFilm | OrderedFilm:
    """Return the film, with the stored scores of the models that are shown.

    Raises NoFilm if it is not on this machine, and the store's errors.
    """
    if not entry.cohort:
        return OrderedFilm(parse_film_address(entry.case), _source(sources, PHANTOM, entry.case, entry.case))
    cohort = next((each for each in sources.store.cohorts() if each.name == entry.cohort), None)
    if cohort is None:
        raise NoFilm(f"There is no cohort {entry.cohort} on this machine", "Ingest it, or remove the film.")
    models = [each.model for each in sources.models(cohort.name, entry.models)]
    case = sources.store.case(cohort.name, entry.case, models)
    if case is None:
        raise NoFilm(f"{cohort.name} has no case {entry.case}", "It may be another version of the cohort.")
    return CohortFilm(cohort, case, _source(sources, case.root, case.file, f"{case.case} of {cohort.name}"))


def _source(sources: FilmSources, root: str | None, file: str | None, which: str) -> FilmSource:
    found = sources.images.film(root, file)
    if found is None:
        how = f"Start Tailscope with --images {root}=DIR." if root else "Its cohort has no images."
        raise NoFilm(f"The image of {which} is not on this machine", how)
    return found
