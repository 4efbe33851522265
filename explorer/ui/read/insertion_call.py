"""The calls of Read's "Put a finding into this film"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from explorer.core.figures import score_text
from explorer.reading.finding_list import FindingRow
from explorer.reading.reader import Reading
from explorer.ui.read.handlers import OpenedFilm, ReadHandlers
from explorer.ui.read.insertion_payload import (
    BlindSpotsPayload,
    DosePayload,
    DoseResponsePayload,
    InsertableFindingPayload,
    InsertionPayload,
    TwoScoresPayload,
    change_payload,
    two_scores_payload,
)
from explorer.ui.shared.refusals import RefusedPayload, refusal_payload
from explorer.ui.shared.request_values import number_or_none, string_field, value_in
from models.radiograph import Radiograph
from models.refusal import Refusal

if TYPE_CHECKING:  # these bring SciPy, which the page's start does without
    from explorer.insertion.insertion import Insertion, Lungs
    from models.anatomy import Anatomy

Answer = TypeVar("Answer")


class NoPlaceForFinding(Refusal):
    """A film whose anatomy is not known: why, and what to do."""


class NotFlagged(Refusal):
    """A finding that the film's model never flags."""


@dataclass(frozen=True, slots=True, eq=False)
class FilmToChange:
    """A film that was read, also reduced, with its outlines at that size, and the finding to put into it."""

    token: str
    opened: OpenedFilm
    reading: Reading
    film: Radiograph
    reduced: Radiograph
    outlines: Anatomy
    lungs: Lungs
    wanted: Insertion


