"""The services of the Teach tab: films with their cohorts, this machine's playlists, and their preparation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.school.playlists.found_film import FilmSources
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.school.preparing.preparing_job import PreparingJob
from explorer.settings import DEFAULT_CLASSIFIERS, VLMS
from explorer.ui.teach.drawing_calls import DrawingCalls
from explorer.ui.teach.playlist_calls import PlaylistCalls

if TYPE_CHECKING:
    from explorer.asking.asker import Asker
    from explorer.reading.model_routing import ByProvenance
    from explorer.ui.shared.services import Services

REVEALED_MODELS = (*DEFAULT_CLASSIFIERS, VLMS.real, VLMS.simulated)  # models whose scores a reveal shows


@dataclass(frozen=True, slots=True)
class TeachHandlers:
    """The handlers of the Teach tab; `preparing` prepares playlists in the background."""

    sources: FilmSources
    playlists: PlaylistFiles
    preparing: PreparingJob
    editing: PlaylistCalls
    drawing: DrawingCalls

    @classmethod
    def of(
        cls, services: Services, askers: ByProvenance[Asker] | None, files: PlaylistFiles | None = None
    ) -> TeachHandlers:
        """Build the handlers from Explore's services; playlists are those of TAILSCOPE_HOME by default."""
        sources, files = (
            FilmSources(services.store, services.images, services.readers, askers, REVEALED_MODELS),
            files or PlaylistFiles(),
        )
        return cls(
            sources, files, PreparingJob(sources), PlaylistCalls(sources, files), DrawingCalls(services.store, files)
        )
