"""A model's heat map method and its measured accuracy: the file that a card names under `maps`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from models.cards.heat_method import HeatMethod
from models.cards.toml_table import WrongTable, check_keys, parse_record
from models.toml_text import toml_table


@dataclass(frozen=True, slots=True)
class MapHits:
    """How often the map's maximum is inside the finding's mask: on `found` of `of` films, all flagged by the model.

    `usual` counts the same without any model, for the finding's usual site: its mean mask on other films. `both` counts
    films on which both maxima are inside the mask.
    """

    found: int
    of: int
    usual: int
    both: int


@dataclass(frozen=True, slots=True)
class MapCard:
    """The measured facts about a model's heat maps.

    `maximum` is the upper end of the color scale, in the maps' unit. `chosen` describes the films used to choose the
    method, `measured` the other films used to measure accuracy. `similarity` is the median correlation between the maps
    of two findings flagged on the same film.
    """

    method: HeatMethod
    maximum: float
    chosen: str
    measured: str
    similarity: float
    together: MapHits
    findings: Mapping[str, MapHits]


_KEYS: dict[str, type] = {
    "method": str,
    "maximum": float,
    "chosen": str,
    "measured": str,
    "similarity": float,
    "together": dict,
    "findings": dict,
}


def map_card(path: Path) -> MapCard:
    """Read a maps file. Raises WrongTable if it is invalid."""
    try:
        table = toml_table(path.read_text(encoding="utf-8"))
        check_keys(table, _KEYS, {}, path.name)
        method = HeatMethod.parse(table["method"])
    except (OSError, ValueError) as error:
        raise WrongTable(f"{path.name} cannot be read", str(error)) from error
    if table["maximum"] <= 0:
        raise WrongTable(f"maximum of {path.name} is not above zero", "It is the upper end of the maps' color scale.")
    return MapCard(
        method,
        float(table["maximum"]),
        table["chosen"],
        table["measured"],
        float(table["similarity"]),
        _checked_hits(table["together"], "together"),
        MappingProxyType({name: _checked_hits(row, f"findings.{name}") for name, row in table["findings"].items()}),
    )


def map_card_text(card: MapCard) -> str:
    """Return the text of a maps file."""
    rows = [f"[findings.{_quoted(name)}]\n{_hits_lines(worth)}" for name, worth in card.findings.items()]
    head = f"""# How the heat maps are made. In `found` of `of` hits, the map's maximum is in the finding's mask,
# in `usual` of them, the maximum of the finding's mean mask on other films is; in `both`, both are.
# Written by `python -m explorer localize`.
method = "{card.method}"
maximum = {card.maximum:.4g}
chosen = {_quoted(card.chosen)}
measured = {_quoted(card.measured)}
similarity = {card.similarity:.2f}

[together]
{_hits_lines(card.together)}"""
    return "\n\n".join((head, *rows)) + "\n"


def _checked_hits(row: object, where: str) -> MapHits:
    worth = parse_record(row, MapHits, where)
    either = worth.found + worth.usual - worth.both
    if not 0 <= worth.both <= min(worth.found, worth.usual) or either > worth.of:
        raise WrongTable(
            f"{where} counts more films than there are",
            "`found` and `usual` cannot exceed `of`, and `both` cannot exceed either.",
        )
    return worth


def _quoted(text: str) -> str:
    """Quote a text for TOML, which uses JSON's syntax here."""
    return json.dumps(text, ensure_ascii=False)


def _hits_lines(worth: MapHits) -> str:
    return f"found = {worth.found}\nof = {worth.of}\nusual = {worth.usual}\nboth = {worth.both}"
