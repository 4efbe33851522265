"""Read's answers about one film: the film itself, its reading, and why it was removed."""

from __future__ import annotations

from explorer.reading.compact_film import CompactFilm
from explorer.reading.reader import DecodedFilm, Reading
from explorer.ui.read.payload import RefusedFilmPayload, ShownFilmPayload
from explorer.ui.simulate.link import made_as_payload
from explorer.ui.viewer.payload import OpinionPayload, film_payload, opinion_payload, times_ms, verdict_payload
from models.refusal import Refusal

REMOVAL_REASONS = {  # why a film was removed
    "room": Refusal(
        "The film was removed to free memory",
        "Films opened later needed its memory, and it had been idle longest. Open it again.",
    ),
    "own": Refusal(
        "The film was removed to free memory",
        "Only the three films opened last are kept for each visitor. Open it again.",
    ),
}


def shown_film(film: DecodedFilm | CompactFilm) -> ShownFilmPayload:
    """The film as the viewer shows it."""
    kept = film.unpacked()
    return {**film_payload(kept), "made_as": made_as_payload(kept.radiograph.mark)}


def answer_payload(reading: Reading, anyway: bool, far: bool | None) -> OpinionPayload | RefusedFilmPayload:
    """The opinion, or the refusal of the film. `far`: it is unlike the test films; None if not yet known."""
    if reading.verdict.readable or anyway:
        return opinion_payload(reading, far=far)
    verdict = verdict_payload(reading.verdict)
    return {"stage": "refused", "model": reading.card.name, "verdict": verdict, "times_ms": times_ms(reading)}


def file_path(film: object) -> str:
    """The path in a file reference of `gradio_client.handle_file`; empty if the caller sent something else."""
    path = film.get("path") if isinstance(film, dict) else getattr(film, "path", None)
    return path if isinstance(path, str) else ""
