"""What each filter can be set to, as the script gets it: words for the address, names for the eye."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_args

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.metric_plan import Grouping
from explorer.store.slices import AgeBand, Relation, Slice
from explorer.ui.explore.links import center_id, cohort_id, label_source_id, model_id, word

if TYPE_CHECKING:
    from explorer.cohorts.schema import Unit
    from explorer.store.results import Facets
    from explorer.store.store import Store

Json = dict[str, Any]
SOURCES: dict[Grouping, str] = {
    "paper": "CXR-LT 2026 paper",
    "padchest": "PadChest, 110,633 films",
    "nih": "NIH, 112,120 films",
    "cohort": "this cohort's labels",
}
SEXES = {"F": "female", "M": "male", "unknown": "not known"}
# Those that tell of labels and scores.
TELLING = frozenset("source group finding outcome labels score against relation called".split())


def facets_payload(store: Store, chosen: Slice, *, hidden: bool) -> Json:
    """The values by the filter's name; while labels are hidden, none of a filter that would tell of them."""
    facets = store.facets(chosen.cohort, chosen.model)
    every = who_payload(store, chosen) | _films(chosen.cohort, facets) | _model(store, chosen, facets)
    return {name: values for name, values in every.items() if not (hidden and name in TELLING)}


def who_payload(store: Store, chosen: Slice) -> Json:
    """The cohorts, and the models of the chosen one."""
    return {
        "cohort": [
            _value(cohort_id(each.name), each.name, f"{each.cases:,} films{', SIMULATED' if each.simulated else ''}")
            for each in store.cohorts()
            if store.models(each.name)
        ],
        "model": [_value(model_id(chosen.cohort, each.model), each.model) for each in store.models(chosen.cohort)],
    }


def _films(cohort: str, facets: Facets) -> Json:
    return {
        "center": [_value(center_id(cohort, name), name) for name in facets.centers],
        "labels": [_value(label_source_id(cohort, name), name) for name in facets.label_sources],
        "view": [_value(word(name), _known(name)) for name in facets.views],
        "sex": [_value(word(name), SEXES.get(name, name)) for name in facets.sexes],
        "age": [_value(word(name), _known(name)) for name in get_args(AgeBand) if name in facets.ages],
    }


def _model(store: Store, chosen: Slice, facets: Facets) -> Json:
    models = store.models(chosen.cohort)
    (unit,) = (each.unit for each in models if each.model == chosen.model)
    others = (each.model for each in models if each.model != chosen.model)
    return {
        "source": [_value(name, title) for name, title in SOURCES.items()],
        "group": _words(FrequencyGroup),
        "finding": _words(facets.findings),
        "outcome": [
            *_words(Outcome),
            _value("wrong", "wrong: miss or false alarm"),
            _value("right", "right: hit or correct rejection"),
        ],
        "score": _range(facets.score, unit),
        "against": [_value(model_id(chosen.cohort, name), name) for name in others],
        "relation": _words(get_args(Relation)),
        "called": _words(facets.findings),
    }


def _range(found: tuple[float, float] | None, unit: Unit) -> Json:
    """The least and the greatest that the model said."""
    least, most = found or (0.0, 1.0)
    return {"least": least, "most": most, "unit": unit}


def _words(names: Iterable[str]) -> list[Json]:
    return [_value(word(name), str(name)) for name in names]


def _known(name: str) -> str:
    return "not known" if name == "unknown" else name


def _value(sent: str, name: str, note: str = "") -> Json:
    return {"word": sent, "name": name, "note": note}
