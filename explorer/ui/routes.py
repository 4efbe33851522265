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
from explorer.cohorts.simulated_films import RENDER_HERE, FilmFiles
from explorer.cohorts.thumbnail_packer import ThumbnailPacker
from explorer.reading.sample_pictures import sample_webp
from explorer.ui.map_route import map_route
from explorer.ui.scripts import script_route
from explorer.ui.thumbnail_route import thumbnail_route
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

# The version is in the address, so browsers may cache the file forever.
PLOTLY = f"/tailscope/plotly.js?{plotly.__version__}"
_PLOTLY_FILE = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"


def sample_address(key: str) -> str:
    """The address of a sample's picture."""
    return f"/tailscope/sample/{key}.webp"


def page_routes(
    store: Store, images: Images, simulated: FilmFiles = RENDER_HERE, packer: ThumbnailPacker | None = None
) -> list[Route]:
    """The page's own routes for `launch_options`; `simulated` supplies the files of simulated samples.

    With a `packer`, thumbnails of simulated cohorts without a pack are packed.
    """
    drawing = CapacityLimiter(1)

    async def sample(request: Request) -> Response:
        try:
            picture = await run_sync(sample_webp, request.path_params["key"], simulated, limiter=drawing)
        except Refusal as refusal:
            return PlainTextResponse(f"{refusal.title}. {refusal.detail}", status_code=404)
        return Response(picture, media_type="image/webp", headers={"cache-control": "private, max-age=86400"})

    return [
        Route("/tailscope/sample/{key}.webp", sample),
        thumbnail_route(store, images, packer),
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
