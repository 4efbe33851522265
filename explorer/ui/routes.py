"""What the page fetches beside Gradio's own routes: scripts, thumbnails of a cohort's films, points of maps, plotly.

They lie behind the same guard as everything else, which keeps other origins from showing what they answer.
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

# The version makes the address another one when the script is: it may be kept for as long as a browser likes.
PLOTLY = f"/tailscope/plotly.js?{plotly.__version__}"
_PLOTLY_FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def thumbnail_address(cohort: str, case: str) -> str:
    """Where the page finds the thumbnail of a case; says nothing about either."""
    return f"/tailscope/thumb/{opaque_id(cohort)}/{opaque_id(cohort, 'case', case)}.webp"


def sample_address(key: str) -> str:
    """Where the page finds the picture of a sample."""
    return f"/tailscope/sample/{key}.webp"


def routes(store: Store, images: Images, simulated: FilmFiles = RENDER_HERE) -> list[Route]:
    """Routes for `launch_options`; `simulated`: where the files of simulated samples come from."""
    thumbnails = Thumbnails(images)
    # Threads of their own: a page of thumbnails that are made would hold all those that everything else is answered by.
    looking, making = CapacityLimiter(2), CapacityLimiter(1)

    async def thumbnail(request: Request) -> Response:
        ids = request.path_params["cohort"], request.path_params["case"]
        try:
            place = await run_sync(_place, store, *ids, limiter=looking)
        except StoreError as refusal:  # it cannot be read now, or took too long
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
        # A link shown twice is fetched once, but not for so long that a film ingested anew would show the old one. Of
        # films that go with their page no browser keeps any.
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
    """What a thumbnail is found by: the cohort's folder; name, image folder and file of the case."""
    cohort = store.cohort_of_id(cohort_id)
    found = None if cohort is None else store.film_named(cohort, case_id)
    if cohort is None or found is None:
        return None
    try:
        return store.folder(cohort), *found
    except NoCohort:  # removed since
        return None
