"""The route of a map's points, sent as bytes because JSON would be three times as long."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from explorer.cohorts.film_map import KnownMap
from explorer.cohorts.public_ids import ID_DIGITS, opaque_id
from explorer.runtime.cached import RecentAnswers
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

MAX_CACHED_MAPS = 4  # maps, at 12 bytes a film


def map_address(cohort: str, model: str, version: str) -> str:
    """The address of a map's points. It does not reveal the cohort or the model."""
    return f"/tailscope/map/{opaque_id(cohort)}/{opaque_id(cohort, 'model', model)}/{version}.bin"


def map_route(store: Store) -> Route:
    """The route of `map_address`."""
    kept: RecentAnswers[bytes] = RecentAnswers(MAX_CACHED_MAPS)
    one = CapacityLimiter(1)

    def found(cohort_id: str, model_id: str, version: str) -> bytes | None:
        try:
            cohort = store.cohort_of_id(cohort_id)
            models = () if cohort is None else store.models(cohort)
            model = next(
                (each.model for each in models if opaque_id(str(cohort), "model", each.model) == model_id), None
            )
            known = None if cohort is None or model is None else store.film_map(cohort, model)
        except Refusal:
            return None
        if cohort is None or known is None or known.version != version:
            return None
        return kept.get((cohort, model, version), lambda: point_bytes(cohort, known))

    async def points(request: Request) -> Response:
        names = (request.path_params[name] for name in ("cohort", "model", "version"))
        data = await run_sync(found, *names, limiter=one)
        if data is None:
            headers = {"cache-control": "no-store"}
            return PlainTextResponse("This map no longer exists.", status_code=404, headers=headers)
        headers = {"cache-control": "private, max-age=31536000, immutable"}  # points only; no film is named
        return Response(data, media_type="application/octet-stream", headers=headers)

    return Route("/tailscope/map/{cohort}/{model}/{version}.bin", points)


def point_bytes(cohort: str, known: KnownMap) -> bytes:
    """x (n,) and y (n,) as little-endian 16-bit numbers, then each film's id as 8 bytes."""
    cohort_hash = hashlib.sha256(f"{cohort}/case/".encode())
    ids = bytearray()
    for case in known.map.cases:  # as `opaque_id` does; 100,000 cases take 0.1 s
        digest = cohort_hash.copy()
        digest.update(case.encode())
        ids += digest.digest()[: ID_DIGITS // 2]
    return known.map.x.astype("<u2").tobytes() + known.map.y.astype(np.dtype("<u2")).tobytes() + bytes(ids)
