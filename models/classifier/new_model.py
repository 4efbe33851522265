"""Adds a user's own model: writes a card for a weights file, loads the model and tries it before keeping it."""

from __future__ import annotations

import errno
import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor

from models.cards.address import Address
from models.cards.addressed_card import addressed_name, card_for_address
from models.cards.card import Card, UnusableModel
from models.cards.card_file import card_text
from models.cards.classifier_card import classifier_card
from models.cards.home import downloads, own_models
from models.cards.plain_file import weights_content
from models.cards.registry import REGISTRY, registered_names
from models.cards.weights_file import load_weights
from models.classifier.classifier import Classifier
from models.classifier.ensemble import AnyClassifier
from models.radiograph import Radiograph
from models.whole_file import atomic_write


@dataclass(frozen=True, slots=True)
class NewModel:
    """A model that was added under a name; `scores` belong to the film on which it was tried."""

    card: Card
    file: Path  # the card
    scores: Mapping[str, float]
    registered: bool  # the file belongs to a registered model, so no card was written


def new_model(address: Address, title: str | None, film: Radiograph, *, replace_it: bool = False) -> NewModel:
    """Add the model of an address under its own name and copy its weights next to its card in TAILSCOPE_HOME.

    Raises UnusableModel if something is missing or does not fit, or if the name is taken.
    """
    if known := registered_model_for(address):
        return _put_in_place(known, Path(address.place).expanduser(), film)
    name = addressed_name(address)
    file = own_models() / f"{name}.toml"
    if name in registered_names() or (file.exists() and not replace_it):
        remedy = "" if name in registered_names() else ", or replace it with --replace"
        raise UnusableModel(f"A model {name} already exists", f"Give another name with --name{remedy}.")
    found = replace(card_for_address(address), name=name)
    if title:
        found = replace(found, title=title)
    _, state = load_weights(found)
    weights = own_models() / f"{name}.safetensors"
    own_models().mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(weights) as partial:
        _save(state, partial)
        found = replace(found, state="", weights=weights.name, sha256=hashlib.sha256(partial.read_bytes()).hexdigest())
        model = Classifier(found, state, "cpu")  # fails before anything is kept if the weights do not fit
        scores = trial_scores(model, film)
    with atomic_write(file) as partial:
        partial.write_text(card_text(found), encoding="utf-8")
    return NewModel(classifier_card(name), file, scores, registered=False)


def _save(state: Mapping[str, Tensor], file: Path) -> None:
    """Write the weights. Raises OSError if that fails, for example because the disk is full."""
    try:
        save_file({key: _own_copy(tensor) for key, tensor in state.items()}, file)
    except SafetensorError as error:  # wraps errors of the file system
        raise OSError(errno.EIO, f"The weights cannot be written: {error}") from error


def trial_scores(model: AnyClassifier, film: Radiograph) -> dict[str, float]:
    """Return a film's scores by finding. Raises UnusableModel if they are not finite."""
    scores, features = model.read(film)
    if not (np.isfinite(scores).all() and np.isfinite(features).all()):
        raise UnusableModel(
            f"{model.card.name} gives no finite scores", "Its weights are damaged, or its input is scaled wrongly."
        )
    return dict(zip(model.findings, map(float, scores), strict=True))


def registered_model_for(address: Address) -> str | None:
    """Return the registered model that a weights file belongs to, judging by its original file name."""
    if address.kind or address.findings:
        return None
    cards = (classifier_card(name) for name in registered_names("classifier"))
    return next(
        (each.name for each in cards if each.download and Path(each.weights).name == Path(address.place).name), None
    )


def _put_in_place(name: str, file: Path, film: Radiograph) -> NewModel:
    found_card = classifier_card(name)
    target = downloads() / Path(found_card.weights).name
    if not file.is_file():
        raise UnusableModel(f"There are no weights at {file}", "Correct the path of the file.")
    if file.resolve() != target.resolve():
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic_write(target) as partial:
            shutil.copyfile(file, partial)
            found_card = replace(found_card, weights=str(partial))
            scores = _checked_scores(found_card, partial, film)
    else:
        scores = _checked_scores(found_card, target, film)
    return NewModel(classifier_card(name), REGISTRY / f"{name}.toml", scores, registered=True)


def _checked_scores(found_card: Card, file: Path, film: Radiograph) -> dict[str, float]:
    from models.cards.weights_file import read_weights

    state = read_weights(Path(classifier_card(found_card.name).weights).name, weights_content(file)).tensors
    return trial_scores(Classifier(found_card, state, "cpu"), film)


def _own_copy(tensor: Tensor) -> Tensor:
    """Return a contiguous copy that shares no memory with other tensors, as safetensors requires."""
    return tensor.detach().clone().contiguous()
