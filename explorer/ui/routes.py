"""What the page fetches beside Gradio's own routes: thumbnails of a cohort's films, and the script that draws charts.

They are given to `launch` through `app_kwargs`, so they lie behind the same guard as everything else.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import plotly
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route

from explorer.cohorts import layout
from explorer.cohorts.images import Images
from explorer.cohorts.layout import NoCohort
from explorer.cohorts.opaque import opaque
from explorer.cohorts.thumbnails import Thumbnails

if TYPE_CHECKING:
    from explorer.store import Store

# The version makes the address another one when the script is: it may be kept for as long as a browser likes.
PLOTLY = f"/tailscope/plotly.js?{plotly.__version__}"
_PLOTLY_FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
_OURS_ONLY = {"cross-origin-resource-policy": "same-origin"}


def thumbnail_address(cohort: str, case: str) -> str:
    """Where the page finds the thumbnail of a case; says nothing about either."""
    return f"/tailscope/thumb/{opaque(cohort)}/{opaque(cohort, 'case', case)}.webp"


def routes(store: Store, images: Images) -> list[Route]:
    """Routes for `launch(app_kwargs={"routes": ...})`."""
    thumbnails = Thumbnails(images)

    def thumbnail(request: Request) -> Response:
        found = _thumbnail(store, thumbnails, request.path_params["cohort"], request.path_params["case"])
        if found is None:
            return PlainTextResponse(
                "There is no image of this case. Start with --images NAME=DIR to say where films lie.",
                status_code=404,
                headers=_OURS_ONLY | {"cache-control": "no-store"},
            )
        # A link shown twice is fetched once, but not for so long that a film ingested anew would show the old one.
        return Response(found, media_type="image/webp", headers=_OURS_ONLY | {"cache-control": "private, max-age=600"})

    return [
        Route("/tailscope/thumb/{cohort}/{case}.webp", thumbnail),
        Route("/tailscope/plotly.js", _plotly),
    ]


def _plotly(request: Request) -> Response:
    return FileResponse(
        _PLOTLY_FILE,
        media_type="text/javascript",
        headers=_OURS_ONLY | {"cache-control": "private, max-age=31536000, immutable"},
    )


def _thumbnail(store: Store, thumbnails: Thumbnails, cohort_id: str, case_id: str) -> bytes | None:
    cohort = next((each.name for each in store.cohorts() if opaque(each.name) == cohort_id), None)
    found = None if cohort is None else store.film_named(cohort, case_id)
    if cohort is None or found is None:
        return None
    try:
        folder = layout.folder(cohort)
    except NoCohort:  # removed since
        return None
    return thumbnails.webp(folder, *found)
