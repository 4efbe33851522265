"""What simulated films look like: one whose file lost its mark can still be distinguished from a patient's."""

from __future__ import annotations

from functools import lru_cache

from models.array_types import Float32
from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import card
from models.cards.registry import names
from models.gate.film_looks import Way, seen
from models.gate.statistics import Cloud, statistics
from models.gate.verdict import GateRefusal

# Distance to the simulated films' looks over that to the patients' films of the model. It was 0.3 to 1.85 on 500 of the
# phantom's test films, and 2.02 to 9.6 on 1,833 films of patients: 1,650 of NIH, on which the model was trained, and
# 183 of Hannover, on which it was not (2.4 and more). The cut was set between them with these films in view.
CUT = 1.9


def simulated_after_all(
    look: Float32, way: Way, distance: float, model: Card, figures: dict[str, float]
) -> GateRefusal | None:
    """Refuse, for a model of patients' films, a film that looks like a simulated one.

    `look` and the `way` it is held lie `distance` from the looks of the model's training films. Where no model for
    simulated films is registered, nothing is known of how they look.
    """
    known = simulated_looks() if model.films == "real" else None
    if known is None:
        return None
    share = float(known.distance(seen(look, way).ravel())) / max(distance, 1e-6)
    figures |= {"distance to simulated looks": share, "simulated cut": CUT}
    if share >= CUT:
        return None
    return GateRefusal(
        "provenance",
        f"The film looks simulated, though its file does not say so, and {model.name} was trained on patients' films.",
        "A simulated film loses its mark when another program saves it: open the file as it was made. Where it is a "
        "patient's film, read it anyway.",
    )


@lru_cache(maxsize=1)
def simulated_looks() -> Cloud | None:
    """The looks of the films that the first registered model for simulated films was trained on."""
    for name in names("classifier"):
        try:
            known = statistics(about) if (about := card(name)).films == "simulated" else None
        except UnusableModel:  # no reason to refuse a patient's film
            continue
        if known is not None:
            return known.looks
    return None
