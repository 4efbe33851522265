"""Finds the long-tail recipes to be compared: TOML files that state the changes from the baseline and their source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.refusal import Refusal
from models.toml_text import WrongToml, toml_table
from models.training.heads.registry import build_head
from models.training.nearest_name import nearest_words
from models.training.network import LINEAR_HEAD
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.recipe_file import (
    DEFAULT_EPOCHS,
    STAGE_FIELDS,
    checkpoints_in,
    inference_in,
    only_known,
    part_in,
    stages_in,
)
from models.training.recipe_films import FILM_FIELDS, film_fields_in

RECIPES_FOLDER = Path(__file__).parent / "recipes"
RECIPE_SUFFIX = ".toml"
BASELINE_RECIPE = "bce"
CHECKPOINT_MARK = "@"  # in `of`, "name@2" is the second best epoch of a recipe that keeps several
MAX_RECIPE_BYTES = 100_000
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,50}")  # becomes part of a model's name


class WrongRecipe(Refusal):
    """The recipe is missing or invalid: `title` says what is wrong, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class LabRecipe:
    """One way of training. `changes` says what differs from the baseline, `source` who proposed it (paper, section),
    and `team` who used it in the challenge (empty if unknown).

    `stages` train the same network one after another, starting from the trained network of the recipe `after` or,
    without one, from the first stage's `start`. Training uses films of these `centers` and `views`, except films
    labeled with a finding in `without`, and only the labels of the findings in `told`; each is unrestricted by default.
    The weights of the last stage's best epochs are kept, as many as `checkpoints`. With `of` there are no stages: the
    networks of the recipes it names answer together, by `inference`. `part_of` names the recipe that this one is
    trained for; it is then not compared with others. `system` names the system of a paper that the recipe stands for
    (models/training/systems). `folder` holds the recipe's file, and `text` is its content.

    `labels` is one of LABELS (models/training/recipe_films.py), or empty for those that reports note, and `uncertain`
    one of UNCERTAIN_POLICIES for those that reports hedge; without one they count as noted. The recipe `teacher`,
    trained first, labels them if the policy is "self-trained", and all films of `pseudo_centers`. The recipe `judge`,
    trained first, weighs findings by its average precision on validation films for the loss "result-weighted".
    `told_shares` leaves only the labels of findings whose share of the training films is at least the first and below
    the second number. The films of the stratified `fold` of `folds`, counted from 1, are left out. `simulated_tail`
    adds simulated films of rare findings, as a share of the training films. `study_scores` is one of STUDY_SCORES: how
    films of a study get the same score at inference; empty for not at all.
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
    system: str = ""
    checkpoints: int = 1
    folder: Path = RECIPES_FOLDER
    text: str = ""
    labels: str = ""
    uncertain: str = ""
    teacher: str | None = None
    judge: str | None = None
    pseudo_centers: tuple[str, ...] = ()
    told_shares: tuple[float, ...] = ()
    folds: int = 0
    fold: int = 0
    simulated_tail: float = 0.0
    study_scores: str = ""

    @property
    def shipped(self) -> bool:
        """Whether the recipe is one of Tailscope's own."""
        return self.folder == RECIPES_FOLDER

    @property
    def epochs(self) -> int:
        """The number of epochs in all stages, not counting those of `after`."""
        return sum(stage.epochs for stage in self.stages)

    @property
    def size(self) -> int:
        """The side in pixels of the films that it scores. Raises WrongRecipe if it depends on a missing recipe."""
        return self.stages[-1].size if self.stages else max(each.size for each in self.members())

    @property
    def study_films(self) -> int:
        """How many films of a study its network reads together at most; 0 if it reads each alone, or has no network."""
        return self.stages[-1].study_films if self.stages else 0

    @property
    def film_size(self) -> int:
        """The largest side in pixels of any film that training it needs, with all recipes that it builds on."""
        needed = [stage.size for stage in self.stages] + [each.film_size for each in self.members()]
        return max(needed + [self.other(name).film_size for name in (self.after, self.teacher, self.judge) if name])

    def other(self, name: str) -> LabRecipe:
        """Return a recipe that this one names: a shipped one, or a file beside its own. Raises WrongRecipe."""
        return lab_recipe(name, self.folder)

    def members(self) -> list[LabRecipe]:
        """Return the recipes in `of`. Raises WrongRecipe if one is missing or keeps too few checkpoints."""
        found = []
        for name, checkpoint in map(checkpoint_of, self.of):
            member = self.other(name)
            if checkpoint > member.checkpoints:
                raise WrongRecipe(
                    f"{self.name} needs checkpoint {checkpoint} of {name}, which keeps {member.checkpoints}",
                    f"Write checkpoints = {checkpoint} into {name}{RECIPE_SUFFIX}.",
                )
            found.append(member)
        return found


_WORDS = ("title", "changes", "source", "team")
_LISTS = ("centers", "views", "without", "told", "of")
_NAMES = ("after", "head", "stages", "inference", "part_of", "system", "checkpoints")
_KNOWN = {*_WORDS, *_LISTS, *_NAMES, *FILM_FIELDS, *STAGE_FIELDS}


def recipe_names() -> tuple[str, ...]:
    """Return the names of all shipped recipes, the baseline first."""
    found = sorted(path.stem for path in RECIPES_FOLDER.glob(f"*{RECIPE_SUFFIX}"))
    return tuple(sorted(found, key=lambda name: name != BASELINE_RECIPE))


