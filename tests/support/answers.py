"""What the server answers, made by the server's own code from small films and cases: examples for browser tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.case_facts import CaseFacts, CaseMistakes, EqualLabels, ModelScores
from explorer.analysis.cases.cohort_context import SimilarCase
from explorer.analysis.cases.neighbors import NearCase
from explorer.asking import answer as asking
from explorer.asking.predicted import predict_share
from explorer.asking.question import Question
from explorer.asking.spread import PromptScore, PromptSpread
from explorer.cohorts.images import Images
from explorer.cohorts.manifest import Manifest, ModelManifest
from explorer.cohorts.schema import Label
from explorer.core.figures import Estimate
from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.rates import Rate
from explorer.reading.finding_list import FindingRow
from explorer.reading.percentiles import Percentile
from explorer.reading.reader import DecodedFilm, MappedFilm, Reading
from explorer.store.results import Box, Case, CaseLine, FindingScore
from explorer.store.slices import Slice
from explorer.ui.ask.payload import asked_payload
from explorer.ui.explore.case_film import missing_film
from explorer.ui.explore.case_payload import facts_payload, near_cases_payload, other_models_payload
from explorer.ui.shared.refusals import RefusalStage, refusal_payload
from explorer.ui.viewer import payload
from models.cards.classifier_card import classifier_card
from models.films.amend import Remedy
from models.gate.judgment import Verdict
from models.gate.verdict import VerdictDetails
from models.radiograph import Radiograph
from models.refusal import Refusal

Json = dict[str, Any]
FINDINGS = ("Mass", "Pleural Thickening", "Nodule")
READABLE = Verdict(True, "", VerdictDetails(None, "", None, {}))


@dataclass(frozen=True)
class Square:
    """Where a film lies in the square of `size` pixels that its maps cover."""

    size: int
    inner: tuple[int, int]

    @property
    def offset(self) -> tuple[int, int]:
        return (self.size - self.inner[0]) // 2, (self.size - self.inner[1]) // 2


@dataclass(frozen=True)
class FilmMaps:
    """Maps (k, g, g) of a film."""

    maps: NDArray[np.float32]
    box: Square


def changed(made: Mapping[str, Any], changes: Mapping[str, object]) -> Json:
    """The answer as the script gets it, with other values of what it holds; it never holds anything else."""
    assert changes.keys() <= made.keys(), changes.keys() - made.keys()
    answer: Json = json.loads(json.dumps(dict(made)))
    return {**answer, **changes}


def film_answer(pixels: NDArray[np.float32], **changes: object) -> Json:
    """A film with pixels (h, w) in [0, 1], as the viewer gets it."""
    shape = (pixels.shape[0], pixels.shape[1])
    film = Radiograph(pixels, "PA", None, None, 0.0, None, "png", shape, (), "0123456789abcdef", "assumed")
    return changed(payload.film_payload(DecodedFilm(film, 1.0)), changes)


SCALED = replace(classifier_card("nih-mini"), heat_maximum=0.5)


def reading(*rows: FindingRow) -> Reading:
    """A film that can be read."""
    return Reading(READABLE, rows, np.zeros(4, np.float32), SCALED, "cpu", 0.0, 0.0, 0.0)


def opinion_answer(read: Reading, **changes: object) -> Json:
    """What a model says of a film."""
    return changed(payload.opinion_payload(read, far=False), changes)


def heat_answer(
    findings: Sequence[str], maps: NDArray[np.float32], size: int, inner: tuple[int, int]
) -> payload.FilmHeatPayload:
    """Maps (findings, g, g) over a square input of `size` pixels, in which the film covers `inner`, centered."""
    return payload.heat_payload(MappedFilm(tuple(findings), FilmMaps(maps, Square(size, inner)), None, 0.0), SCALED)


def verdict_answer(reason: str = "", advice: str = "", remedy: Remedy | None = None) -> Json:
    """What the gate says of a film; with a reason it is refused."""
    return changed(payload.verdict_payload(Verdict(not reason, reason, VerdictDetails(None, advice, remedy, {}))), {})


def refusal_answer(title: str, detail: str, stage: RefusalStage = "refused") -> Json:
    """A refusal in the place of an answer."""
    return changed(refusal_payload(Refusal(title, detail), stage), {})


def manifest(model: str, split: str, thresholds: str) -> ModelManifest:
    """A model that has scored the cohort of `case_facts`."""
    return ModelManifest(model, model, None, "none", split, FINDINGS, {}, 3, 0, thresholds)


def scored(finding: str, score: float, threshold: float | None, label: Label, outcome: Outcome | None) -> FindingScore:
    """A row of a case."""
    return FindingScore("nih-mini", finding, score, threshold, label, outcome, 0.0)


SCORES = (
    scored("Mass", 0.12, 0.5, "present", Outcome.MISS),
    scored("Nodule", 0.81, 0.5, "absent", Outcome.FALSE_ALARM),
    scored("Pleural Thickening", 0.7, 0.5, "present", Outcome.HIT),
    scored("Hernia", 0.4, None, "unknown", None),
    scored("Fibrosis", 0.1, 0.5, "absent", Outcome.CORRECT_REJECTION),
)
CASE = Case(
    "one", "one", "NIH", "PA", "F", 57, None, "nih", "images_001/00000013_005.png", ("Mass", "Pleural Thickening"),
    False, None, None, 1024, 1024, (), SCORES, (Box("Mass", 0.25, 0.5, 0.25, 0.125, "drawn by a radiologist"),),
)  # fmt: skip
COHORT = Manifest("nih-oof", "Films of NIH", "made", "v1", 3, True, "absent")


FACTS = CaseFacts(
    case=CASE,
    finding="Mass",
    in_slice=True,
    chosen=ModelScores(manifest("nih-mini", "out of fold", "Youden's J"), SCORES, None),
    others=(ModelScores(manifest("other", "", "fixed"), SCORES[:2], None),),
    instead=CaseMistakes(("Mass",), ("Nodule",), ()),
    explained={"Nodule": ("Granuloma",)},
    labels=(
        EqualLabels("present", "mined from reports", True, ("Mass", "Pleural Thickening")),
        EqualLabels("absent", "mined from reports", True, ("Fibrosis", "Nodule")),
    ),
)
GROUPS = dict.fromkeys((each.finding for each in SCORES), FrequencyGroup.RARE)


def case_facts(**changes: object) -> Json:
    """What is known of a film with a missed Mass."""
    made = facts_payload(FACTS, COHORT, Slice("nih-oof", "nih-mini"), GROUPS, "SELECT 1", others=1, here=True)
    return changed(made, changes)


def case_others() -> Json:
    """What another model says of it."""
    return changed(other_models_payload(FACTS, GROUPS), {})


def near_cases(*ids: str, thumb: str) -> Json:
    """The nearest cases, each with a picture at the address `thumb`."""
    alike = [
        SimilarCase(
            NearCase(each, 0.12, Rate(93, 100), False),
            CaseLine(each, each, "NIH", "PA", "F", 57, None, None, f"folder/{each}.png", ("Mass",), False),
            {"Mass": SCORES[2], "Nodule": SCORES[4]},
        )
        for each in ids
    ]
    made = json.loads(json.dumps(near_cases_payload("nih-oof", "nih-mini", alike, Images({}))))
    return changed(made, {"cases": [changed(each, {"thumb": thumb}) for each in made["cases"]]})


def no_film() -> Json:
    """What stands in the place of a film whose folder was not given."""
    return changed(missing_film("nih-oof", "nih", given=False), {})


def answer_of(question: str) -> asking.FilmAnswer:
    """A question answered: flagged, in a text that was tested, in the model's captions, with a map."""
    put = ((question, 0.74, 88.0, False), ("there is " + question, 0.66, 80.0, False), ("effusion", 0.58, 70.5, True))
    prompts = tuple(PromptScore(each, "no " + each, score, place, other) for each, score, place, other in put)
    heat = np.zeros((4, 4), np.float32)
    heat[2, 1] = 0.04
    taken = asking.NearFinding("Pleural Effusion", 0.82)
    measured = asking.TextMeasurement(
        "Pleural Effusion", "1,650 films of NIH, out of fold", 1650, 150, Estimate(0.71, 0.66, 0.76),
        Estimate(0.22, 0.18, 0.27), Rate(105, 150), Rate(1200, 1500),
    )  # fmt: skip
    found = predict_share(True, measured.sensitivity, measured.specificity)
    assert found is not None
    return asking.FilmAnswer(
        question=Question(question),
        scored=question,
        templates=(),
        verdict="possible",
        said=found.words,
        why="At or above the threshold, as are 20 % [18-22] of 1,500 films not labeled so. Prevalence 9.09 %.",
        predicted=found,
        far=False,
        margin=0.044,
        score=0.71,
        threshold=0.01,
        threshold_score=0.55,
        threshold_rule="Youden's J of this text on 1,650 validation films, 150 with the finding",
        fitted=True,
        spread=PromptSpread("percentile", (0.0, 100.0), 83.2, 62.5, prompts),
        percentile=Percentile(83.2, 1650),
        nearest=(taken, asking.NearFinding("Hydropneumothorax", 0.61)),
        taken_for=taken,
        warnings=(),
        in_captions=True,
        measured=measured,
        beside=asking.ClassifierScore("nih-mini", "Pleural Effusion", 0.44, 0.39, Percentile(71.0, 1650), 12.2, True),
        heat=asking.MarginMap(heat, Square(160, (160, 120)), 0.05),
        no_heat="",
        embedding=np.zeros(4, np.float32),
        model="tiny",
        device="cpu",
        times=asking.AnswerTimes(0.1, 0.2, 12.0, 3.0),
    )


def asked_answer(question: str, **changes: object) -> Json:
    """The same as the script of Ask gets it."""
    return changed(asked_payload(answer_of(question), "Tiny", simulated=False), changes)
