"""The handlers of the Ask tab's script and of the `/ask` endpoint."""

# No postponed annotations: Gradio reads the return type of `AskHandlers.answer` to describe its endpoint.

import threading

import gradio as gr

from explorer.asking.answer_json import AskAnswer, ask_payload
from explorer.asking.asker import Asker, Askers
from explorer.asking.csv_export import answers_csv
from explorer.asking.predicted import WrongPrevalence, parse_prevalence
from explorer.asking.question import Question, WrongQuestion, cut_question, template_lines
from explorer.asking.verdict import at_prevalence
from explorer.reading.reader import Reading
from explorer.runtime.fair_queue import QueueFull
from explorer.ui.ask.payload import (
    AskedModelPayload,
    AskedPayload,
    NotAskedPayload,
    PrevalenceVerdictPayload,
    asked_payload,
    prevalence_verdict_payload,
)
from explorer.ui.read.handlers import ReadHandlers
from explorer.ui.read.payload import ExportPayload, ProgressPayload
from explorer.ui.shared.refusals import RefusedPayload, gradio_error, refusal_payload
from explorer.ui.shared.request_values import string_field, value_in
from explorer.ui.viewer.payload import verdict_payload
from models.cards.card import UnusableModel
from models.refusal import Refusal


class RefusedFilm(Refusal):
    """The gate refused the film and the caller did not overrule it: `title` says why, `detail` what to do."""

    def __init__(self, reading: Reading) -> None:
        advice = f"{reading.verdict.details.advice} To ask anyway: anyway=True.".strip()
        super().__init__(reading.verdict.reason, advice)


class AskHandlers:
    """Asks about the open films and remembers each film's questions."""

    def __init__(self, askers: Askers, read_handlers: ReadHandlers) -> None:
        self._askers = askers
        self._read = read_handlers
        self._keeping = threading.Lock()  # guards the films' lists of answers

    def ask(self, sent: object) -> AskedPayload | NotAskedPayload | RefusedPayload | None:
        """Answer the question `text` about the film behind `token`, with the visitor's `templates` or the model's.

        Returns a refusal if there is no answer; None if the film is gone.
        """
        token = string_field(sent, "token")
        opened = self._read.opened(token)
        if opened is None:
            return None
        try:
            question = _sent_question(sent)
            reading = self._read.reading(token, opened)
            if not (reading.verdict.readable or opened.anyway):
                return {"stage": "refused", "verdict": verdict_payload(reading.verdict)}
            before = opened.answers[-1].embedding if opened.answers else None
            film = opened.film.unpacked().radiograph
            asker = self._askers.of(film.simulated)
            far = bool(self._read.joiner.is_far(reading))
            answer = asker.ask(film, reading, question, token, anyway=opened.anyway, embedding=before, far=far)
            outlines = self._read.outlines(token, opened, film, reading.verdict) if answer.heat else ""
        except (WrongQuestion, UnusableModel, QueueFull) as refusal:
            return refusal_payload(refusal, "unscored")
        with self._keeping:
            opened.answers.append(answer)
        return asked_payload(answer, asker.card.title, simulated=film.simulated, outlines=outlines)

    def ask_at(self, sent: object) -> PrevalenceVerdictPayload | RefusedPayload | None:
        """The answer to `text` with `templates`, judged again at the given `prevalence`.

        `prevalence` is a percentage as typed; if empty, that of the labeled films. Returns a refusal if it makes no
        sense; None if the film is gone.
        """
        opened = self._read.opened(string_field(sent, "token"))
        if opened is None:
            return None
        try:
            question, prevalence = _sent_question(sent), parse_prevalence(value_in(sent, "prevalence"))
        except (WrongQuestion, WrongPrevalence) as refusal:
            return refusal_payload(refusal, "wrong")
        with self._keeping:
            found = [number for number, each in enumerate(opened.answers) if each.question == question]
            if not found:
                return refusal_payload(WrongQuestion("This question is no longer kept", "Ask it again."), "wrong")
            answer = at_prevalence(opened.answers[found[-1]], prevalence)
            opened.answers[found[-1]] = answer
        return prevalence_verdict_payload(answer)

    def ask_about(self, token: object) -> AskedModelPayload | RefusedPayload:
        """Name and templates of the model that answers about a film. Starts loading it."""
        try:
            card = self._asker(token).card
        except UnusableModel as refusal:
            return refusal_payload(refusal, "unscored")
        return {"model": card.name, "title": card.title, "templates": template_lines(card.templates)}

    def ask_progress(self, token: object) -> ProgressPayload:
        """Whether the model is still loading, and how many questions are ahead of this film's."""
        asker = self._asker(token)
        return {"loading": asker.loading, "ahead": asker.ahead(str(token))}

    def export_asked(self, token: object) -> ExportPayload | None:
        """A film's questions and answers as CSV; None if the film is gone or was never asked about."""
        opened = self._read.opened(token)
        if opened is None or not opened.answers or opened.reading is None:
            return None
        return {
            "text": answers_csv(opened.film.facts, opened.reading, list(opened.answers)),
            "type": "text/csv",
        }

    def answer(
        self, film: gr.FileData, text: str, templates: str = "", anyway: bool = False, prevalence: str = ""
    ) -> AskAnswer:
        """Ask about one finding on one radiograph. `templates`: own lines, "{} | no {}". Not for medical use.

        `prevalence`: % of the films read that have the finding, "12.5"; empty: as among the model's labeled films.
        """
        try:
            data = self._read.take(film)  # first, so that the upload is deleted whatever happens
            question = cut_question(_text(text, "The finding"), _text(templates, "The templates") or None)
            share = parse_prevalence(prevalence)
            opened, reading = self._read.read_bytes(data)
            if not (reading.verdict.readable or anyway is True):
                raise RefusedFilm(reading)
            radiograph = opened.radiograph
            asker = self._askers.of(radiograph.simulated)
            far = bool(self._read.joiner.is_far(reading))
            answer = asker.ask(radiograph, reading, question, anyway=anyway is True, prevalence=share, far=far)
            return ask_payload(answer, simulated=radiograph.simulated)
        except Refusal as refusal:
            raise gradio_error(refusal) from refusal

    def _asker(self, token: object) -> Asker:
        """The asker for the film behind a token; if there is no such film, the asker for patients' films."""
        opened = self._read.opened(token)
        return self._askers.of(opened is not None and opened.simulated)


def _sent_question(sent: object) -> Question:
    """The question that the page's script sent. Raises WrongQuestion."""
    templates = value_in(sent, "templates")
    return cut_question(string_field(sent, "text"), templates if isinstance(templates, str) else None)


def _text(sent: object, what: str) -> str:
    """A string that a program sent. Raises WrongQuestion if it is not one, because Gradio accepts any type."""
    if not isinstance(sent, str):
        raise WrongQuestion(f"{what} must be text", "Send it as a string.")
    return sent
