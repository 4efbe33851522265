"""Judges whether a model may read a film, and says what the image seems to be and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from models.array_types import Float32
from models.cards.card import Card
from models.films.amend import TURNS, Remedy, apply_remedy
from models.gate import checks
from models.gate.film_looks import IDENTITY, TRANSFORMS, FilmTransform, film_look, thumbnail
from models.gate.heart_side import MIRRORED_CAUTION, seems_mirrored
from models.gate.simulated import check_simulated_look
from models.gate.statistics import GateStatistics, gate_statistics, strangeness
from models.gate.verdict import CheckName, GateRefusal, Verdict, VerdictDetails, readable_verdict, refused_verdict
from models.radiograph import Radiograph

__all__ = ["CheckName", "JudgedClassifier", "VerdictDetails", "Remedy", "Verdict", "judge"]


ON_ITS_SIDE_REASON = "The film seems to lie on its side, and the model was trained on upright films."
NO_CHEST_FILM = GateRefusal(
    "not a frontal chest film",
    "The image does not look like a frontal chest film: it is too far from the films the model was trained on.",
    "Choose a frontal chest film, complete and on its own. A lateral film is not a frontal one.",
)
TRANSFORM_REFUSALS: dict[Remedy, GateRefusal] = {
    "invert": GateRefusal(
        "inverted",
        "The film seems to be inverted: air is bright and bone is dark, the reverse of the model's training films.",
        "Invert it, then read it.",
        "invert",
    ),
    "turn left": GateRefusal("turned", ON_ITS_SIDE_REASON, "Turn it left, then read it.", "turn left"),
    "turn right": GateRefusal("turned", ON_ITS_SIDE_REASON, "Turn it right, then read it.", "turn right"),
    "turn around": GateRefusal(
        "turned",
        "The film seems to be upside down, and the model was trained on upright films.",
        "Turn it around, then read it.",
        "turn around",
    ),
}


class JudgedClassifier(Protocol):
    """What the gate needs from a model; `models.classifier.classifier.Classifier` provides it."""

    @property
    def card(self) -> Card: ...
    def features(self, radiographs: Sequence[Radiograph]) -> Float32: ...


def judge(radiograph: Radiograph, classifier: JudgedClassifier, features: Float32 | None = None) -> Verdict:
    """Decide whether `classifier` may read a film; pass the `features` (d,) that it gives the film, if available.

    The header is checked first, then the picture; if the card names no gate statistics, only simple checks are made. If
    a film seems inverted or turned, the corrected film is checked too, and the remedy is offered only if it is
    readable. A film that seems mirrored is readable with a caution, because some people's hearts really are on the
    right.

    Raises UnusableModel if the statistics that the card names are missing, damaged, or belong to another model.
    """
    figures: dict[str, float] = {}
    refusal = (
        checks.check_provenance(radiograph, classifier.card)
        or checks.check_own_capture(radiograph)
        or checks.check_body_part(radiograph)
        or checks.check_view(radiograph, classifier.card)
        or checks.check_color(radiograph, figures)
    )
    if refusal is not None:
        return refused_verdict(refusal, figures, checks.size_cautions(radiograph))
    thumb = thumbnail(radiograph.pixels)
    known = gate_statistics(classifier.card)
    refusal = checks.check_blank(thumb, figures) or checks.check_noise(thumb, figures)
    if refusal is None and known is not None:
        refusal = _judge_look(radiograph, film_look(thumb), known, classifier, features, figures)
    if refusal is NO_CHEST_FILM or (refusal is None and known is None):
        refusal = checks.check_document(radiograph, figures) or refusal
    if refusal is not None:
        return refused_verdict(refusal, figures, checks.size_cautions(radiograph))
    if known is not None and seems_mirrored(thumb, figures):
        return readable_verdict(figures, (*checks.size_cautions(radiograph), MIRRORED_CAUTION), "mirror")
    return readable_verdict(figures, checks.size_cautions(radiograph))


def _judge_look(
    radiograph: Radiograph,
    own_look: Float32,
    known: GateStatistics,
    classifier: JudgedClassifier,
    features: Float32 | None,
    figures: dict[str, float],
) -> GateRefusal | None:
    """Find the transform in which a film looks most like a chest film; refuse the film if none does or it needs one."""
    distances = known.distances(own_look)
    way = TRANSFORMS[int(distances.argmin())]
    if way != IDENTITY or features is None:
        features = classifier.features([_changed(radiograph, way)])[0]
    found_strangeness = float(strangeness(distances.min(), known.away(features)))
    figures |= {"strangeness": found_strangeness, "strangeness cut": known.cut}
    if found_strangeness > known.cut:
        return NO_CHEST_FILM
    if way != IDENTITY:
        return TRANSFORM_REFUSALS[_remedies(way)[0]]
    return check_simulated_look(own_look, way, float(distances.min()), classifier.card, figures)


def _changed(radiograph: Radiograph, way: FilmTransform) -> Radiograph:
    for remedy in _remedies(way):
        radiograph = apply_remedy(radiograph, remedy)
    return radiograph


def _remedies(way: FilmTransform) -> tuple[Remedy, ...]:
    turn = tuple(remedy for remedy, turns in TURNS.items() if turns == way.turns)
    return ("invert", *turn) if way.inverted else turn
