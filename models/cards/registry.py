"""Lists the models registered by this project or the user, and reads their TOML files."""

from __future__ import annotations

import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.cards.card import PROJECT, UnusableModel
from models.cards.home import own_models
from models.cards.known_file import file_state
from models.cards.shipped_cards import is_as_shipped
from models.toml_text import WrongToml, toml_table

REGISTRY = PROJECT / "models" / "registry"


def registered_names(*kinds: str) -> tuple[str, ...]:
    """Return the names of this project's registered models of the given kinds, by default all kinds."""
    return tuple(sorted(path.stem for path in REGISTRY.glob("*.toml") if not kinds or _kind(path) in kinds))


def own_names(*kinds: str) -> tuple[str, ...]:
    """Return the names of the user's own models; a registered model with the same name takes precedence."""
    own = (path for path in own_models().glob("*.toml") if not (REGISTRY / path.name).is_file())
    return tuple(sorted(path.stem for path in own if not kinds or _kind(path) in kinds))


def registry_state() -> tuple[object, ...]:
    """Return a value that changes whenever a registered model's file changes."""
    return tuple((path.name, file_state(path.stat())) for path in sorted(REGISTRY.glob("*.toml")))


def registry_table(name: str, *kinds: str) -> tuple[Path, dict[str, Any]]:
    """Return the path and table of a registered model's file or of the TOML file `name`. Raises UnusableModel."""
    path = _path(name)
    if path is None:
        own = f" Your own: {', '.join(own_names(*kinds))}." if own_names(*kinds) else ""
        raise UnusableModel(
            f"There is no model {name!r}",
            f"Registered models: {', '.join(registered_names(*kinds))}.{own} A path to your own .toml file works too.",
        )
    try:
        text = path.read_text(encoding="utf-8")
        if not name.endswith(".toml") and not is_as_shipped(path, text):
            raise UnusableModel(
                f"The card {path.name} has been changed since Tailscope shipped it",
                "Restore it. If the change is yours, copy the card to TAILSCOPE_HOME/models under another file name "
                "and `name`; developers run `python -m models.cards.shipped_cards`.",
            )
        return path, copy.deepcopy(_parsed(text))
    except (WrongToml, UnicodeDecodeError) as error:
        raise UnusableModel(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error


def _path(name: str) -> Path | None:
    if name.endswith(".toml"):
        path = Path(name).expanduser()
        return path if path.is_file() else None
    if "/" in name or "\\" in name or name.startswith("."):
        return None
    return next(
        (place / f"{name}.toml" for place in (REGISTRY, own_models()) if (place / f"{name}.toml").is_file()), None
    )


def _kind(path: Path) -> object:
    try:
        return _parsed(path.read_text(encoding="utf-8")).get("kind")
    except (WrongToml, UnicodeDecodeError, OSError):
        return None  # reported when the model is used


@lru_cache(maxsize=128)  # each page visit lists the models and so reads the cards of every ensemble's members
def _parsed(text: str) -> dict[str, Any]:
    """Return the table of a file's text; do not modify it."""
    return toml_table(text)
