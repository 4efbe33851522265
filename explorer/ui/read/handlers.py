"""What the Read tab's events and the calls of its script do, without the components they belong to."""

# No postponed annotations here: gradio reads the return type of `ReadHandlers.read` to describe its endpoint.
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import get_args

import gradio as gr

from explorer.analysis.exports.film_report import as_csv, as_json, record
from explorer.asking.answer import Asked
from explorer.reading.compact_film import ShelvedFilm, compacted
from explorer.reading.model_routing import ByProvenance
from explorer.reading.model_shelf import ModelShelf
from explorer.reading.reader import Film, Reader, Readers, Reading, open_film
from explorer.reading.sample_films import SampleFilms
from explorer.reading.session_films import Shelf
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.film_answers import HAD_TO_GO, answer_payload, path_of, shown_film
from explorer.ui.read.join_payload import JoinPayload
from explorer.ui.read.joiner import Joiner
from explorer.ui.read.payload import (
    ExportPayload,
    NotOpenedPayload,
    OpenedPayload,
    Opinion,
    ProgressPayload,
    ShownFilmPayload,
)
from explorer.ui.shared.opening_limit import OpeningLimit
from explorer.ui.shared.refusals import RefusalText, RefusedPayload, refused, shown
from explorer.ui.shared.request_values import is_plain
from explorer.ui.shared.uploads import Uploads
from explorer.ui.viewer.payload import FilmHeatPayload, ReadAnswer, has_text, heat_payload, read_payload
from models.cards.card import UnusableModel
from models.films.amend import Remedy, amended
from models.refusal import Refusal

MOST_ASKED = 100  # questions kept of a film
EXPORTS = {"csv": (as_csv, "text/csv"), "json": (as_json, "application/json")}
MOST_HUNG = 16


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """What is kept for a visitor: a film, what the model says of it, whether a refusal was overruled.

    `sample` is its key if it is a sample; `asked` are the questions about it, the latest last; `model` is the one that
    the visitor chose, empty for the usual one.
    """

    film: Film | ShelvedFilm
    reading: Reading | None = None
    anyway: bool = False
    sample: str = ""
    model: str = ""
    asked: deque[Asked] = field(default_factory=lambda: deque(maxlen=MOST_ASKED))

    @property
    def simulated(self) -> bool:
        return self.film.simulated


Films = Shelf[Opened]


