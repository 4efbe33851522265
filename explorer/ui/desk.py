"""What the Read tab's events do, without the components they belong to."""

# No postponed annotations here: gradio reads the return type of `Desk.read` for the description of its endpoint.
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import gradio as gr

from explorer.reading import Film, Reader, Reading, open_film
from explorer.samples import NoSample, sample_bytes
from explorer.shelf import Shelf
from explorer.ui.payload import Answer, Json, film_payload, opinion_payload, read_payload
from explorer.ui.uploads import MissingUpload, Uploads
from models.card import UnusableModel
from models.radiograph import UnreadableRadiograph

Refusal: TypeAlias = UnreadableRadiograph | UnusableModel | MissingUpload | NoSample
REFUSALS = (UnreadableRadiograph, UnusableModel, MissingUpload, NoSample)


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """What the shelf holds for a visitor: a film, and once it is scored what the model says of it."""

    film: Film
    reading: Reading | None = None


Films = Shelf[Opened]


class Desk:
    """Takes films in, has them read, hands the results to whoever has the token."""

    def __init__(self, reader: Reader, films: Films, uploads: Uploads) -> None:
        self._reader = reader
        self._films = films
        self._uploads = uploads

    def open_upload(self, event: gr.EventData, request: gr.Request) -> tuple[Json, str | None]:
        """Decode an uploaded file. Returns what the viewer is told and the film's token, None after a refusal."""
        return self._open(event, request, lambda: self._uploads.take(_word(event, "path")))

    def open_sample(self, event: gr.EventData, request: gr.Request) -> tuple[Json, str | None]:
        """Decode a sample film; returns what `open_upload` does."""
        return self._open(event, request, lambda: sample_bytes(_word(event, "key")))

    def score(self, token: str | None) -> Any:  # noqa: ANN401 - gr.skip() has no type
        """Have the model read the film behind `token`; returns what the viewer is told."""
        opened = self._opened(token)
        if token is None or opened is None:
            return gr.skip()
        try:
            reading = self._reader.read(opened.film.radiograph)
        except UnusableModel as refusal:
            return {**_refused(refusal), "token": token}
        self._films.replace(token, replace(opened, reading=reading))
        return {"stage": "opinion", "token": token}

    def fetch_film(self, token: object) -> Json | None:
        """The film behind a token, for the viewer; None when it is gone."""
        opened = self._opened(token)
        return None if opened is None else film_payload(opened.film)

    def fetch_opinion(self, token: object) -> Json | None:
        """What the model says of the film behind a token; None when it is gone or not scored yet."""
        opened = self._opened(token)
        return None if opened is None or opened.reading is None else opinion_payload(opened.reading)

    def read(self, film: gr.FileData) -> Answer:
        """Score one radiograph (DICOM, PNG, JPEG or TIFF) for every finding of the model. Not for medical use."""
        try:
            opened = open_film(self._uploads.take(_path(film)))
            return read_payload(opened, self._reader.read(opened.radiograph))
        except REFUSALS as refusal:
            raise gr.Error(str(refusal), title=refusal.title, print_exception=False) from refusal

    def leave(self, request: gr.Request) -> None:
        """Forget the film of a visitor who closed the page."""
        self._films.drop_visitor(request.session_hash or "")

    def _open(self, event: gr.EventData, request: gr.Request, fetch: Callable[[], bytes]) -> tuple[Json, str | None]:
        """Decode what `fetch` gives. The message says which request of the script it answers."""
        answers = {"request": _field(event, "request")}
        try:
            film = open_film(fetch())
        except REFUSALS as refusal:
            return {**_refused(refusal), **answers}, None
        nbytes = film.radiograph.pixels.nbytes
        token = self._films.put(Opened(film), visitor=request.session_hash or "", nbytes=nbytes)
        return {"stage": "film", "token": token, **answers}, token

    def _opened(self, token: object) -> Opened | None:
        return self._films.get(token) if isinstance(token, str) else None


def _refused(refusal: Refusal) -> Json:
    return {"stage": "refused", "title": refusal.title, "detail": refusal.detail}


def _field(event: gr.EventData, name: str) -> object:
    """A value the script sent along with its event; None where a caller sent something else."""
    return event._data.get(name) if isinstance(event._data, dict) else None


def _word(event: gr.EventData, name: str) -> str:
    value = _field(event, name)
    return value if isinstance(value, str) else ""


def _path(film: object) -> str:
    """The path in a file reference of `gradio_client.handle_file`; empty where a caller sent something else."""
    value = film.get("path") if isinstance(film, dict) else getattr(film, "path", None)
    return value if isinstance(value, str) else ""