class InsertionCall:
    """Puts simulated findings into films that were read, and has the models score them again."""

    def __init__(self, reading: ReadHandlers) -> None:
        self._reading = reading

    def insertion(self, sent: object) -> InsertionPayload | RefusedPayload | None:
        """The film behind `token` with `finding`, scored by its model and by the one `beside` it, if any.

        `side`, `severity` and `point`, which may be null, say how; None if the film is gone or was not read.
        """
        return self._answer(sent, lambda asked: self._inserted(asked, string_field(sent, "beside")))

    def blind_spots(self, sent: object) -> BlindSpotsPayload | RefusedPayload | None:
        """Where the model would miss a focal `finding` of this `severity`, at up to 100 places of lungs and heart.

        None if the film is gone or was not read.
        """
        return self._answer(sent, self._missed)

    def dose_response(self, sent: object) -> DoseResponsePayload | RefusedPayload | None:
        """The scores with `finding` at one place and rising severities, by the film's model and the one `beside` it.

        None if the film is gone or was not read.
        """
        return self._answer(sent, lambda asked: self._swept(asked, string_field(sent, "beside")))

    def _answer(self, sent: object, make: Callable[[FilmToChange], Answer]) -> Answer | RefusedPayload | None:
        token = string_field(sent, "token")
        opened = self._reading.opened(token)
        if opened is None or opened.reading is None:
            return None
        try:
            return make(self._film_to_change(token, opened, opened.reading, sent))
        except Refusal as refusal:
            return refusal_payload(refusal, "unscored")

    def _film_to_change(self, token: str, opened: OpenedFilm, reading: Reading, sent: object) -> FilmToChange:
        from explorer.insertion.insertion import Lungs
        from models.perturbations.film import working_film

        film = opened.film.unpacked().radiograph
        outlines = self._reading.outlines(token, opened, film, reading.verdict)
        if isinstance(outlines, str):
            raise NoPlaceForFinding("No finding can be put into this film", f"{outlines} Open another frontal film.")
        reduced = working_film(film)
        lungs = Lungs.outlined(outlines, reduced)
        return FilmToChange(token, opened, reading, film, reduced, outlines, lungs, _wanted(sent, lungs))

    def _inserted(self, asked: FilmToChange, beside: str) -> InsertionPayload:
        from explorer.insertion.burned_mark import mark_of
        from explorer.insertion.film_change import FilmChange
        from explorer.insertion.finding_size import severity_words, size_words
        from explorer.insertion.insertion import insert
        from models.anatomy.places import place_map

        wanted, reduced = asked.wanted, asked.reduced
        change = FilmChange.between(reduced.pixels, insert(reduced.pixels, asked.lungs, wanted).film)
        changed = replace(asked.film, pixels=change.on(asked.film.pixels))
        height, width = reduced.pixels.shape
        point = None if wanted.point is None else [wanted.point[0] / width, wanted.point[1] / height]
        return {
            "stage": "insertion",
            "finding": wanted.finding,
            "side": wanted.side,
            "severity": wanted.severity,
            "severe": severity_words(wanted.finding, wanted.side, wanted.severity),
            "size": size_words(wanted.finding, wanted.side, wanted.severity),
            "point": point,
            "place": "" if point is None else place_map(asked.outlines).place(*point),
            "mark": mark_of(asked.film.simulated),
            "change": change_payload(change),
            "scores": self._scores(asked, changed, beside),
            "flagged_means": _flagged_means(asked.reading, wanted.finding),
            "choices": _choices(asked.reading, simulated=asked.film.simulated),
        }

    def _scores(self, asked: FilmToChange, changed: Radiograph, beside: str) -> list[TwoScoresPayload]:
        finding = asked.wanted.finding
        (now,) = self._reading.reader(asked.opened).score_rows([changed], name=asked.token)
        simulated = asked.film.simulated
        scores = [_two_scores(asked.reading.card.name, finding, asked.reading.rows, now, simulated=simulated)]
        if beside and self._reading.shelf:
            second = self._reading.shelf.reader(beside)
            before, after = second.score_rows([asked.film, changed], name=f"{asked.token} beside")
            scores.append(_two_scores(beside, finding, before, after, simulated=simulated))
        return scores

    def _missed(self, asked: FilmToChange) -> BlindSpotsPayload:
        from explorer.analysis.exports.insertion_sheet import blind_spot_sentence
        from explorer.insertion.believable import believable_words
        from explorer.insertion.blind_spots import blind_spots

        finding, severity = asked.wanted.finding, asked.wanted.severity
        row = _judged_row(asked.reading, finding)
        reader = self._reading.reader(asked.opened)
        found = blind_spots(
            asked.reduced,
            asked.outlines,
            finding,
            severity,
            lambda films: reader.score(films, finding, name=asked.token),
        )
        found = replace(found, without=row.score)  # as in the list, on the film that is not reduced
        height, width = asked.reduced.pixels.shape
        return {
            "stage": "blind spots",
            "finding": finding,
            "severity": severity,
            "places": [[each.point[0] / width, each.point[1] / height] for each in found.places],
            "flagged": found.flagged(row.threshold),
            "says": blind_spot_sentence(found, finding, severity, row.threshold, asked.outlines),
            "believable": believable_words(asked.reading.card.name, finding, simulated=asked.film.simulated),
        }

    def _swept(self, asked: FilmToChange, beside: str) -> DoseResponsePayload:
        from explorer.insertion.dose_response import SEVERITIES, swept_films

        films = swept_films(asked.reduced, asked.outlines, asked.wanted)
        models = [(asked.reading.card.name, self._reading.reader(asked.opened))]
        if beside and self._reading.shelf:
            models.append((beside, self._reading.shelf.reader(beside)))
        return {
            "stage": "dose response",
            "finding": asked.wanted.finding,
            "severities": list(SEVERITIES),
            "models": [
                _dose(name, asked.wanted.finding, reader.score_rows([asked.reduced, *films], name=asked.token))
                for name, reader in models
            ],
        }


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A finding's score on the film as it is, and its threshold."""

    score: float
    threshold: float


