"""Writes the hashes of a card's files, except for the weights, which have their own hash.

They form the last table of the registry file; every program that writes one of the files updates it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.cards.card import local_path
from models.cards.known_file import sha256_of
from models.cards.shipped_cards import SHIPPED_CARDS, write_hash_list
from models.cards.vlm_card import directions_beside
from models.whole_file import atomic_write

FILES_TABLE_HEADER = "\n# Of the files beside the weights; one that is another is refused.\n[files]\n"
OPEN_CLIP_SUFFIXES = (".json", ".txt", ".safetensors")  # files that open_clip reads from a folder


def write_file_hashes(registry_file: Path) -> None:
    """Write the current hashes of the card's files into its registry file."""
    text = registry_file.read_text(encoding="utf-8").partition(FILES_TABLE_HEADER)[0]
    table = tomllib.loads(text)
    found = {name: sha256_of(_path(registry_file, table, name)) for name in _names(registry_file, table)}
    with atomic_write(registry_file) as partial:
        partial.write_text(
            text + FILES_TABLE_HEADER + "".join(f"{json.dumps(name)} = {json.dumps(found[name])}\n" for name in found)
        )
    if registry_file.parent == SHIPPED_CARDS:
        write_hash_list()


def write_hashes_of_source(registry: Path, source: str) -> None:
    """Update the hashes of every card below `registry` with this source, because they share its files."""
    for path in sorted(registry.glob("*.toml")):
        if tomllib.loads(path.read_text(encoding="utf-8")).get("source") == source:
            write_file_hashes(path)


def _names(registry_file: Path, table: dict[str, Any]) -> Iterator[str]:
    yield from (table[key] for key in ("gate", "cohort", "validation", "masks", "maps") if key in table)
    if "validation" in table:
        directions = directions_beside(table["validation"], table["name"])
        if _path(registry_file, table, table["validation"]).with_name(Path(directions).name).is_file():
            yield directions
    kind, _, folder = table.get("source", "").partition(":")
    if kind == "local-dir":
        inside = sorted(_path(registry_file, table, folder).iterdir())
        names = (f"{folder}/{path.name}" for path in inside if path.suffix in OPEN_CLIP_SUFFIXES)
        yield from (name for name in names if name != table.get("weights"))


def _path(registry_file: Path, table: dict[str, Any], name: str) -> Path:
    return local_path(table["name"], registry_file.resolve().parent, name)
