"""What a user's own words for views, sexes and labels mean, as `map.toml` states under `[values]`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.cohorts.schema import LABELS, SEXES, VIEWS, Label, Sex
from explorer.core.finding_words import plain
from explorer.core.word_lists import comma_list
from models.films.film import View

KINDS: Mapping[str, tuple[str, ...]] = {"view": VIEWS, "sex": SEXES, "labels": LABELS}


@dataclass(frozen=True, slots=True)
class ValueWords:
    """Cell -> meaning, the cells as `plain` returns them; labels are compared without regard to case alone."""

    view: Mapping[str, View] = field(default_factory=dict)
    sex: Mapping[str, Sex] = field(default_factory=dict)
    labels: Mapping[str, Label] = field(default_factory=dict)


def value_words(given: object) -> ValueWords:
    """Interpret `{"view": {"seitlich": "lateral"}, "labels": {"0.5": "uncertain"}}`. Raises ValueError."""
    if not isinstance(given, dict):
        raise ValueError("values must be tables, such as [values.view]")
    unknown = [kind for kind in given if kind not in KINDS]
    if unknown:
        raise ValueError(f"there are no values of {unknown[0]!r}. There are: {comma_list(KINDS)}")
    return ValueWords(**{kind: _meanings(kind, table) for kind, table in given.items()})


def _meanings(kind: str, table: Any) -> dict[str, Any]:  # noqa: ANN401 - parsed TOML
    if not isinstance(table, dict):
        raise ValueError(f"[values.{kind}] must map words to {comma_list(KINDS[kind])}")
    known = {plain(meaning): meaning for meaning in KINDS[kind]}
    found: dict[str, Any] = {}
    for word, meaning in table.items():
        if not isinstance(meaning, str) or plain(meaning) not in known:
            raise ValueError(f"[values.{kind}]: {word!r} means one of {comma_list(KINDS[kind])}, not {meaning!r}")
        found[cell_word(kind, word)] = known[plain(meaning)]
    return found


def cell_word(kind: str, cell: str) -> str:
    """Return a cell in the form in which it is looked up. The sign of a label such as -1 must stay."""
    return cell.strip().casefold() if kind == "labels" else plain(cell)
