"""Reads the systems of the papers: what a team printed, the recipe that stands for it here, and what is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.toml_text import WrongToml, toml_table
from models.training.lab_recipe import LabRecipe, WrongRecipe, lab_recipe
from models.training.nearest_name import nearest_words
from models.training.recipe_file import STAGE_FIELDS, only_known

SYSTEMS_FOLDER = Path(__file__).parent / "systems"
WHOLE = "whole"
FULL_SUFFIX = "-full"
# "whole": it is here and tested. The next two are here, too, but cannot run on this machine without what they name.
PART_STATES = (WHOLE, "needs a GPU", "needs a network", "needs other films", "missing")
PUBLISHED_FIELDS = (
    "backbone",
    "size",
    "start",
    "loss",
    "sampling",
    "augmentation",
    "phases",
    "inference",
    "ensemble",
)


@dataclass(frozen=True, slots=True)
class SystemPart:
    """A part of a system: its `state` is one of PART_STATES, `note` says what is ours, or why it is not whole."""

    name: str
    state: str
    note: str


@dataclass(frozen=True, slots=True)
class LabSystem:
    """A team's system in a task of a challenge, as its paper's `source` (section, table) describes it.

    `published` maps PUBLISHED_FIELDS to what the paper prints; what it does not print is left out. `recipe` is the
    small sibling that trains here; empty if there is none. `networks` maps its recipes to the fields of a stage that
    make them the published ones.
    """

    name: str
    challenge: str
    task: str
    team: str
    title: str
    source: str
    recipe: str
    published: Mapping[str, str | int]
    networks: Mapping[str, Mapping[str, str | int | float]]
    parts: tuple[SystemPart, ...]

    @property
    def label(self) -> str:
        """The challenge's year, task and team: 2026 Task 1 A."""
        return " ".join(filter(None, (self.challenge.split()[-1], self.task, self.team)))

    def needs(self) -> tuple[str, ...]:
        """Return what its parts need that is not here, such as "needs a GPU", without repetition."""
        return tuple(dict.fromkeys(part.state for part in self.parts if part.state not in (WHOLE, "missing")))


def system_names() -> tuple[str, ...]:
    """Return the names of all systems, the latest challenge first."""
    found = sorted(path.stem for path in SYSTEMS_FOLDER.glob("*.toml"))
    return tuple(sorted(found, key=lambda name: name.split("-")[0], reverse=True))


def lab_system(name: str) -> LabSystem:
    """Return the system with this name. Raises WrongRecipe."""
    if name not in system_names():
        raise WrongRecipe(
            f"There is no system {name!r}",
            f"{nearest_words(name, system_names())}The systems are: {', '.join(system_names())}.",
        )
    try:
        return _system(name, toml_table((SYSTEMS_FOLDER / f"{name}.toml").read_text(encoding="utf-8")))
    except (WrongToml, ValueError) as error:
        raise WrongRecipe(f"The system {name}.toml is invalid", str(error)) from error


def recipes_of_system(system: LabSystem) -> tuple[LabRecipe, ...]:
    """Return the system's recipe and those that it combines, continues or learns from, in the order of training."""
    found: dict[str, LabRecipe] = {}

    def add(recipe: LabRecipe) -> None:
        others = [recipe.other(name) for name in (recipe.after, recipe.teacher, recipe.judge) if name]
        for other in (*recipe.members(), *others):
            add(other)
        found.setdefault(recipe.name, recipe)

    if system.recipe:
        add(lab_recipe(system.recipe))
    return tuple(found.values())


def full_recipes(system: LabSystem) -> dict[str, str]:
    """Return the recipes of the system at its published size: TOML texts by name, the network recipes first.

    Their names end in "-full", so that they are a user's own recipes beside the shipped ones.
    """
    recipes = recipes_of_system(system)
    names = "|".join(re.escape(recipe.name) for recipe in recipes)
    named = re.compile(rf'"({names})(@\d+)?"')

    def renamed(line: re.Match[str]) -> str:
        return named.sub(rf'"\1{FULL_SUFFIX}\2"', line[0])

    found = {}
    for recipe in recipes:
        fields = system.networks.get(recipe.name, {})
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
        above, mark, stages = recipe.text.partition("[[stages]]")
        for key in fields:  # the published value replaces the sibling's
            above = re.sub(rf"^{key} = .*\n", "", above, flags=re.MULTILINE)
        found[f"{recipe.name}{FULL_SUFFIX}"] = lines + _LINE_OF_NAMES.sub(renamed, above + mark + stages)
    return found


_LINE_OF_NAMES = re.compile(r"^(of|after|teacher|judge|part_of) = .*$", re.MULTILINE)
_WORDS = ("challenge", "task", "team", "title", "source", "recipe")


def _system(name: str, table: Mapping[str, Any]) -> LabSystem:
    only_known(table, (*_WORDS, "published", "networks", "parts"), "the file")
    published = table.get("published", {})
    only_known(published, PUBLISHED_FIELDS, "published")
    words = {key: _word(table, key) for key in _WORDS}
    parts = tuple(_part(part) for part in table.get("parts", []))
    if not parts:
        raise ValueError("There is no part. Write at least one table [[parts]].")
    networks = table.get("networks", {})
    for fields in networks.values():
        only_known(fields, STAGE_FIELDS, "a network")
    return LabSystem(name, published=published, networks=networks, parts=parts, **words)


def _part(table: Mapping[str, Any]) -> SystemPart:
    only_known(table, ("name", "state", "note"), "a part")
    part = SystemPart(*(_word(table, key) for key in ("name", "state", "note")))
    if part.state not in PART_STATES:
        raise ValueError(f"The state of {part.name} is {part.state!r}. Choose one of {', '.join(PART_STATES)}.")
    if part.state != WHOLE and not part.note:
        raise ValueError(f"{part.name} is not whole. Say why in its note.")
    return part


def _word(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "" if key in ("recipe", "note", "task", "title") else None)
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a text.")
    return value