def _judged_row(reading: Reading, finding: str) -> JudgedRow:
    """The row of a finding that the model can flag. Raises NotFlagged."""
    row = next((each for each in reading.rows if each.finding == finding), None)
    model = reading.card.name
    if row is None:
        raise NotFlagged(f"{model} does not look for {finding}", "Choose another finding, or another model.")
    if not row.judged or row.threshold is None:
        raise NotFlagged(f"{model} never flags {finding}", "Choose another finding, or another model.")
    return JudgedRow(row.score, row.threshold)


def _dose(model: str, finding: str, films: Sequence[Sequence[FindingRow]]) -> DosePayload:
    """One model's scores; `films` are the rows of the film without the finding, and with it by severity."""
    from explorer.insertion.dose_response import SEVERITIES, DoseResponse, sweep_words
    from explorer.insertion.two_scores import TwoScores

    rows = [row for film in films for row in film if row.finding == finding]
    if not rows or not rows[0].judged:
        missing = TwoScores(model, finding) if not rows else TwoScores(model, finding, 0, 0, judged=False)
        return {"name": model, "scores": [], "threshold": None, "says": missing.says}
    without, *swept = (row.score for row in rows)
    found, threshold = DoseResponse(SEVERITIES, tuple(swept), without), rows[0].threshold
    says = f"{sweep_words(found, threshold)} Without it: {score_text(without)}."
    return {"name": model, "scores": swept, "threshold": threshold, "says": says}


def _wanted(sent: object, lungs: Lungs) -> Insertion:
    """The finding to insert, at a point of the reduced film if it is focal. Raises NotInsertable and NoLung."""
    from explorer.insertion.insertable import FOCAL
    from explorer.insertion.insertion import Insertion, side_at, with_fixed_place

    finding, side = string_field(sent, "finding"), string_field(sent, "side")
    severity, point = number_or_none(value_in(sent, "severity")), value_in(sent, "point")
    wanted = Insertion(finding, side, -1 if severity is None else severity)
    ends = [number_or_none(each) for each in point] if isinstance(point, list) and len(point) == 2 else []
    shares = [each for each in ends if each is not None and 0 <= each < 1]
    if finding in FOCAL and len(shares) == 2:
        height, width = lungs.right.shape
        at = shares[0] * width, shares[1] * height
        return replace(wanted, side=side_at(lungs, at), point=at)
    return with_fixed_place(lungs, wanted)


def _two_scores(
    model: str, finding: str, before: Sequence[FindingRow], after: Sequence[FindingRow], *, simulated: bool
) -> TwoScoresPayload:
    from explorer.insertion.believable import believable_words
    from explorer.insertion.two_scores import TwoScores

    rows = {row.finding: row for row in before}
    if finding not in rows:
        return two_scores_payload(TwoScores(model, finding), "")
    row, now = rows[finding], next(each for each in after if each.finding == finding)
    scores = TwoScores(model, finding, now.score, row.score, row.threshold, row.judged)
    return two_scores_payload(scores, believable_words(model, finding, simulated=simulated) if row.judged else "")


def _flagged_means(reading: Reading, finding: str) -> str:
    from explorer.insertion.two_scores import flagged_meaning

    row = next((each for each in reading.rows if each.finding == finding and each.judged), None)
    return "" if row is None or row.band is None else flagged_meaning(row.threshold, row.band.high)


def _choices(reading: Reading, *, simulated: bool) -> list[InsertableFindingPayload]:
    from explorer.insertion.believable import is_believable
    from explorer.insertion.insertable import FOCAL, INSERTABLE

    judged = {row.finding: row.judged for row in reading.rows}

    def note(finding: str) -> str:
        if not judged.get(finding):
            return "cannot be judged" if finding in judged else "not scored"
        return "" if is_believable(reading.card.name, finding, simulated=simulated) else "not validated"

    return [{"finding": each, "focal": each in FOCAL, "note": note(each)} for each in INSERTABLE]
