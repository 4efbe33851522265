"""What the phantom models say of one finding of a simulated film, from subtle to obvious; all else stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypedDict

from explorer.asking.asker import Asker
from explorer.asking.question import checked_question
from explorer.insertion.dose_response import SEVERITIES, DoseResponse, sweep_words
from explorer.reading.reader import Reader
from explorer.simulator import WrongRequest
from explorer.simulator.address import PhantomFilm
from explorer.simulator.film_png import simulated_png
from models.radiograph import read_radiograph


class SweptModelPayload(TypedDict):
    """A model's scores by severity; `without`: the film without this finding; `says`: where it is flagged."""

    name: str
    scores: list[float]
    without: float
    threshold: float | None
    says: str


class SeveritySweepPayload(TypedDict):
    """The scores of one finding of a film at rising severities, by model."""

    stage: Literal["sweep"]
    finding: str
    severities: list[float]
    models: list[SweptModelPayload]


def severity_sweep(
    film: PhantomFilm, finding: str, reader: Reader, asker: Asker, thresholds: Mapping[str, float]
) -> SeveritySweepPayload:
    """Score a film without one of its findings and with it at each severity; `thresholds` are the image-text model's.

    Raises WrongRequest, UnusableModel, QueueFull, WrongQuestion.
    """
    if finding not in {each.finding for each in film.requests}:
        raise WrongRequest(f"This film has no {finding}", "Add the finding first.")
    read, asked = _Swept(reader.card.name), _Swept(asker.card.name)
    for each in swept_films(film, finding):
        radiograph = read_radiograph(simulated_png(each.address))
        reading = reader.read(radiograph, name=each.address)
        row = next((row for row in reading.rows if row.finding == finding), None)
        if row is not None:
            read.add(row.score, row.threshold, row.judged)
        answer = asker.ask(radiograph, reading, checked_question(finding), anyway=True)
        cut = thresholds.get(finding, answer.threshold_score)
        asked.add(answer.score, cut, answer.verdict != "cannot judge")
    return {
        "stage": "sweep",
        "finding": finding,
        "severities": list(SEVERITIES),
        "models": [each.payload(finding) for each in (read, asked) if each.scores],
    }


def swept_films(film: PhantomFilm, finding: str) -> list[PhantomFilm]:
    """Return the film without a finding, then with it at each severity."""

    def at(severity: float) -> PhantomFilm:
        changed = (replace(each, severity=severity) if each.finding == finding else each for each in film.requests)
        return replace(film, requests=tuple(changed))

    without = replace(film, requests=tuple(each for each in film.requests if each.finding != finding))
    return [without, *map(at, SEVERITIES)]


@dataclass(slots=True)
class _Swept:
    """One model's scores of the film without the finding, then with it at each severity."""

    name: str
    scores: list[float] = field(default_factory=list)
    threshold: float | None = None
    judges: bool = False  # whether it judges the finding on any of these films

    def add(self, score: float, threshold: float | None, judged: bool) -> None:
        self.scores.append(score)
        self.threshold = threshold
        self.judges |= judged

    def payload(self, finding: str) -> SweptModelPayload:
        without, *swept = self.scores
        found = DoseResponse(SEVERITIES, tuple(swept), without)
        says = sweep_words(found, self.threshold) if self.judges else f"It cannot judge {finding}."
        threshold = self.threshold if self.judges else None
        return {"name": self.name, "scores": swept, "without": without, "threshold": threshold, "says": says}
