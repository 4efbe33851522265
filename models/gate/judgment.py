"""May the model read this film? In words: what the image seems to be, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from models.array_types import Float32
from models.cards.card import Card
from models.films.amend import TURNS, Remedy, amended
from models.gate import checks
from models.gate.film_looks import AS_IT_IS, WAYS, Way, look, thumbnail
from models.gate.heart_side import MIRRORED, seems_mirrored
from models.gate.simulated import simulated_after_all
from models.gate.statistics import Statistics, statistics, strangeness
from models.gate.verdict import Check, Details, GateRefusal, Verdict, readable, refused
from models.radiograph import Radiograph

__all__ = ["Check", "JudgedClassifier", "Details", "Remedy", "Verdict", "judge"]


ON_ITS_SIDE = "The film seems to lie on its side, and the model was trained on upright films."
NO_CHEST_FILM = GateRefusal(
    "not a frontal chest film",
    "The image does not look like a frontal chest film: it lies too far from the films the model was trained on.",
    "Choose a frontal chest film, whole and by itself.",
)
HELD_WRONG: dict[Remedy, GateRefusal] = {
    "invert": GateRefusal(
        "inverted",
        "The film seems to be inverted: air is bright and bone is dark, the reverse of what the model was trained on.",
        "Invert it, then read it.",
        "invert",
    ),
    "turn left": GateRefusal("turned", ON_ITS_SIDE, "Turn it left, then read it.", "turn left"),
    "turn right": GateRefusal("turned", ON_ITS_SIDE, "Turn it right, then read it.", "turn right"),
    "turn around": GateRefusal(
        "turned",
        "The film seems to be upside down, and the model was trained on upright films.",
        "Turn it around, then read it.",
        "turn around",
    ),
}


class JudgedClassifier(Protocol):
    """What the gate needs of a model; `models.classifier.classifier.Classifier` is one."""

    @property
    def card(self) -> Card: ...
    def features(self, radiographs: Sequence[Radiograph]) -> Float32: ...


def judge(radiograph: Radiograph, classifier: JudgedClassifier, features: Float32 | None = None) -> Verdict:
    """Whether `classifier` may read a film; `features` (d,) are its own of this film where they are at hand.

    The header is asked first, then the picture; of a card without gate statistics only simple checks are made. A film
    that seems inverted or turned is looked at once more the other way: only what would then be read gets that remedy.
    One that seems mirrored is read with a caution: the heart does lie on the right in some people.
    Raises UnusableModel where the statistics that the card names are missing, damaged or another model's.
    """
    figures: dict[str, float] = {}
    refusal = (
        checks.provenance(radiograph, classifier.card)
        or checks.own_capture(radiograph)
        or checks.body_part(radiograph)
        or checks.view(radiograph, classifier.card)
        or checks.color(radiograph, figures)
    )
    if refusal is not None:
        return refused(refusal, figures, checks.size(radiograph))
    thumb = thumbnail(radiograph.pixels)
    known = statistics(classifier.card)
    refusal = checks.blank(thumb, figures) or checks.noise(thumb, figures)
    if refusal is None and known is not None:
        refusal = _by_looks(radiograph, look(thumb), known, classifier, features, figures)
    if refusal is NO_CHEST_FILM or (refusal is None and known is None):
        refusal = checks.document(radiograph, figures) or refusal
    if refusal is not None:
        return refused(refusal, figures, checks.size(radiograph))
    if known is not None and seems_mirrored(thumb, figures):
        return readable(figures, (*checks.size(radiograph), MIRRORED), "mirror")
    return readable(figures, checks.size(radiograph))


def _by_looks(
    radiograph: Radiograph,
    own: Float32,
    known: Statistics,
    classifier: JudgedClassifier,
    features: Float32 | None,
    figures: dict[str, float],
) -> GateRefusal | None:
    """Hold the film the way it looks best: is it a chest film then, and had it to be changed for that?"""
    distances = known.distances(own)
    way = WAYS[int(distances.argmin())]
    if way != AS_IT_IS or features is None:
        features = classifier.features([_changed(radiograph, way)])[0]
    strange = float(strangeness(distances.min(), known.away(features)))
    figures |= {"strangeness": strange, "strangeness cut": known.cut}
    if strange > known.cut:
        return NO_CHEST_FILM
    if way != AS_IT_IS:
        return HELD_WRONG[_remedies(way)[0]]
    return simulated_after_all(own, way, float(distances.min()), classifier.card, figures)


def _changed(radiograph: Radiograph, way: Way) -> Radiograph:
    for remedy in _remedies(way):
        radiograph = amended(radiograph, remedy)
    return radiograph


def _remedies(way: Way) -> tuple[Remedy, ...]:
    turn = tuple(remedy for remedy, turns in TURNS.items() if turns == way.turns)
    return ("invert", *turn) if way.inverted else turn
