"""Recognizes simulated films by their look, in case a file has lost its mark."""

from __future__ import annotations

from functools import lru_cache

from models.array_types import Float32
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.registry import registered_names
from models.gate.film_looks import FilmTransform, transformed_look
from models.gate.statistics import GaussianCloud, gate_statistics
from models.gate.verdict import GateRefusal

# Ratio of a film's distance to the simulated films' looks to that of the model's real training films. It was 0.3 to
# 1.85 on 500 of the phantom's test films, and 2.02 to 9.6 on 1,833 films of patients: 1,650 NIH films, on which the
# model was trained, and 183 Hannover films, on which it was not (2.4 and more). The cut was chosen with all these films
# in view.
SIMULATED_CUT = 1.9


def check_simulated_look(
    look: Float32, way: FilmTransform, distance: float, model: Card, figures: dict[str, float]
) -> GateRefusal | None:
    """Refuse, for a model of patients' films, a film that looks simulated.

    `distance` is the distance of `look`, transformed by `way`, from the looks of the model's training films. Without a
    registered model for simulated films, the looks of such films are unknown, so nothing is refused.
    """
    known = simulated_looks() if model.films == "real" else None
    if known is None:
        return None
    share = float(known.distance(transformed_look(look, way).ravel())) / max(distance, 1e-6)
    figures |= {"distance to simulated looks": share, "simulated cut": SIMULATED_CUT}
    if share >= SIMULATED_CUT:
        return None
    return GateRefusal(
        "provenance",
        f"The film looks simulated, though its file does not say so, and {model.name} was trained on patients' films.",
        "A simulated film loses its mark when another program saves it: open the original file. If it is a patient's "
        "film, read it anyway.",
    )


@lru_cache(maxsize=1)
def simulated_looks() -> GaussianCloud | None:
    """Return the looks of the training films of the first registered model for simulated films."""
    for name in registered_names("classifier"):
        try:
            known = gate_statistics(about) if (about := classifier_card(name)).films == "simulated" else None
        except UnusableModel:  # this is no reason to refuse a patient's film
            continue
        if known is not None:
            return known.looks
    return None
