"""The route of thumbnails. One that exists is sent without waiting for a query, a model or a film being drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from explorer.cohorts.film_source import FilmSource, SimulatedFilm
from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.thumbnail_packer import ThumbnailPacker
from explorer.cohorts.thumbnails import Thumbnails
from explorer.cohorts.unlisted import is_unlisted
from explorer.store.results import StoreError

if TYPE_CHECKING:
    from explorer.store.store import Store

_NO_IMAGE = "There is no image of this case. Start with --images NAME=DIR to say where the films are."


def thumbnail_address(cohort: str, case: str) -> str:
    """The address of a case's thumbnail. It does not reveal the cohort or the case."""
    return f"/tailscope/thumb/{opaque_id(cohort)}/{opaque_id(cohort, 'case', case)}.webp"


def thumbnail_route(store: Store, images: Images, packer: ThumbnailPacker | None = None) -> Route:
    """The route of `thumbnail_address`. A simulated cohort whose thumbnail had to be drawn is given to `packer`."""
    source = _Source(store, images, packer)
    # Threads of their own, apart from those that answer calls: new thumbnails would occupy all of them, and thumbnails
    # that exist would wait for calls. Each step may wait only for what it needs: files, the store, a film.
    finding, asking, drawing = CapacityLimiter(4), CapacityLimiter(2), CapacityLimiter(1)

    async def thumbnail(request: Request) -> Response:
        ids = request.path_params["cohort"], request.path_params["case"]
        # Here, because under load each change of threads takes as long as the rest.
        found = source.open_pack(*ids) or await run_sync(source.kept, *ids, limiter=finding)
        if found is None:
            try:
                await run_sync(source.look_up, *ids, limiter=asking)
            except StoreError as refusal:  # unreadable now, or the query timed out
                return _refusal(f"{refusal.title}. {refusal.detail}", 503)
            found = await run_sync(source.kept, *ids, limiter=finding)
        if found is None:
            found = await run_sync(source.drawn, *ids, limiter=drawing)
        return _refusal(_NO_IMAGE, 404) if found is None else _picture(*found)

    return Route("/tailscope/thumb/{cohort}/{case}.webp", thumbnail)


class _Source:
    """Where thumbnails come from: the films that recent pages listed, after that the store."""

    def __init__(self, store: Store, images: Images, packer: ThumbnailPacker | None) -> None:
        self._store = store
        self._images = images
        self._packer = packer
        self._thumbnails = Thumbnails(images) if packer is None else packer.thumbnails
        self._folders: dict[str, Folder] = {}  # by the cohort's id

    def open_pack(self, cohort_id: str, case_id: str) -> tuple[Folder, bytes] | None:
        """The thumbnail in an open pack of a known cohort; takes 0.1 ms."""
        folder = self._folders.get(cohort_id)
        picture = None if folder is None else self._thumbnails.packs.open_picture(folder, case_id)
        return None if folder is None or picture is None else (folder, picture)

    def kept(self, cohort_id: str, case_id: str) -> tuple[Folder, bytes] | None:
        """The thumbnail of a known film, if it exists already."""
        return self._of_known(cohort_id, case_id, self._thumbnails.kept)

    def look_up(self, cohort_id: str, case_id: str) -> None:
        """Ask the store for the film, which is known from then on."""
        cohort = self._store.cohort_of_id(cohort_id)
        case = None if cohort is None else self._store.film_named(cohort, case_id)
        film = None if case is None else self._images.film(*case[1:])
        if cohort is None or film is None:
            self._images.shown.forget(cohort_id, case_id)
        else:
            self._images.shown.note(cohort, case_id, film)

    def drawn(self, cohort_id: str, case_id: str) -> tuple[Folder, bytes] | None:
        """The thumbnail of a known film, drawn if it does not exist."""
        return self._of_known(cohort_id, case_id, self._draw)

    def _draw(self, folder: Folder, case_id: str, film: FilmSource) -> bytes | None:
        if self._packer is not None and isinstance(film, SimulatedFilm):
            self._packer.want(folder)
        return self._thumbnails.requested(folder, case_id, film)

    def _of_known(
        self, cohort_id: str, case_id: str, picture_of: Callable[[Folder, str, FilmSource], bytes | None]
    ) -> tuple[Folder, bytes] | None:
        shown = self._images.shown.find(cohort_id, case_id)
        if shown is None:
            return None
        try:
            folder = self._folders.get(cohort_id) or self._store.folder(shown.cohort)
        except NoCohort:  # it was removed
            return None
        self._folders[cohort_id] = folder
        picture = picture_of(folder, case_id, shown.film)
        return None if picture is None else (folder, picture)


def _picture(folder: Folder, picture: bytes) -> Response:
    # Ten minutes: a film shown twice is fetched once, yet a film ingested again soon shows its new version. Films of a
    # visitor's own folder must not stay in the browser's cache.
    kept = "no-store" if is_unlisted(folder.name) else "private, max-age=600"
    return Response(picture, media_type="image/webp", headers={"cache-control": kept})


def _refusal(words: str, status: int) -> Response:
    return PlainTextResponse(words, status_code=status, headers={"cache-control": "no-store"})
