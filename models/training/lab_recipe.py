"""Reads the long-tail recipes to be compared: TOML files that state the changes from the baseline and their source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from models.refusal import Refusal
from models.toml_text import WrongToml, toml_table
from models.training.heads.registry import head_defaults
from models.training.inference.registry import build_inference
from models.training.losses.registry import LOSS_TYPES
from models.training.network import LINEAR_HEAD
from models.training.parameters import has_type_of
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.sampling.registry import SAMPLERS

RECIPES_FOLDER = Path(__file__).parent / "recipes"
BASELINE_RECIPE = "bce"
DEFAULT_EPOCHS = 6  # default per stage: every recipe has this budget


class WrongRecipe(Refusal):
    """The recipe is missing or invalid: `title` says what is wrong, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class LabRecipe:
    """One way of training. `changes` says what differs from the baseline, `source` who proposed it (paper, section),
    and `team` who used it in the challenge (empty if unknown).

    `stages` train the same network one after another, starting from the trained network of the recipe `after` or,
    without one, from ImageNet. Training uses films of these `centers` and `views`, except films labeled with a finding
    in `without`, and only the labels of the findings in `told`; each is unrestricted by default. With `of` there are no
    stages: the networks of the recipes it names answer together, by `inference`. `part_of` names the recipe that this
    one is trained for; it is then not compared with others.
    """

    name: str
    title: str
    changes: str
    source: str
    team: str
    after: str | None
    head: RecipePart
    stages: tuple[TrainingRecipe, ...]
    centers: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    inference: RecipePart | None = None
    part_of: str | None = None

    @property
    def epochs(self) -> int:
        """The number of epochs in all stages, not counting those of `after`."""
        return sum(stage.epochs for stage in self.stages)

    @property
    def size(self) -> int:
        """The side of its input in pixels. Raises WrongRecipe if it depends on a missing recipe."""
        return self.stages[0].size if self.stages else lab_recipe(self.of[0]).size


_WORDS = ("title", "changes", "source", "team")
_LISTS = ("centers", "views", "without", "told", "of")
_KNOWN = {*_WORDS, *_LISTS, "after", "head", "stages", "inference", "part_of"}


def recipe_names() -> tuple[str, ...]:
    """Return the names of all recipes, the baseline first."""
    found = sorted(path.stem for path in RECIPES_FOLDER.glob("*.toml"))
    return tuple(sorted(found, key=lambda name: name != BASELINE_RECIPE))


def lab_recipe(name: str, folder: Path = RECIPES_FOLDER) -> LabRecipe:
    """Return the recipe with this name. Raises WrongRecipe."""
    path = folder / f"{name}.toml"
    if path.parent != folder or not path.is_file():
        raise WrongRecipe(f"There is no recipe {name!r}", f"The recipes are: {', '.join(recipe_names())}.")
    try:
        table = toml_table(path.read_text(encoding="utf-8"))
    except (WrongToml, UnicodeDecodeError) as error:
        raise WrongRecipe(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error
    try:
        return _recipe(name, table)
    except (ValueError, TypeError) as error:
        raise WrongRecipe(f"The recipe {path.name} is invalid", str(error)) from error


def _recipe(name: str, table: Mapping[str, Any]) -> LabRecipe:
    _only(table, _KNOWN, "the file")
    stages = table.get("stages", [])
    if not isinstance(stages, list) or not (stages or "of" in table):
        raise ValueError("There is no stage. Write at least one table [[stages]].")
    head = _part(table["head"]) if "head" in table else LINEAR_HEAD
    head_defaults(head.name)
    given: dict[str, Any] = {key: _text(table, key) for key in _WORDS} | {key: _names(table, key) for key in _LISTS}
    return LabRecipe(
        name,
        after=_recipe_name(table, "after"),
        part_of=_recipe_name(table, "part_of"),
        head=head,
        stages=tuple(map(_stage, stages)),
        inference=_inference(table, given["of"], stages),
        **given,
    )


def _inference(table: Mapping[str, Any], networks: tuple[str, ...], stages: list[Any]) -> RecipePart | None:
    """Return how the networks of other recipes answer; None if the recipe trains its own."""
    if "inference" not in table and not networks:
        return None
    if "inference" not in table or not networks or stages:
        raise ValueError(
            "A recipe that trains nothing needs both `of`, the recipes whose networks answer, and `inference`; "
            "other recipes have neither."
        )
    inference = _part(table["inference"])
    build_inference(inference.name, inference.parameters, len(networks))
    return inference


def _recipe_name(table: Mapping[str, Any], key: str) -> str | None:
    name = table.get(key)
    if name is not None and not isinstance(name, str):
        raise ValueError(f"{key} is not a recipe name.")
    return name


def _names(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise ValueError(f'{key} is not a list of names. Write it like ["A"].')
    return tuple(found)


def _stage(table: Mapping[str, Any]) -> TrainingRecipe:
    """Return a stage: the baseline's training, changed by the table."""
    defaults = {each.name: getattr(TrainingRecipe(), each.name) for each in fields(TrainingRecipe)}
    _only(table, defaults, "a stage")
    changed: dict[str, Any] = {"epochs": DEFAULT_EPOCHS, "loss": RecipePart("bce")}
    for key, value in table.items():
        changed[key] = _part(value) if key == "loss" else _like(defaults[key], key, value)
    stage = TrainingRecipe(**changed)
    if stage.loss.name not in LOSS_TYPES:
        raise ValueError(f"There is no loss {stage.loss.name!r}. Choose one of {', '.join(LOSS_TYPES)}.")
    if stage.sampler not in SAMPLERS:
        raise ValueError(f"There is no sampler {stage.sampler!r}. Choose one of {', '.join(SAMPLERS)}.")
    if stage.trains not in ("all", "head"):
        raise ValueError(f"trains is {stage.trains!r}. Choose all or head.")
    return stage


def _like(default: object, key: str, value: object) -> object:
    """Return the value; raises ValueError if its type differs from the default's."""
    if not has_type_of(value, default):
        raise ValueError(f"{key} of a stage is {value!r}. Give a value like {default!r}.")
    return value


def _text(table: Mapping[str, Any], key: str) -> str:
    """Return a non-empty text; only `team` may be empty."""
    value = table.get(key)
    if not isinstance(value, str) or not (value or key == "team"):
        raise ValueError(f"{key} is not a text. State it in a few words; only team may be empty.")
    return value


def _part(table: object) -> RecipePart:
    if not isinstance(table, dict) or not isinstance(table.get("name"), str):
        raise ValueError('A loss, head or inference must be a table with a name: { name = "focal", gamma = 2.0 }.')
    return RecipePart(table["name"], {key: value for key, value in table.items() if key != "name"})


def _only(table: Mapping[str, Any], known: Mapping[str, Any] | set[str], where: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ValueError(f"Unknown in {where}: {', '.join(unknown)}. Known: {', '.join(sorted(known))}.")
