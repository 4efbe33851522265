"""The phantom models' scores of a simulated film and its twin, with the known truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.asking.answer import FilmAnswer, MarginMap
from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.core.findings import FINDINGS
from explorer.core.outcomes import outcome_of
from explorer.reading.anatomy import map_places
from explorer.reading.anatomy_json import MapPlaceAnswer, map_place_answer
from explorer.reading.finding_json import MapWorthAnswer, map_payload, rate_payload
from explorer.reading.finding_list import FindingRow
from explorer.reading.heat_share import share_inside
from explorer.reading.map_worth import map_accuracy, map_unit
from explorer.reading.reader import InputBox, MappedFilm, Reader, Reading
from explorer.runtime.cached import RecentAnswers
from explorer.school.preparing.model_scores import stored_thresholds
from explorer.simulator.address import PhantomFilm
from explorer.simulator.film_png import FILM_SIZE, render_film, simulated_png
from explorer.simulator.request import NORMAL
from explorer.ui.simulate.beside import BesideScoresPayload, read_beside
from explorer.ui.simulate.film_requests import film_address, twin_film
from explorer.ui.simulate.missed import miss_rates, scored_cohort
from explorer.ui.simulate.payload import (
    FalseAlarmPayload,
    HeatsPayload,
    JudgementPayload,
    MissedPayload,
    ModelScorePayload,
)
from explorer.ui.simulate.severity_sweep import SeveritySweepPayload, severity_sweep
from explorer.ui.viewer.payload import box_payload, packed_heat
from models.anatomy import Anatomy
from models.cards.card import Card, UnusableModel
from models.cards.vlm_card import VlmCard
from models.radiograph import Radiograph, read_radiograph
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.store.store import Store

CACHE_SIZE = 24  # readings, and as many sets of maps


class PhantomModels:
    """The two phantom models: both score the ordered findings, and the classifier scores all others too."""

    def __init__(self, reader: Reader, asker: Asker, store: Store) -> None:
        self._reader = reader
        self._asker = asker
        self._store = store
        self._read: RecentAnswers[Reading] = RecentAnswers(CACHE_SIZE)
        self._maps: RecentAnswers[MappedFilm] = RecentAnswers(CACHE_SIZE)

    @property
    def loading(self) -> bool:
        return self._reader.loading or self._asker.loading

    def classifier(self, film: PhantomFilm) -> JudgementPayload:
        """The classifier on the film and its twin. Raises UnusableModel, QueueFull."""
        _check(self._reader.card)
        reading, beside = self._reading(film), self._reading(twin_film(film))
        card, findings = reading.card, [each.finding for each in film.requests]
        rows, twins = ({row.finding: row for row in each.rows} for each in (reading, beside))
        known = [finding for finding in findings if finding in rows]
        return {
            "stage": "said",
            "model": {"name": card.name, "title": card.title, "device": reading.device},
            "refused": "" if reading.verdict.readable else reading.verdict.reason,
            "rows": [_row(each, rows[each], twins[each]) for each in known],
            "unknown": [finding for finding in findings if finding not in rows],
            "false_alarms": [_alarm(row, twins[row.finding]) for row in reading.rows if _is_alarm(row, findings)],
            "heat": self._heat(film, known, card),
            "missed": self._missed(card.name, card.sha256, film, known),
        }

    def beside(self, film: PhantomFilm, how: str) -> BesideScoresPayload:
        """The classifier on the same patient imaged in another way. Raises UnusableModel, QueueFull, WrongRequest."""
        _check(self._reader.card)
        return read_beside(film, how, self._reader)

    def sweep(self, film: PhantomFilm, finding: str) -> SeveritySweepPayload:
        """Both models on one finding of a film, from subtle to obvious.

        Raises WrongRequest, UnusableModel, QueueFull, WrongQuestion.
        """
        _check(self._reader.card)
        _check(self._asker.card)
        return severity_sweep(film, finding, self._reader, self._asker, self._thresholds(self._asker.card))

    def text_model(self, film: PhantomFilm) -> JudgementPayload:
        """The image-text model on the film and its twin. Raises UnusableModel, QueueFull, WrongQuestion."""
        _check(self._asker.card)
        findings = [each.finding for each in film.requests]
        asked, twins = self._asked(film, findings), self._asked(twin_film(film), findings)
        card = self._asker.card
        cuts = {each: answer.threshold_score for each, answer in asked.items()} | self._thresholds(card)
        pairs = {each: (asked[each].heat, twins[each].heat) for each in findings}
        drawn = {each: (own, other) for each, (own, other) in pairs.items() if own is not None and other is not None}
        return {
            "stage": "said",
            "model": {"name": card.name, "title": card.title},
            "refused": "",
            "rows": [_asked_row(each, asked[each], twins[each], cuts[each]) for each in findings],
            "unknown": [],
            "false_alarms": [],
            "heat": _text_heats(film, drawn, card),
            "missed": self._missed(card.name, card.sha256, film, findings),
        }

    def _thresholds(self, card: VlmCard) -> dict[str, float]:
        """The thresholds that lessons and Explore use for these weights; none if they have scored no cohort."""
        try:
            found = scored_cohort(self._store, card.name, card.sha256)
            return {} if found is None else stored_thresholds(self._store, found[0].name, found[1])
        except Refusal:
            return {}

    def _reading(self, film: PhantomFilm) -> Reading:
        where = film_address(film)
        return self._read.get(where, lambda: self._reader.read(film_radiograph(where), name=where))

    def _heat(self, film: PhantomFilm, findings: Sequence[str], card: Card) -> HeatsPayload | None:
        """The classifier's maps of film and twin; None if it looks for none of the findings."""
        if not findings:
            return None
        own, twins = (self._mapped(each, findings) for each in (film, twin_film(film)))
        worth = {each: map_payload(map_accuracy(card.maps, each), each) for each in findings}
        return _heats(film, findings, own.heat.maps, twins.heat.maps, own.heat.box, card, worth)

    def _mapped(self, film: PhantomFilm, findings: Sequence[str]) -> MappedFilm:
        where = film_address(film)
        return self._maps.get(
            (where, *findings), lambda: self._reader.heat(film_radiograph(where), findings, name=where)
        )

    def _asked(self, film: PhantomFilm, findings: Sequence[str]) -> Mapping[str, FilmAnswer]:
        reading, film_file = self._reading(film), film_radiograph(film_address(film))
        answers: dict[str, FilmAnswer] = {}
        for finding in findings:
            before = next(iter(answers.values())).embedding if answers else None
            answers[finding] = self._asker.ask(
                film_file, reading, checked_question(finding), anyway=True, embedding=before
            )
        return answers

    def _missed(
        self, name: str, sha256: str | None, film: PhantomFilm, findings: Sequence[str]
    ) -> MissedPayload | None:
        found = miss_rates(self._store, name, sha256, film.center)
        if found is None:
            return None
        return {
            "cohort": found.cohort.name,
            "version": found.cohort.version,
            "thresholds": found.model.thresholds,
            "split": found.model.split,
            "center": found.center,
            "origin": found.origin,
            "findings": {each: rate_payload(found.findings[each]) for each in findings if each in found.findings},
        }


