"""The Read tab's handlers of events and script calls, without its components."""

# No postponed annotations: Gradio reads the return type of `ReadHandlers.read` to describe its endpoint.
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import get_args

import gradio as gr

from explorer.analysis.exports.film_report import film_report, report_csv, report_json
from explorer.asking.answer import FilmAnswer
from explorer.reading.anatomy import film_anatomy
from explorer.reading.anatomy_of_reading import read_anatomy
from explorer.reading.compact_film import CompactFilm, compacted_if_lossless
from explorer.reading.kept_outlines import KeptOutlines
from explorer.reading.model_routing import ByProvenance
from explorer.reading.model_shelf import ModelShelf
from explorer.reading.reader import DecodedFilm, Reader, Readers, Reading, open_film
from explorer.reading.sample_films import SampleFilms
from explorer.reading.session_films import Shelf
from explorer.reading.stability import FilmStability
from explorer.reading.study import StudyFilm, is_one_study, read_study
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.read.film_answers import REMOVAL_REASONS, answer_payload, file_path, shown_film
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
from explorer.ui.read.study_payload import StudyPayload, study_payload
from explorer.ui.shared.opening_limit import OpeningLimit
from explorer.ui.shared.refusals import RefusalText, RefusedPayload, gradio_error, refusal_payload
from explorer.ui.shared.request_values import is_plain, string_field, value_in
from explorer.ui.shared.uploads import Uploads
from explorer.ui.viewer.payload import FilmHeatPayload, ReadAnswer, has_text, heat_payload, read_payload
from models.anatomy import Anatomy
from models.cards.card import UnusableModel
from models.films.amend import Remedy, apply_remedy
from models.gate.judgment import Verdict
from models.radiograph import Radiograph
from models.refusal import Refusal

MAX_QUESTIONS = 100  # questions remembered for each film
EXPORTS = {"csv": (report_csv, "text/csv"), "json": (report_json, "application/json")}
MAX_SHOWN_FILMS = 16


@dataclass(frozen=True, slots=True, eq=False)
class OpenedFilm:
    """A visitor's film, its reading, and whether the visitor overruled a refusal.

    `sample` is the key of a sample film, else empty; `answers` are Ask's, newest last; `model` is the visitor's choice,
    empty for the default. `stability` is that of the reading, once the visitor asked for it. `outlines` are its anatomy
    once anything needed it, or why there is none.
    """

    film: DecodedFilm | CompactFilm
    reading: Reading | None = None
    stability: FilmStability | None = None
    outlines: KeptOutlines | str | None = None
    anyway: bool = False
    sample: str = ""
    model: str = ""
    answers: deque[FilmAnswer] = field(default_factory=lambda: deque(maxlen=MAX_QUESTIONS))

    @property
    def simulated(self) -> bool:
        return self.film.simulated


OpenedFilms = Shelf[OpenedFilm]


