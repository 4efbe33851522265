"""A refusal as the learners' page reads it."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import JSONResponse

NOT_KEPT = {"cache-control": "no-store"}  # nothing of a class stays on a learner's device


def refused_json(title: str, detail: str, status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """What is wrong and what to do: two sentences."""
    return JSONResponse({"title": title, "detail": detail}, status, {**NOT_KEPT, **(headers or {})})
