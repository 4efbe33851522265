"""Verifies shipped cards by hash, so that a changed threshold is noticed just as changed weights are.

`python -m models.cards.shipped_cards` rewrites the list, as does every program that writes a registry card.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from models.cards.card import PROJECT
from models.whole_file import atomic_write

SHIPPED_CARDS = PROJECT / "models" / "registry"
HASH_LIST = SHIPPED_CARDS / "sha256.txt"  # in the format of `sha256sum`


def is_as_shipped(path: Path, text: str) -> bool:
    """Return whether a registry card has its shipped text; True for a card that is not listed."""
    if path.parent != SHIPPED_CARDS or not HASH_LIST.is_file():
        return True
    wanted = _listed(HASH_LIST.read_text(encoding="utf-8")).get(path.name)
    return wanted is None or wanted == card_hash(text)


def card_hash(text: str) -> str:
    """Return the hash of a card's text, independent of line endings on disk."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_hash_list() -> None:
    """List every registry card with its current hash."""
    hashes = {path.name: card_hash(path.read_text(encoding="utf-8")) for path in sorted(SHIPPED_CARDS.glob("*.toml"))}
    with atomic_write(HASH_LIST) as partial:
        partial.write_text("".join(f"{found}  {name}\n" for name, found in hashes.items()), encoding="utf-8")


@lru_cache(maxsize=1)
def _listed(text: str) -> dict[str, str]:
    return {name: found for found, name in (line.split(maxsplit=1) for line in text.splitlines())}


if __name__ == "__main__":
    write_hash_list()
