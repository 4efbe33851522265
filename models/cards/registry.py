"""Which models are registered here or by the user, and the TOML table that each one's file holds."""

from __future__ import annotations

import copy
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.cards.card import PROJECT, UnusableModel
from models.cards.home import own_models
from models.cards.known_file import state_of
from models.cards.shipped_cards import is_as_shipped
from models.toml_text import WrongToml, toml_table

REGISTRY = PROJECT / "models" / "registry"


def names(*kinds: str) -> tuple[str, ...]:
    """Names of the models that this project registers, of some kinds, by default of every kind."""
    return tuple(sorted(path.stem for path in REGISTRY.glob("*.toml") if not kinds or _kind(path) in kinds))


def own_names(*kinds: str) -> tuple[str, ...]:
    """Names of the user's own models; of two with the same name the registered one counts."""
    own = (path for path in own_models().glob("*.toml") if not (REGISTRY / path.name).is_file())
    return tuple(sorted(path.stem for path in own if not kinds or _kind(path) in kinds))


def registry_state() -> tuple[object, ...]:
    """Another one whenever a file of a registered model is another."""
    return tuple((path.name, state_of(path.stat())) for path in sorted(REGISTRY.glob("*.toml")))


def registry_table(name: str, *kinds: str) -> tuple[Path, dict[str, Any]]:
    """The registry file of a name, or the TOML file that `name` is the path of, and its table. Raises UnusableModel."""
    path = _path(name)
    if path is None:
        own = f" Your own are: {', '.join(own_names(*kinds))}." if own_names(*kinds) else ""
        raise UnusableModel(
            f"There is no model {name!r}",
            f"Registered are: {', '.join(names(*kinds))}.{own} A path to your own .toml file works too.",
        )
    try:
        text = path.read_text(encoding="utf-8")
        if not name.endswith(".toml") and not is_as_shipped(path, text):
            raise UnusableModel(
                f"The card {path.name} is not the one that ships with Tailscope",
                "Restore it. If the change is yours, copy it to TAILSCOPE_HOME/models under another name, there and "
                "in `name`; a developer runs `python -m models.cards.shipped_cards`.",
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
        return None  # what is wrong with it is said where it is asked for


@lru_cache(maxsize=128)  # each visit of the page lists the models, which reads every card of an ensemble's members
def _parsed(text: str) -> dict[str, Any]:
    """The table of a file's text; do not write to it."""
    return toml_table(text)
