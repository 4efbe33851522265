"""A refusal as JSON for the learners' page."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse

NO_STORE = {"cache-control": "no-store"}  # learners' devices must not cache anything from a class


def refusal_response(title: str, detail: str, status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return a response with the title and detail of a refusal."""
    return JSONResponse({"title": title, "detail": detail}, status, {**NO_STORE, **(headers or {})})
