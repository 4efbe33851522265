"""The cards that ship are known by their hashes, so that a changed threshold is noticed as a changed weight is.

`python -m models.cards.shipped_cards` writes the list anew; what writes a card of the registry does so, too.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from models.cards.card import PROJECT
from models.whole_file import replaced

SHIPPED = PROJECT / "models" / "registry"
LIST = SHIPPED / "sha256.txt"  # as `sha256sum` writes it


def is_as_shipped(path: Path, text: str) -> bool:
    """Whether a card of the registry has the text that ships; True for a card that is not in the list."""
    if path.parent != SHIPPED or not LIST.is_file():
        return True
    wanted = _listed(LIST.read_text(encoding="utf-8")).get(path.name)
    return wanted is None or wanted == hash_of(text)


def hash_of(text: str) -> str:
    """The hash of a card's text, whatever its line ends are on the disk."""
    return hashlib.sha256(text.encode()).hexdigest()


def write_list() -> None:
    """List every card of the registry with its hash as it is now."""
    hashes = {path.name: hash_of(path.read_text(encoding="utf-8")) for path in sorted(SHIPPED.glob("*.toml"))}
    with replaced(LIST) as partial:
        partial.write_text("".join(f"{found}  {name}\n" for name, found in hashes.items()), encoding="utf-8")


@lru_cache(maxsize=1)
def _listed(text: str) -> dict[str, str]:
    return {name: found for found, name in (line.split(maxsplit=1) for line in text.splitlines())}


if __name__ == "__main__":
    write_list()
