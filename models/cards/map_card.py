"""How a model's heat maps are made and how often they find their target: the file that a card names as its `maps`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from models.cards.heat_method import HeatMethod
from models.cards.toml_table import WrongTable, check_keys, record
from models.toml_text import toml_table


@dataclass(frozen=True, slots=True)
class MapWorth:
    """Of `of` films with a finding that the model called, on how many the map's maximum lies in the finding's mask.

    `usual` counts the same of the finding's mean mask on other films: of where it usually lies, without any model. On
    `both` of the films both maxima lie in the mask.
    """

    found: int
    of: int
    usual: int
    both: int


@dataclass(frozen=True, slots=True)
class MapCard:
    """What is known of a model's heat maps.

    `maximum` ends the color scale, in the unit of the maps. `chosen` says on which films the method was chosen, and
    `measured` on which others its worth was counted. `similarity` is the median correlation between the maps of two
    findings of one film that both were called.
    """

    method: HeatMethod
    maximum: float
    chosen: str
    measured: str
    similarity: float
    together: MapWorth
    findings: Mapping[str, MapWorth]


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
    """Read the file. Raises WrongTable where it cannot be right."""
    try:
        table = toml_table(path.read_text(encoding="utf-8"))
        check_keys(table, _KEYS, {}, path.name)
        method = HeatMethod.parse(table["method"])
    except (OSError, ValueError) as error:
        raise WrongTable(f"{path.name} cannot be read", str(error)) from error
    if table["maximum"] <= 0:
        raise WrongTable(f"maximum of {path.name} is not above zero", "It ends the color scale of the maps.")
    return MapCard(
        method,
        float(table["maximum"]),
        table["chosen"],
        table["measured"],
        float(table["similarity"]),
        _worth(table["together"], "together"),
        MappingProxyType({name: _worth(row, f"findings.{name}") for name, row in table["findings"].items()}),
    )


def map_card_text(card: MapCard) -> str:
    """The file's text."""
    rows = [f"[findings.{_text(name)}]\n{_written(worth)}" for name, worth in card.findings.items()]
    head = f"""# How this model's heat maps are made. On `found` of `of` hits their maximum lies in the finding's mask,
# on `usual` of them that of the finding's mean mask on other films, on `both` either.
# Written by `python -m explorer localize`.
method = "{card.method}"
maximum = {card.maximum:.4g}
chosen = {_text(card.chosen)}
measured = {_text(card.measured)}
similarity = {card.similarity:.2f}

[together]
{_written(card.together)}"""
    return "\n\n".join((head, *rows)) + "\n"


def _worth(row: object, where: str) -> MapWorth:
    worth = record(row, MapWorth, where)
    either = worth.found + worth.usual - worth.both
    if not 0 <= worth.both <= min(worth.found, worth.usual) or either > worth.of:
        raise WrongTable(
            f"{where} counts more films than there are",
            "`found` and `usual` are parts of `of`, and `both` is a part of either.",
        )
    return worth


def _text(text: str) -> str:
    """A text as TOML writes it, which JSON does alike."""
    return json.dumps(text, ensure_ascii=False)


def _written(worth: MapWorth) -> str:
    return f"found = {worth.found}\nof = {worth.of}\nusual = {worth.usual}\nboth = {worth.both}"
