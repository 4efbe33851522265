"""Parses a recipe's TOML table: its words, its stages, and the parts that they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from models.cards.torch_file import TORCH_SUFFIXES
from models.training.augmentation.registry import build_augmentation
from models.training.backbone import backbone_shape
from models.training.inference.registry import build_inference
from models.training.losses.registry import build_loss
from models.training.mixing.registry import build_mixing
from models.training.nearest_name import nearest_words, unknown_name
from models.training.parameters import Parameter, has_type_of
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.sampling.registry import SAMPLERS
from models.training.similarity.registry import build_similarity

DEFAULT_EPOCHS = 6  # default per stage: every recipe has this budget
MAX_CHECKPOINTS = 10
OPTIMIZERS = ("adamw", "lion")
TRAINS = re.compile(r"all|head|last [1-9]\d?")
STAGE_FIELDS = {each.name: each.default for each in fields(TrainingRecipe)}
WEIGHTS_SUFFIXES = (".safetensors", *TORCH_SUFFIXES)
# All stages train the same network.
SHARED_FIELDS = ("architecture", "start", "dropout", "drop_path", "expert_layers", "experts", "pyramid_levels")
PART_FIELDS = ("loss", "augmentation", "mixing", "similarity")
MIN_NUMBERS = {
    "size": 32,
    "epochs": 1,
    "batch": 2,
    "accumulate": 1,
    "study_films": 0,
}  # least value of a stage's whole numbers


def stages_in(table: Mapping[str, Any], folder: Path, epochs: int) -> tuple[TrainingRecipe, ...]:
    """Return the stages of a recipe: the baseline's training, changed by the fields that the whole file or one of its
    tables [[stages]] sets.

    Start files are relative to `folder`. Raises ValueError.
    """
    given = table.get("stages", [])
    if not isinstance(given, list) or not (given or "of" in table):
        raise ValueError("There is no stage. Write at least one table [[stages]].")
    shared = {key: value for key, value in table.items() if key in STAGE_FIELDS}
    if shared and not given:
        raise ValueError(f"A recipe that trains nothing has no {', '.join(shared)}. Remove it.")
    made = tuple(_stage(_placed({**shared, **_table(stage)}, folder), epochs) for stage in given)
    for number, stage in enumerate(made, 1):
        for name in SHARED_FIELDS:
            if getattr(stage, name) != getattr(made[0], name):
                raise ValueError(
                    f"Stage {number} has another {name} than stage 1, but all stages train the same network. Write "
                    f"{name} above the first [[stages]], or train another recipe and continue it with `after`."
                )
    return made


def inference_in(table: Mapping[str, Any], networks: tuple[str, ...]) -> RecipePart | None:
    """Return how the networks of other recipes answer; None if the recipe trains its own. Raises ValueError."""
    if "inference" not in table and not networks:
        return None
    if "inference" not in table or not networks or table.get("stages"):
        raise ValueError(
            "A recipe that trains nothing needs both `of`, the recipes whose networks answer, and `inference`; "
            "other recipes have neither."
        )
    inference = part_in(table["inference"])
    build_inference(inference.name, inference.parameters, len(networks))
    return inference


def part_in(table: object) -> RecipePart:
    """Return a part such as a loss or a head. Raises ValueError if it is not a table with a name."""
    if not isinstance(table, dict) or not isinstance(table.get("name"), str):
        raise ValueError('A loss, head or inference must be a table with a name: { name = "focal", gamma = 2.0 }.')
    return RecipePart(table["name"], {key: _frozen(value) for key, value in table.items() if key != "name"})


def only_known(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise ValueError if a table has other keys than these, naming the nearest known one."""
    names = sorted(known)
    unknown = sorted(set(table) - set(names))
    if unknown:
        raise ValueError(
            f"Unknown in {where}: {', '.join(unknown)}. {nearest_words(unknown[0], names)}Known: {', '.join(names)}."
        )


def checkpoints_in(table: Mapping[str, Any]) -> int:
    """Return how many epochs of the last stage are kept. Raises ValueError."""
    number = table.get("checkpoints", 1)
    if not has_type_of(number, 1) or not 1 <= number <= MAX_CHECKPOINTS:
        raise ValueError(f"checkpoints is {number!r}. Give a whole number from 1 to {MAX_CHECKPOINTS}.")
    return int(number)


def _stage(table: Mapping[str, Any], epochs: int) -> TrainingRecipe:
    only_known(table, STAGE_FIELDS, "a stage")
    changed: dict[str, Any] = {"epochs": epochs, "loss": RecipePart("bce")}
    for key, value in table.items():
        changed[key] = part_in(value) if key in PART_FIELDS else _like(STAGE_FIELDS[key], key, value)
    stage = TrainingRecipe(**changed)
    if stage.sampler not in SAMPLERS:
        raise ValueError(unknown_name("sampler", stage.sampler, SAMPLERS))
    if stage.optimizer not in OPTIMIZERS:
        raise ValueError(unknown_name("optimizer", stage.optimizer, OPTIMIZERS))
    if not TRAINS.fullmatch(stage.trains):
        raise ValueError(
            f"trains is {stage.trains!r}. Choose all, head, or last 2 (the head and the backbone's last two stages)."
        )
    for key, least in MIN_NUMBERS.items():
        if getattr(stage, key) < least:
            raise ValueError(f"{key} of a stage is {getattr(stage, key)}. It must be at least {least}.")
    _check_parts(stage)
    return stage


def _check_parts(stage: TrainingRecipe) -> None:
    """Build the parts of a stage once, for two films with one finding, so that a wrong one is refused at once.

    The network is built without its weights.
    """
    backbone_shape(stage.architecture, stage.size)
    build_loss(stage.loss.name, stage.loss.parameters, [1.0], 2)
    build_augmentation(stage.augmentation.name, stage.augmentation.parameters, [1.0], 2)
    build_similarity(stage.similarity.name, stage.similarity.parameters)
    if stage.mixes:
        build_mixing(stage.mixes.name, stage.mixes.parameters)


def _table(stage: object) -> Mapping[str, Any]:
    if not isinstance(stage, dict):
        raise ValueError("A stage is not a table. Write [[stages]] and its fields below.")
    return stage


def _placed(stage: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return a stage whose start, if it is a file, is found from the recipe's folder."""
    start = stage.get("start")
    if not isinstance(start, str) or Path(start).suffix not in WEIGHTS_SUFFIXES:
        return stage
    return {**stage, "start": str(folder / Path(start).expanduser())}


def _like(default: object, key: str, value: object) -> object:
    """Return the value; raises ValueError if its type differs from the default's."""
    if not has_type_of(value, default):
        raise ValueError(f"{key} of a stage is {value!r}. Give a value like {default!r}.")
    return value


def _frozen(value: Any) -> Parameter:  # noqa: ANN401
    parameter: Parameter = tuple(value) if isinstance(value, list) else value
    return parameter