class ReadHandlers:
    """Takes films in, has them read, hands the results to whoever has the token."""

    def __init__(
        self,
        readers: Readers,
        films: Films,
        uploads: Uploads,
        joiner: Joiner,
        samples: SampleFilms | None = None,
        shelf: ModelShelf | None = None,
        dicom: bool = False,
    ) -> None:
        self._readers = readers
        self.shelf, self.dicom = shelf, dicom  # `dicom`: films may be saved as DICOM
        self._films = films
        self._uploads = uploads
        self.joiner = joiner
        self._samples = samples or SampleFilms()
        self._at_once = OpeningLimit()

    def open_upload(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Decode an uploaded file; returns a token, or why there is none."""
        return self._open(event, request, lambda: open_film(self._uploads.take(string_field(event._data, "path"))))

    def open_sample(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Decode a sample film; returns what `open_upload` does."""
        key = string_field(event._data, "key")
        return self._open(event, request, lambda: self._samples.film(key), sample=key)

    def film(self, token: object) -> ShownFilmPayload | None:
        """The film behind a token, for the viewer; None when it is gone."""
        opened = self.opened(token)
        return None if opened is None else self._samples.picture(opened.sample, lambda: shown_film(opened.film))

    def opinion(self, token: object) -> Opinion | None:
        """What the model says of the film, once it is its turn; a refusal in its place; None when the film is gone."""
        opened = self.opened(token)
        if opened is None:
            return None
        try:
            reading = self.reading(str(token), opened)
            return answer_payload(reading, opened.anyway, self.joiner.is_far(reading, at_once=True))
        except (UnusableModel, QueueFull) as refusal:
            return refused(refusal, "unscored")

    def anyway(self, token: object) -> Opinion | None:
        """The opinion on a film that was refused, on the visitor's own account."""
        opened = self.opened(token)
        if opened is not None:
            self._films.replace(str(token), opened, replace(opened, anyway=True))
        return self.opinion(token)

    def amend(self, order: object) -> ShownFilmPayload | None:
        """Invert, turn or mirror the film behind `token` as `remedy` says; returns the new one, not read yet."""
        token, remedy = string_field(order, "token"), string_field(order, "remedy")
        opened = self.opened(token)
        chosen = next((each for each in get_args(Remedy) if each == remedy), None)
        if opened is None or chosen is None:
            return None
        film = Film(amended(opened.film.radiograph, chosen), opened.film.decode_ms)
        self._films.replace(token, opened, Opened(compacted(film), model=opened.model))
        return shown_film(film)

    def heat(self, order: object) -> FilmHeatPayload | RefusedPayload | None:
        """Heat maps of some `findings` of the film behind `token`; None when the film is gone or was not read.

        One finding, and then those it is compared with: the first is shown while the others are made.
        """
        token, asked = string_field(order, "token"), field_of(order, "findings")
        opened = self.opened(token)
        if opened is None or opened.reading is None or not isinstance(asked, list):
            return None
        card = opened.reading.card
        findings = [finding for finding in card.findings if finding in asked]
        if not findings or not (opened.reading.verdict.readable or opened.anyway):
            return None
        try:
            return heat_payload(self.reader(opened).heat(opened.film.radiograph, findings, name=token), card)
        except (UnusableModel, QueueFull) as refusal:
            return refused(refusal, "unscored")

    def progress(self, token: object) -> ProgressPayload:
        """Whether the film's model is still being loaded, and how many films are read before this one."""
        opened = self.opened(token)
        reader = self.reader(opened) if opened else self._readers.real
        return {"loading": reader.loading, "ahead": reader.ahead(str(token))}

    def export(self, order: object) -> ExportPayload | None:
        """The record of a film as csv or json, and its type; None when the film is gone or was not read."""
        token, kind = string_field(order, "token"), string_field(order, "kind")
        opened = self.opened(token)
        if opened is None or opened.reading is None or kind not in EXPORTS:
            return None
        reading = opened.reading
        if not (reading.verdict.readable or opened.anyway):
            return None
        write, media_type = EXPORTS[kind]
        beside = self.joiner.beside(reading)
        made = record(reading.card, reading.device, opened.film.radiograph, reading.rows, reading.verdict, beside)
        return {"text": write(made), "type": media_type}

    def join(self, order: object) -> JoinPayload | RefusedPayload | None:
        """The film behind `token` beside a cohort, by default the first of the model; None when the film is gone.

        `cohort` is an opaque id. Where nothing can be compared the answer says why.
        """
        token, wanted = string_field(order, "token"), string_field(order, "cohort")
        opened = self.opened(token)
        if opened is None or opened.reading is None:
            return None
        return self.joiner.join(opened.reading, wanted)

    def text(self, token: object) -> bool | None:
        """Whether text seems to be burned into the film, to be asked before an image of it is kept."""
        opened = self.opened(token)
        return None if opened is None else has_text(Film(opened.film.radiograph, opened.film.decode_ms))

    def gone(self, token: object) -> RefusedPayload | None:
        """Why a film had to go; None where it is still here, its time was over, or nobody remembers it."""
        why = self._films.why_gone(token) if isinstance(token, str) else None
        return None if why is None or why not in HAD_TO_GO else refused(HAD_TO_GO[why], "unscored")

    def still_here(self, tokens: object) -> dict[str, RefusedPayload]:
        """The films that are shown on an open page. Answers with those that had to go, by token, and why."""
        known = [token for token in tokens if isinstance(token, str)][:MOST_HUNG] if isinstance(tokens, list) else []
        self._films.seen(known)
        return {token: why for token in known if (why := self.gone(token)) is not None}

    def put_away(self, token: object) -> None:
        """Forget a film that the visitor took down."""
        self._films.drop(str(token))

    def read(self, film: gr.FileData, anyway: bool = False) -> ReadAnswer:
        """Score one radiograph (DICOM, PNG, JPEG or TIFF) for every finding of the model. Not for medical use."""
        try:
            opened, reading = self.read_bytes(self.take(film))
            return read_payload(opened, reading, anyway is True, self.joiner.beside(reading))
        except Refusal as refusal:
            raise shown(refusal) from refusal

    def leave(self, request: gr.Request) -> None:
        """Forget the films of a visitor who closed the page."""
        self._films.drop_visitor(request.session_hash or "")

    def _open(
        self, event: gr.EventData, request: gr.Request, fetch: Callable[[], Film | ShelvedFilm], sample: str = ""
    ) -> OpenedPayload | NotOpenedPayload:
        try:
            with self._at_once.one_of(request.session_hash or ""):
                return self.show_film(event, request, fetch(), sample)
        except Refusal as refusal:
            return not_shown(event, refusal)

    def show_film(
        self, event: gr.EventData, request: gr.Request, film: Film | ShelvedFilm, sample: str = ""
    ) -> OpenedPayload:
        """Keep a film for its visitor; the message says which request of the script it answers."""
        kept = compacted(film)
        token = self._films.put(Opened(kept, sample=sample), visitor=request.session_hash or "", nbytes=kept.nbytes)
        return {"stage": "film", "token": token, "request": request_of(event)}

    def opened(self, token: object) -> Opened | None:
        """What is kept under a token; None where there is nothing."""
        return self._films.get(token) if isinstance(token, str) else None

    def reading(self, token: str, opened: Opened) -> Reading:
        """What the model says of a film, which is read where it was not yet. Raises as `Reader.read` does."""
        if opened.reading is not None:
            return opened.reading
        reader, sample = self.reader(opened), "" if opened.model else opened.sample
        reading = self._samples.reading(sample, lambda: reader.read(opened.film.radiograph, name=token))
        reading = reader.as_of_now(reading) if sample else reading  # perhaps of a time with other thresholds
        self._films.replace(token, opened, replace(opened, reading=reading))
        return reading

    def reader(self, opened: Opened) -> Reader:
        """Who reads a film: the model that its visitor chose, else the usual one. Raises UnusableModel."""
        return self.readers(opened.model).of(opened.simulated)

    def readers(self, model: str) -> Readers:
        """Who reads films where a visitor chose `model`, empty for the usual ones. Raises UnusableModel."""
        return ByProvenance.one(self.shelf.reader(model)) if model and self.shelf else self._readers

    def choose(self, order: object) -> RefusedPayload | bool | None:
        """The film behind `token` is read by `model` from now on, empty for the usual one; None when it is gone."""
        token, model = string_field(order, "token"), string_field(order, "model")
        opened = self.opened(token)
        if opened is None:
            return None
        chosen = replace(opened, model=model, reading=None, anyway=False)
        try:
            self.reader(chosen)  # begins to load
        except UnusableModel as refusal:
            return refused(refusal, "unscored")
        if opened.model != model:
            self._films.replace(token, opened, chosen)
        return True

    def take(self, film: object) -> bytes:
        """The bytes of an uploaded file that a program sent; they are nowhere else then. Raises MissingUpload."""
        return self._uploads.take(path_of(film))

    def read_bytes(self, data: bytes) -> tuple[Film, Reading]:
        """Decode and read a file. Raises as `open_film` and `Reader.read` do."""
        opened = open_film(data)
        return opened, self._readers.of(opened.radiograph.simulated).read(opened.radiograph)


def not_shown(event: gr.EventData, refusal: RefusalText) -> NotOpenedPayload:
    """Why the film of a request is not open."""
    return {**refused(refusal), "request": request_of(event)}


def request_of(event: gr.EventData) -> int | None:
    """The number by which the script knows what it asked; None where a caller sent something else."""
    sent = field_of(event._data, "request")
    return sent if isinstance(sent, int) and is_plain(sent) else None


def field_of(sent: object, name: str) -> object:
    """A value the script sent along; None where a caller sent something else."""
    return sent.get(name) if isinstance(sent, dict) else None


def string_field(sent: object, name: str) -> str:
    """The same where it is a text; empty where it is not."""
    value = field_of(sent, name)
    return value if isinstance(value, str) else ""
