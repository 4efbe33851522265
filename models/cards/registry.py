"""Which models are registered, and the TOML table that each one's file holds."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from models.cards.card import PROJECT, UnusableModel

REGISTRY = PROJECT / "models" / "registry"


def names(*kinds: str) -> tuple[str, ...]:
    """Names of the registered models of some kinds, by default of every kind."""
    return tuple(sorted(path.stem for path in REGISTRY.glob("*.toml") if not kinds or _kind(path) in kinds))


def registry_table(name: str, *kinds: str) -> tuple[Path, dict[str, Any]]:
    """The registry file of a name, or the TOML file that `name` is the path of, and its table. Raises UnusableModel."""
    path = Path(name) if name.endswith(".toml") else REGISTRY / f"{name}.toml"
    if not path.is_file():
        raise UnusableModel(
            f"There is no model {name!r}",
            f"Registered are: {', '.join(names(*kinds))}. A path to your own .toml file works too.",
        )
    try:
        return path, tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UnusableModel(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error


def _kind(path: Path) -> object:
    return tomllib.loads(path.read_text(encoding="utf-8")).get("kind")