def recipe_named(name_or_file: str) -> LabRecipe:
    """Return a shipped recipe by name, or the recipe in a TOML file. Raises WrongRecipe.

    A file whose name belongs to a shipped recipe is refused, because trainings are listed by name.
    """
    path = Path(name_or_file).expanduser()
    if path.suffix != RECIPE_SUFFIX:
        return lab_recipe(name_or_file)
    if not path.is_file():
        raise WrongRecipe(f"There is no file {path}", "Correct its path, or give the name of a recipe: see `lab list`.")
    if path.resolve().parent == RECIPES_FOLDER:
        return lab_recipe(path.stem)
    if not FILE_NAME.fullmatch(path.stem) or ".." in path.stem:
        raise WrongRecipe(
            f"{path.stem!r} cannot be the name of a recipe",
            "Rename the file: up to 51 small letters, digits, points, hyphens and underscores, no space.",
        )
    if path.stem in recipe_names():
        raise WrongRecipe(
            f"{path.stem} is the name of a recipe of Tailscope", f"Rename the file {path.name}: results go by its name."
        )
    return lab_recipe(path.stem, path.resolve().parent)


def lab_recipe(name: str, folder: Path = RECIPES_FOLDER) -> LabRecipe:
    """Return the shipped recipe with this name or, if there is none, the one in `folder`. Raises WrongRecipe."""
    where = RECIPES_FOLDER if name in recipe_names() else folder
    path = where / f"{name}{RECIPE_SUFFIX}"
    if path.parent != where or not path.is_file():
        raise WrongRecipe(
            f"There is no recipe {name!r}",
            f"{nearest_words(name, recipe_names())}The recipes are: {', '.join(recipe_names())}. A recipe of your own "
            f"is a path that ends in {RECIPE_SUFFIX}.",
        )
    return recipe_in(name, _text_of(path), where)


def recipe_in(name: str, text: str, folder: Path) -> LabRecipe:
    """Return the recipe `name` with this content of its file. Raises WrongRecipe."""
    try:
        table = toml_table(text)
    except WrongToml as error:
        raise WrongRecipe(f"{name}{RECIPE_SUFFIX} is not a TOML file", f"{error}. Correct the file.") from error
    try:
        return _recipe(name, table, folder, text)
    except (ValueError, TypeError) as error:
        raise WrongRecipe(f"The recipe {name}{RECIPE_SUFFIX} is invalid", str(error)) from error


def checkpoint_of(member: str) -> tuple[str, int]:
    """Return the recipe's name and the number of its checkpoint, from 1 (the best epoch) on, of an entry of `of`."""
    name, mark, number = member.partition(CHECKPOINT_MARK)
    if mark and not (number.isdecimal() and int(number) > 0):
        raise WrongRecipe(f"{member!r} is not a checkpoint", f'Write "{name}@2" for the second best epoch of {name}.')
    return name, int(number) if mark else 1


def _text_of(path: Path) -> str:
    if path.stat().st_size > MAX_RECIPE_BYTES:
        raise WrongRecipe(f"{path.name} is too large for a recipe", "Give a TOML file of a few lines.")
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise WrongRecipe(f"{path.name} is not a TOML file", f"{error}. Correct the file.") from error


def _recipe(name: str, table: Mapping[str, Any], folder: Path, text: str) -> LabRecipe:
    only_known(table, _KNOWN, "the file")
    stages = stages_in(table, folder, DEFAULT_EPOCHS)
    head = part_in(table["head"]) if "head" in table else LINEAR_HEAD
    reads_studies = build_head(head.name, head.parameters, 8, 2, 0.0).reads_studies  # a wrong one is refused at once
    if any(stage.study_films for stage in stages) and not reads_studies:
        raise ValueError(
            f"study_films needs a head that reads several films, and {head.name} reads one. "
            'Write head = { name = "cross-view" }, or remove study_films.'
        )
    lists: dict[str, Any] = {key: _names(table, key) for key in _LISTS}
    table = table if folder == RECIPES_FOLDER else {**_words_of_own(name), **table}
    given: dict[str, Any] = {key: _text(table, key) for key in _WORDS} | lists
    return LabRecipe(
        name,
        after=_name(table, "after"),
        part_of=_name(table, "part_of"),
        system=_name(table, "system") or "",
        checkpoints=checkpoints_in(table),
        head=head,
        stages=stages,
        inference=inference_in(table, lists["of"]),
        folder=folder,
        text=text,
        **film_fields_in(table, head.name),
        **given,
    )


def _words_of_own(name: str) -> dict[str, Any]:
    """Return the words of a user's recipe that leaves them out."""
    return {"title": name, "changes": f"what {name}{RECIPE_SUFFIX} says", "source": "your own recipe", "team": ""}


def _name(table: Mapping[str, Any], key: str) -> str | None:
    name = table.get(key)
    if name is not None and not isinstance(name, str):
        raise ValueError(f"{key} is not {'the name of a system' if key == 'system' else 'a recipe name'}.")
    return name


def _names(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise ValueError(f'{key} is not a list of names. Write it like ["A"].')
    return tuple(found)


def _text(table: Mapping[str, Any], key: str) -> str:
    """Return a non-empty text; only `team` may be empty."""
    value = table.get(key)
    if not isinstance(value, str) or not (value or key == "team"):
        raise ValueError(f"{key} is not a text. State it in a few words; only team may be empty.")
    return value