class ReadHandlers:
    """Opens films, has them read, and returns results to the holder of a film's token."""

    def __init__(
        self,
        readers: Readers,
        films: OpenedFilms,
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
        self._opening_limit = OpeningLimit()

    def open_upload(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Decode an uploaded file; returns a token or a refusal."""
        return self._open(event, request, lambda: open_film(self._uploads.take(string_field(event._data, "path"))))

    def open_sample(self, event: gr.EventData, request: gr.Request) -> OpenedPayload | NotOpenedPayload:
        """Decode a sample film; returns a token or a refusal."""
        key = string_field(event._data, "key")
        return self._open(event, request, lambda: self._samples.film(key), sample=key)

    def film(self, token: object) -> ShownFilmPayload | None:
        """The film behind a token, for the viewer; None if it is gone."""
        opened = self.opened(token)
        return None if opened is None else self._samples.picture(opened.sample, lambda: shown_film(opened.film))

    def opinion(self, token: object) -> Opinion | None:
        """The model's reading of the film, after waiting its turn, or a refusal; None if the film is gone."""
        opened = self.opened(token)
        if opened is None:
            return None
        try:
            reading = self.reading(str(token), opened)
            return answer_payload(reading, opened.anyway, self.joiner.is_far(reading, at_once=True))
        except (UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")

    def anyway(self, token: object) -> Opinion | None:
        """The reading of a refused film that the visitor wants read anyway."""
        opened = self.opened(token)
        if opened is not None:
            self._films.replace(str(token), opened, replace(opened, anyway=True))
        return self.opinion(token)

    def amend(self, sent: object) -> ShownFilmPayload | None:
        """Invert, turn or mirror the film behind `token` as `remedy` says; returns the new film, still unread."""
        token, remedy = string_field(sent, "token"), string_field(sent, "remedy")
        opened = self.opened(token)
        chosen = next((each for each in get_args(Remedy) if each == remedy), None)
        if opened is None or chosen is None:
            return None
        film = DecodedFilm(apply_remedy(opened.film.unpacked().radiograph, chosen), opened.film.decode_ms)
        self._films.replace(token, opened, OpenedFilm(compacted_if_lossless(film), model=opened.model))
        return shown_film(film)

    def heat(self, sent: object) -> FilmHeatPayload | RefusedPayload | None:
        """Heat maps of some `findings` of the film behind `token`; None if the film is gone or was not read.

        The page asks for one finding first, then for those compared with it, so that the first map shows early.
        """
        token, wanted = string_field(sent, "token"), value_in(sent, "findings")
        opened = self.opened(token)
        if opened is None or opened.reading is None or not isinstance(wanted, list):
            return None
        card = opened.reading.card
        findings = [finding for finding in card.findings if finding in wanted]
        if not findings or not (opened.reading.verdict.readable or opened.anyway):
            return None
        try:
            film = opened.film.unpacked().radiograph
            mapped = self.reader(opened).heat(film, findings, name=token)
            return heat_payload(mapped, card, self.outlines(token, opened, film, opened.reading.verdict))
        except (UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")

    def progress(self, token: object) -> ProgressPayload:
        """Whether the film's model is still loading, and how many films are read before this one."""
        opened = self.opened(token)
        reader = self.reader(opened) if opened else self._readers.real
        return {"loading": reader.loading, "ahead": reader.ahead(str(token))}

    def export(self, sent: object) -> ExportPayload | None:
        """The report of a film as csv or json, and its media type; None if the film is gone or was not read.

        If the film `beside` it is of the same study, as `study` decides, the report contains the study's scores.
        """
        token, kind = string_field(sent, "token"), string_field(sent, "kind")
        opened = self.opened(token)
        if opened is None or opened.reading is None or kind not in EXPORTS:
            return None
        reading = opened.reading
        if not (reading.verdict.readable or opened.anyway):
            return None
        write, media_type = EXPORTS[kind]
        joined = self.joiner.join_first(reading)
        made = film_report(reading.card, reading.device, opened.film.facts, reading.rows, reading.verdict, joined)
        pair = self._pair(sent)
        study = read_study(pair) if pair and _taken_as_one(pair, sent) else None
        return {"text": write(replace(made, study=study, stability=opened.stability)), "type": media_type}

    def study(self, sent: object) -> StudyPayload | RefusedPayload | None:
        """Whether the films behind `token` and `beside` are one study, and its scores; None if one is gone or unread.

        `together`: both were opened in one step. `chosen`: the visitor's own answer, true or false, else null.
        """
        pair = self._pair(sent)
        if pair is None:
            return None
        try:
            return study_payload(*pair, one=_taken_as_one(pair, sent))
        except UnusableModel as refusal:
            return refusal_payload(refusal, "unscored")

    def join(self, sent: object) -> JoinPayload | RefusedPayload | None:
        """The film behind `token` compared with a cohort, by default the model's first; None if the film is gone.

        `cohort` is an opaque id. If nothing can be compared, the answer says why.
        """
        token, wanted = string_field(sent, "token"), string_field(sent, "cohort")
        opened = self.opened(token)
        if opened is None or opened.reading is None:
            return None
        return self.joiner.join(opened.reading, wanted)

    def text(self, token: object) -> bool | None:
        """Whether the film seems to have text burned in, which the page asks before it saves an image."""
        opened = self.opened(token)
        return None if opened is None else has_text(opened.film.unpacked())

    def gone(self, token: object) -> RefusedPayload | None:
        """Why a film was removed; None if it is still open, expired, or unknown."""
        why = self._films.why_gone(token) if isinstance(token, str) else None
        return None if why is None or why not in REMOVAL_REASONS else refusal_payload(REMOVAL_REASONS[why], "unscored")

    def still_here(self, tokens: object) -> dict[str, RefusedPayload]:
        """Note which films an open page shows. Returns the removed ones by token, with the reason."""
        known = (
            [token for token in tokens if isinstance(token, str)][:MAX_SHOWN_FILMS] if isinstance(tokens, list) else []
        )
        self._films.mark_present(known)
        return {token: why for token in known if (why := self.gone(token)) is not None}

    def put_away(self, token: object) -> None:
        """Drop a film that the visitor closed."""
        self._films.drop(str(token))

    def read(
        self, film: gr.FileData, anyway: bool = False, anatomy: bool = False, stability: bool = False
    ) -> ReadAnswer:
        """Score one radiograph (DICOM, PNG, JPEG or TIFF) for every finding of the model. Not for medical use.

        With `anatomy`, the answer has the cardiothoracic ratio and the places of the flagged findings' maps. With
        `stability`, the film is also scored after small changes.
        """
        try:
            opened, reading = self.read_bytes(self.take(film))
            reader = self._readers.of(opened.simulated)
            measured = read_anatomy(reader, opened.radiograph, reading) if anatomy is True else None
            shown = reading.verdict.readable or anyway is True
            stable = reader.stability(opened.radiograph) if stability is True and shown else None
            return read_payload(opened, reading, anyway is True, self.joiner.join_first(reading), measured, stable)
        except Refusal as refusal:
            raise gradio_error(refusal) from refusal

    def _pair(self, sent: object) -> tuple[StudyFilm, StudyFilm] | None:
        """The films behind `token` and `beside`; None unless both are open and were read or refused."""
        first, second = (self.opened(string_field(sent, name)) for name in ("token", "beside"))
        if first is None or second is None or first.reading is None or second.reading is None:
            return None
        return (
            StudyFilm(first.film.facts, first.reading, first.anyway),
            StudyFilm(second.film.facts, second.reading, second.anyway),
        )

    def leave(self, request: gr.Request) -> None:
        """Drop the films of a visitor who closed the page."""
        self._films.drop_visitor(request.session_hash or "")

    def _open(
        self, event: gr.EventData, request: gr.Request, fetch: Callable[[], DecodedFilm | CompactFilm], sample: str = ""
    ) -> OpenedPayload | NotOpenedPayload:
        try:
            with self._opening_limit.count_opening(request.session_hash or ""):
                return self.show_film(event, request, fetch(), sample)
        except Refusal as refusal:
            return not_opened_payload(event, refusal)

    def show_film(
        self, event: gr.EventData, request: gr.Request, film: DecodedFilm | CompactFilm, sample: str = ""
    ) -> OpenedPayload:
        """Keep a film for its visitor; the answer repeats the number of the script's request."""
        kept = compacted_if_lossless(film)
        token = self._films.put(OpenedFilm(kept, sample=sample), visitor=request.session_hash or "", nbytes=kept.nbytes)
        return {"stage": "film", "token": token, "request": request_number(event)}

    def opened(self, token: object) -> OpenedFilm | None:
        """The film kept under a token; None if there is none."""
        return self._films.get(token) if isinstance(token, str) else None

    def reading(self, token: str, opened: OpenedFilm) -> Reading:
        """The model's reading of a film, read now if it was not before. Raises as `Reader.read` does."""
        if opened.reading is not None:
            return opened.reading
        reader, sample = self.reader(opened), "" if opened.model else opened.sample
        reading = self._samples.reading(sample, lambda: reader.read(opened.film.unpacked().radiograph, name=token))
        # thresholds may have changed since the sample was read
        reading = reader.as_of_now(reading) if sample else reading
        self._films.replace(token, opened, replace(opened, reading=reading))
        return reading

    def outlines(self, token: str, opened: OpenedFilm, film: Radiograph, verdict: Verdict) -> Anatomy | str:
        """The anatomy of an open film, unpacked as `film`, or why there is none; drawn once. Raises UnusableModel."""
        now = self.opened(token)
        now = now if now is not None and now.film is opened.film else opened  # it may have been read since
        if now.outlines is not None:
            return now.outlines if isinstance(now.outlines, str) else now.outlines.unpacked()
        found = film_anatomy(film, verdict)
        kept = found if isinstance(found, str) else KeptOutlines.of(found)
        self._films.replace(token, now, replace(now, outlines=kept))
        return found

    def keep_stability(self, token: str, opened: OpenedFilm, stability: FilmStability) -> None:
        """Keep the stability of a film's reading, for exports, unless the film was changed meanwhile."""
        self._films.replace(token, opened, replace(opened, stability=stability))

    def reader(self, opened: OpenedFilm) -> Reader:
        """The reader of a film: the model that its visitor chose, else the default. Raises UnusableModel."""
        return self.readers(opened.model).of(opened.simulated)

    def readers(self, model: str) -> Readers:
        """The readers for a visitor's `model`, the default ones if empty. Raises UnusableModel."""
        return ByProvenance.one(self.shelf.reader(model)) if model and self.shelf else self._readers

    def choose(self, sent: object) -> RefusedPayload | bool | None:
        """Read the film behind `token` with `model` from now on, empty for the default; None if the film is gone."""
        token, model = string_field(sent, "token"), string_field(sent, "model")
        opened = self.opened(token)
        if opened is None:
            return None
        chosen = replace(opened, model=model, reading=None, stability=None, outlines=None, anyway=False)
        try:
            self.reader(chosen)  # starts loading the model
        except UnusableModel as refusal:
            return refusal_payload(refusal, "unscored")
        if opened.model != model:
            self._films.replace(token, opened, chosen)
        return True

    def take(self, film: object) -> bytes:
        """The bytes of an uploaded file that a program sent; the file is deleted. Raises MissingUpload."""
        return self._uploads.take(file_path(film))

    def read_bytes(self, data: bytes) -> tuple[DecodedFilm, Reading]:
        """Decode and read a file. Raises as `open_film` and `Reader.read` do."""
        opened = open_film(data)
        return opened, self._readers.of(opened.radiograph.simulated).read(opened.radiograph)


def _taken_as_one(pair: tuple[StudyFilm, StudyFilm], sent: object) -> bool:
    chosen = value_in(sent, "chosen")
    return is_one_study(
        *pair, together=value_in(sent, "together") is True, chosen=chosen if isinstance(chosen, bool) else None
    )


def not_opened_payload(event: gr.EventData, refusal: RefusalText) -> NotOpenedPayload:
    """The refusal of a film, for the request that asked for it."""
    return {**refusal_payload(refusal), "request": request_number(event)}


def request_number(event: gr.EventData) -> int | None:
    """The script's number of its request; None if the caller sent something else."""
    sent = value_in(event._data, "request")
    return sent if isinstance(sent, int) and is_plain(sent) else None
