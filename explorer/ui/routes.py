"""The page's own routes: scripts, thumbnails, samples, map points, plotly.

They are behind the same guard as Gradio's routes, so other origins cannot read them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import plotly
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from explorer.cohorts.images import Images
from explorer.cohorts.layout import Folder, NoCohort
from explorer.cohorts.public_ids import opaque_id
from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from explorer.cohorts.thumbnails import Thumbnails
from explorer.cohorts.unlisted import is_unlisted
from explorer.reading.sample_pictures import sample_webp
from explorer.store.results import StoreError
from explorer.ui.map_route import map_route
from explorer.ui.scripts import script_route
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

# The version is in the address, so browsers may cache the file forever.
PLOTLY = f"/tailscope/plotly.js?{plotly.__version__}"
_PLOTLY_FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def thumbnail_address(cohort: str, case: str) -> str:
    """The address of a case's thumbnail. It does not reveal the cohort or the case."""
    return f"/tailscope/thumb/{opaque_id(cohort)}/{opaque_id(cohort, 'case', case)}.webp"


def sample_address(key: str) -> str:
    """The address of a sample's picture."""
    return f"/tailscope/sample/{key}.webp"


def page_routes(store: Store, images: Images, simulated: FilmFiles = RENDER_HERE) -> list[Route]:
    """The page's own routes for `launch_options`; `simulated` supplies the files of simulated samples."""
    thumbnails = Thumbnails(images)
    # Separate threads: a page of new thumbnails would otherwise occupy all the threads that answer requests.
    looking, making = CapacityLimiter(2), CapacityLimiter(1)

    async def thumbnail(request: Request) -> Response:
        ids = request.path_params["cohort"], request.path_params["case"]
        try:
            place = await run_sync(_place, store, *ids, limiter=looking)
        except StoreError as refusal:  # unreadable now, or the query timed out
            return PlainTextResponse(
                f"{refusal.title}. {refusal.detail}", status_code=503, headers={"cache-control": "no-store"}
            )
        found = None if place is None else await run_sync(thumbnails.kept, *place, limiter=looking)
        if place is not None and found is None:
            found = await run_sync(thumbnails.webp, *place, limiter=making)
        if found is None:
            return PlainTextResponse(
                "There is no image of this case. Start with --images NAME=DIR to say where the films are.",
                status_code=404,
                headers={"cache-control": "no-store"},
            )
        # Ten minutes: a film shown twice is fetched once, yet a film ingested again soon shows its new version. Films
        # of a visitor's own folder must not stay in the browser's cache.
        passing = place is not None and is_unlisted(place[0].name)
        kept = "no-store" if passing else "private, max-age=600"
        return Response(found, media_type="image/webp", headers={"cache-control": kept})

    async def sample(request: Request) -> Response:
        try:
            picture = await run_sync(sample_webp, request.path_params["key"], simulated, limiter=making)
        except Refusal as refusal:
            return PlainTextResponse(f"{refusal.title}. {refusal.detail}", status_code=404)
        return Response(picture, media_type="image/webp", headers={"cache-control": "private, max-age=86400"})

    return [
        Route("/tailscope/sample/{key}.webp", sample),
        Route("/tailscope/thumb/{cohort}/{case}.webp", thumbnail),
        Route("/tailscope/plotly.js", _plotly),
        map_route(store),
        script_route(),
    ]


def _plotly(request: Request) -> Response:
    return FileResponse(
        _PLOTLY_FILE,
        media_type="text/javascript",
        headers={"cache-control": "private, max-age=31536000, immutable"},
    )


def _place(store: Store, cohort_id: str, case_id: str) -> tuple[Folder, str, str | None, str | None] | None:
    """The cohort's folder, and the case's name, image folder and file, which identify its thumbnail."""
    cohort = store.cohort_of_id(cohort_id)
    found = None if cohort is None else store.film_named(cohort, case_id)
    if cohort is None or found is None:
        return None
    try:
        return store.folder(cohort), *found
    except NoCohort:  # the cohort was removed meanwhile
        return None