def _check(card: Card | VlmCard) -> None:
    """Raise UnusableModel for a model of patients' films, whose scores of simulated ones mean nothing."""
    if card.films != "simulated":
        raise UnusableModel(
            "No phantom model is loaded",
            f"{card.name} was trained on patients' films and is not used here. Film, masks and twin are still shown.",
        )


@lru_cache(maxsize=4)  # film and twin, for two models
def film_radiograph(where: str) -> Radiograph:
    """The film of an address, decoded from its file's bytes like any other film."""
    return read_radiograph(simulated_png(where))


def _row(finding: str, row: FindingRow, twin: FindingRow) -> ModelScorePayload:
    return {
        "finding": finding,
        "score": row.score,
        "threshold": row.threshold,
        "band": [row.band.low, row.band.high] if row.band else None,
        "outcome": outcome_of("present", row.score, row.threshold),
        "doubt": row.state if row.state in ("unsure", "cannot judge") else "",
        "seen": FINDINGS[finding].task == "seen",
        "why": row.rule or "",
        "twin": {"score": twin.score, "outcome": outcome_of("absent", twin.score, twin.threshold)},
    }


def _asked_row(finding: str, asked: FilmAnswer, twin: FilmAnswer, threshold: float) -> ModelScorePayload:
    return {
        "finding": finding,
        "score": asked.score,
        "threshold": threshold,
        "band": None,
        "outcome": outcome_of("present", asked.score, threshold),
        "doubt": "cannot judge" if asked.verdict == "cannot judge" else "",
        "seen": asked.in_captions is not False,
        "why": asked.why,
        "twin": {"score": twin.score, "outcome": outcome_of("absent", twin.score, threshold)},
    }


def _is_alarm(row: FindingRow, findings: Sequence[str]) -> bool:
    return bool(row.above) and row.judged and row.finding != NORMAL and row.finding not in findings


def _alarm(row: FindingRow, twin: FindingRow) -> FalseAlarmPayload:
    return {"finding": row.finding, "score": row.score, "threshold": row.threshold, "twin": bool(twin.above)}


def _text_heats(
    film: PhantomFilm, drawn: Mapping[str, tuple[MarginMap, MarginMap]], card: VlmCard
) -> HeatsPayload | None:
    """The text model's maps of film and twin by finding; None if there are none."""
    if not drawn:
        return None
    (first, _), *_ = drawn.values()
    own, twins = (np.stack([each.map for each in column]) for column in zip(*drawn.values(), strict=True))
    worth = {each: map_payload(map_accuracy(card.maps, each), each) for each in drawn}
    return _heats(film, list(drawn), own, twins, first.box, card, worth)


def _heats(
    film: PhantomFilm,
    findings: Sequence[str],
    maps: NDArray[np.float32],
    others: NDArray[np.float32],
    box: InputBox,
    card: Card | VlmCard,
    worth: Mapping[str, MapWorthAnswer],
) -> HeatsPayload:
    masks = render_film(film_address(film)).masks
    return {
        "findings": list(findings),
        "maps": packed_heat(maps),
        "twin": packed_heat(others),
        "grid": maps.shape[-1],
        "box": box_payload(box),
        "heat_maximum": card.heat_maximum,
        "unit": map_unit(card.heat_method) if isinstance(card, Card) else "margin",
        "worth": dict(worth),
        "inside": {
            finding: {"heat": share_inside(heat, box, masks[finding]), "mask": float(masks[finding].mean())}
            for finding, heat in zip(findings, maps, strict=True)
        },
        "places": {
            "film": _places(film, findings, maps, box),
            "twin": _places(twin_film(film), findings, others, box),
        },
    }


def _places(
    film: PhantomFilm, findings: Sequence[str], maps: NDArray[np.float32], box: InputBox
) -> list[MapPlaceAnswer]:
    """Return where each map is hottest, by the exact outlines of the simulated anatomy."""
    from explorer.simulator.anatomy_masks import anatomy_masks  # brings SciPy

    outlines = Anatomy(anatomy_masks(film.seed, film.requests, film.center, FILM_SIZE, film.drawing), "")
    places = map_places(outlines, findings, maps, box)
    return [map_place_answer(*each) for each in zip(findings, places, strict=True)]
