"""Ships a finished run: weights, out-of-fold numbers, registry file, card."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import Tensor

from models.cards.card import PROJECT
from models.cards.registry import REGISTRY
from models.load import classifier
from models.radiograph import read_radiograph
from models.training.films import TrainingFilms
from models.training.network import normalize
from models.training.nih.dataset import NIH_FINDINGS
from models.training.nih.kept_numbers import KeptNumbers
from models.training.nih.nih_recipe import NihRecipe
from models.training.nih.result import TrainingResult, out_of_fold_figures
from models.training.recipe import TrainingRecipe
from models.training.saved_network import classifier_state
from models.training.shipping.crossval import FOLDS, fold_weights_path, out_of_fold_logits
from models.training.shipping.gate import write_gate_file
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.card_file import card_markdown
from models.training.shipping.nih.registry_file import registry_text
from models.training.trained import load_trained
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
WEIGHTS_FOLDER = PROJECT / "models" / "weights"


def ship_model(out: Path, films: TrainingFilms, folds: NDArray[np.int64], chosen: NihRecipe) -> None:
    """Write all shipped files, from the folds and the final model in `out`."""
    name, recipe = chosen.name, chosen.recipe
    logits, stopped, epoch = out_of_fold_logits(out, films)
    checkpoints = [fold_weights_path(out, fold, int(stopped[fold])) for fold in range(FOLDS)]
    maximum = heat_maximum(checkpoints, folds, films, recipe)
    sha256 = write_weights(out / "final.safetensors", WEIGHTS_FOLDER / f"{name}.safetensors", len(NIH_FINDINGS))
    write_gate_file(out, films, folds, recipe, WEIGHTS_FOLDER / f"{name}.gate.safetensors")
    facts = TrainingResult(chosen, epoch, sha256, maximum, out_of_fold_figures(films, folds, logits))
    write_text(REGISTRY / f"{name}.toml", registry_text(facts))
    write_text(WEIGHTS_FOLDER / f"{name}.md", card_markdown(facts))
    _kept(films, folds, logits, _features(name, films)).write(WEIGHTS_FOLDER / f"{name}.oof.safetensors")
    write_file_hashes(REGISTRY / f"{name}.toml")
    log.info("shipped %s, sha256 %s", name, sha256)


def heat_maximum(
    checkpoints: Sequence[Path], parts: NDArray[np.int64], films: TrainingFilms, recipe: TrainingRecipe
) -> float:
    """Return the 99.9th percentile over all maps; maps of part p come from model p, which saw none of its films."""
    heat, count = [], films.labels.shape[1]
    for part, path in enumerate(checkpoints):
        backbone = load_trained(path, recipe)
        for row in np.flatnonzero(parts == part):
            pixels = torch.from_numpy(films.pixels[row]).float().div(255)[None, None]
            with torch.no_grad():
                maps = backbone.maps(normalize(pixels))
            heat.append(backbone.grad_cam(maps, count)[1].numpy())
    return float(np.quantile(np.stack(heat), 0.999))


def _features(name: str, films: TrainingFilms) -> NDArray[np.float16]:
    """Return features (n, d) of every film from the shipped model, so that they are comparable with a new film's.

    The features of the five folds' models are not comparable with one another.
    """
    model = classifier(str(REGISTRY / f"{name}.toml"), "cpu")
    read = [model.features([read_radiograph(path)])[0] for path in films.paths]
    return np.stack(read).astype(np.float16)


def write_weights(source: Path, target: Path, count: int) -> str:
    """Write the final model in half precision with its first `count` outputs, without traits; return its sha256."""
    state = classifier_state(source)
    for name in ("classifier.weight", "classifier.bias"):
        state[name] = state[name][:count]
    save_half(state, target)
    return hashlib.sha256(target.read_bytes()).hexdigest()


def _kept(
    films: TrainingFilms, folds: NDArray[np.int64], logits: NDArray[np.float32], features: NDArray[np.float16]
) -> KeptNumbers:
    return KeptNumbers(
        findings=tuple(NIH_FINDINGS.values()),
        image_ids=list(films.image_ids),
        files=[path.name for path in films.paths],
        patients=films.patients.tolist(),
        folders=films.folders.tolist(),
        labels=films.labels > 0.5,
        logits=logits,
        folds=folds.astype(np.uint8),
        traits=films.traits,
        features=features,
    )


def save_half(state: Mapping[str, Tensor], target: Path) -> None:
    """Write a network's tensors in half precision."""
    half = {
        name: (tensor.half() if tensor.is_floating_point() else tensor).contiguous() for name, tensor in state.items()
    }
    save_tensors(half, target, {"format": "pt"})


def save_tensors(tensors: dict[str, Tensor], target: Path, metadata: dict[str, str]) -> None:
    with atomic_write(target) as partial:
        save_file(tensors, partial, metadata)


def write_text(target: Path, text: str) -> None:
    with atomic_write(target) as partial:
        partial.write_text(text, encoding="utf-8")
