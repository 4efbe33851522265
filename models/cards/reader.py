"""Checks shared by the cards of all kinds of models: from a TOML table to the fields of a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from models.cards.card import MAX_INPUT_SIDE, MIN_INPUT_SIDE, CardPoint, listed_path
from models.cards.map_card import MapCard, map_card
from models.cards.toml_table import WrongTable, check_keys, has_type, is_finite, number_words, parse_record
from models.films.film import Provenance

RecordType = TypeVar("RecordType")
PERFORMANCE_KEYS = frozenset({"sensitivity", "specificity", "positives", "negatives"})


class CardReader:
    """Reads one registry file's table; every method raises WrongTable if the table is invalid."""

    kind: str
    required: dict[str, type]
    optional: dict[str, type]

    def __init__(self, path: Path, table: dict[str, Any]) -> None:
        self.path = path
        self.table = table

    def check(self) -> None:
        """Check that every key is known and has the right type, and that none is missing."""
        if self.table.get("kind") != self.kind:
            raise WrongTable(f"kind is {self.table.get('kind')!r}", f'The kind must be "{self.kind}" here.')
        check_keys(self.table, self.required, self.optional, "the file")

    def rows(self, key: str, kind: type[RecordType]) -> tuple[RecordType, ...]:
        """Return the records of an array of tables, such as `training`."""
        return tuple(parse_record(row, kind, key) for row in self.table.get(key, []))

    def named(self, key: str, kind: type[RecordType]) -> Mapping[str, RecordType]:
        """Return the records of a table of tables, such as `operating_points`, by name."""
        rows = self.table.get(key, {})
        return MappingProxyType({name: parse_record(row, kind, f"{key}.{name}") for name, row in rows.items()})

    def operating_points(self) -> Mapping[str, CardPoint]:
        """Return the operating points by finding; refuses impossible rates and counts."""
        points = self.named("operating_points", CardPoint)
        for name, point in points.items():
            rates, counts = (point.sensitivity, point.specificity), (point.positives, point.negatives)
            if len(PERFORMANCE_KEYS & self.table["operating_points"][name].keys()) not in (0, len(PERFORMANCE_KEYS)):
                raise WrongTable(f"operating_points.{name} is incomplete", "Give both rates and both counts, or none.")
            if not all(0 <= rate <= 1 for rate in rates) or min(counts) < 0:
                raise WrongTable(f"operating_points.{name} is invalid", "Rates are 0 to 1, counts are not negative.")
        return points

    def maps(self) -> MapCard | None:
        """Return the content of the file that the card names under `maps`. Raises UnusableModel if it is missing."""
        name = self.table.get("maps")
        if name is None:
            return None
        return map_card(listed_path(self.table["name"], self.path.resolve().parent, name, self.files()))

    def one_of(self, key: str, allowed: tuple[RecordType, ...]) -> RecordType:
        """Return the value of a key that allows only a few."""
        value: RecordType = self.table[key]
        if value not in allowed:
            raise WrongTable(f"{key} is {value!r}", f"It must be one of {', '.join(map(str, allowed))}.")
        return value

    def size(self) -> int:
        """Return the side, in pixels, of the square model input."""
        size: int = self.table["size"]
        if not MIN_INPUT_SIDE <= size <= MAX_INPUT_SIDE:
            raise WrongTable(
                f"size is {size}", f"The side of the square input must be {MIN_INPUT_SIDE} to {MAX_INPUT_SIDE} pixels."
            )
        return size

    def channels(self, key: str, counts: tuple[int, ...]) -> tuple[float, ...]:
        """Return one number per channel; the number of channels must be one of `counts`."""
        if wrong := [value for value in self.table[key] if not is_finite(value)]:
            raise WrongTable(f"{key} contains {number_words(wrong[0])}", "Give a finite number for each channel.")
        values = tuple(float(value) for value in self.table[key] if has_type(value, float))
        if len(values) != len(self.table[key]) or len(values) not in counts:
            raise WrongTable(f"{key} is invalid", "It needs one number for each channel of the input.")
        if key == "std" and min(values) <= 0:
            raise WrongTable("std is not positive", "Give the standard deviation of each channel.")
        return values

    def positive(self, key: str, meaning: str) -> float | None:
        """Return a number above zero, or None if the key is absent."""
        value = self.table.get(key)
        if value is not None and value <= 0:
            raise WrongTable(f"{key} is {value}", f"It must be {meaning} above zero.")
        return None if value is None else float(value)

    def sha256(self) -> str:
        """Return the hash of the weights."""
        return _hash("sha256", self.table["sha256"])

    def files(self) -> Mapping[str, str]:
        """Return the hashes of other files by name."""
        table = self.table.get("files", {})
        return MappingProxyType({name: _hash(f"files.{name!r}", value) for name, value in table.items()})

    def films(self) -> Provenance:
        """Return which films the model is for: "real" (the default) or "simulated"."""
        return self.one_of("films", get_args(Provenance)) if "films" in self.table else "real"

    def sentences(self, key: str) -> Mapping[str, str]:
        """Return sentences by finding, such as `warnings`."""
        return MappingProxyType({name: str(text) for name, text in self.table.get(key, {}).items()})


def _hash(where: str, value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{64}", value):
        raise WrongTable(f"{where} is invalid", "It must be 64 hexadecimal digits; `sha256sum FILE` prints it.")
    return value
