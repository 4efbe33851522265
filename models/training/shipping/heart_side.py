"""Makes the network that detects mirrored films: `python -m models.training.shipping.heart_side --root NIH --out RUN`.

Trains five folds by patient, then all films. Films are shown unchanged or mirrored, with random patches covered, so
that the network does not learn side markers instead. An interrupted run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional

from models.array_types import Float32
from models.cards.known_file import sha256_of
from models.gate.film_looks import thumbnail
from models.gate.heart_side import HEART_SIDE_WEIGHTS, INPUT_SIDE, square_input
from models.radiograph import read_radiograph
from models.statistics import wilson
from models.training.augment import augment
from models.training.nih.table import read_nih_table
from models.training.shipping.crossval import FOLDS
from models.whole_file import atomic_write

log = logging.getLogger(__name__)

WIDTHS = (8, 16, 32, 64)
EPOCHS, BATCH_SIZE, LEARNING_RATE = 25, 64, 4e-3
MAX_PATCHES = 3  # maximum per film; each is 6 to 22 pixels per side
FALSE_ALARMS = 0.005  # fraction of unmirrored films that get a warning, out of fold


class HeartSideNetwork(nn.Module):
    """Four pairs of convolutions, each followed by pooling, and a linear layer; antisymmetric under mirroring."""

    def __init__(self) -> None:
        super().__init__()
        ends = zip((1, *WIDTHS), WIDTHS, strict=False)
        self.layers = nn.ModuleList(
            layer for start, end in ends for layer in (ConvolutionBlock(start, end), ConvolutionBlock(end, end))
        )
        self.drop = nn.Dropout(0.3)
        self.last = nn.Linear(WIDTHS[-1] * (INPUT_SIDE // 2 ** len(WIDTHS)) ** 2, 1)

    def forward(self, films: Tensor) -> Tensor:
        """Return the log odds (n,) that standardized films (n, 1, SIDE, SIDE) are not mirrored."""
        difference: Tensor = self._outputs(films) - self._outputs(films.flip(-1))
        return difference

    def _outputs(self, films: Tensor) -> Tensor:
        for place, layer in enumerate(self.layers):
            films = layer(films)
            films = functional.max_pool2d(films, 2) if place % 2 else films
        outputs: Tensor = self.last(self.drop(films.flatten(1)))[:, 0]
        return outputs


class ConvolutionBlock(nn.Module):
    """A 3 x 3 convolution with batch norm."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(start, end, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(end)

    def forward(self, films: Tensor) -> Tensor:
        """Map films (n, start, h, w) to non-negative (n, end, h, w)."""
        passed: Tensor = self.norm(self.convolution(films)).relu()
        return passed


def standardize(films: Tensor) -> Tensor:
    """Scale films (n, 1, h, w) to mean 0 and standard deviation 1 each."""
    mean = films.mean((1, 2, 3), keepdim=True)
    return (films - mean) / (films.std((1, 2, 3), keepdim=True, correction=0) + 1e-3)


def train_network(films: Float32, seed: int) -> HeartSideNetwork:
    """Train a network on films (n, SIDE, SIDE) in [0, 1]."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    network, everything = HeartSideNetwork(), torch.from_numpy(films)[:, None]
    optimizer = torch.optim.AdamW(network.parameters(), LEARNING_RATE, weight_decay=0.05)
    rounds = len(films) // BATCH_SIZE
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, LEARNING_RATE, total_steps=EPOCHS * rounds)
    for _ in range(EPOCHS):
        order = torch.randperm(len(films), generator=generator)
        for start in range(0, rounds * BATCH_SIZE, BATCH_SIZE):
            rows = order[start : start + BATCH_SIZE]
            changed, _ = augment(everything[rows], torch.zeros(BATCH_SIZE, dtype=torch.bool), INPUT_SIDE, generator)
            shown = cover_patches(changed, generator)
            side = torch.where(torch.rand(BATCH_SIZE, generator=generator) < 0.5, -1.0, 1.0)
            shown = torch.where(side.view(-1, 1, 1, 1) < 0, shown.flip(-1), shown)
            loss = functional.softplus(-network(standardize(shown)) * side).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return network.eval()


def cover_patches(films: Tensor, generator: torch.Generator) -> Tensor:
    """Cover films (n, 1, SIDE, SIDE) with up to PATCHES gray rectangles each, so that side markers may be hidden."""
    for film in films:
        for _ in range(int(torch.randint(MAX_PATCHES + 1, (1,), generator=generator))):
            height, width = torch.randint(6, 22, (2,), generator=generator).tolist()
            top, left = torch.randint(INPUT_SIDE, (2,), generator=generator).tolist()
            film[:, top : top + height, left : left + width] = torch.rand(1, generator=generator)
    return films


@torch.no_grad()
def side_log_odds(network: HeartSideNetwork, films: Float32) -> Float32:
    """Return the log odds (n,) of films (n, SIDE, SIDE)."""
    everything = torch.from_numpy(films)[:, None]
    found = [network(standardize(everything[start : start + 256])) for start in range(0, len(films), 256)]
    return torch.cat(found).numpy()


def fold_batch_norms(network: HeartSideNetwork) -> dict[str, Float32]:
    """Return the weights and biases for `models.gate.heart_side`, with batch norms folded in."""
    numbers: dict[str, Float32] = {}
    layers = [layer for layer in network.layers if isinstance(layer, ConvolutionBlock)]
    for place, layer in enumerate(layers):
        norm, weight = layer.norm, layer.convolution.weight
        mean, variance = norm.get_buffer("running_mean"), norm.get_buffer("running_var")
        scale = norm.weight / (variance + norm.eps).sqrt()
        bias = norm.bias - mean * scale
        weight = weight * scale.view(-1, 1, 1, 1)
        numbers |= {f"{place}.weight": weight.detach().numpy(), f"{place}.bias": bias.detach().numpy()}
    numbers[f"{len(layers)}.weight"] = network.last.weight.detach().numpy()[0]
    return numbers | {f"{len(layers)}.bias": network.last.bias.detach().numpy()}


def main() -> None:
    """Train what is missing, then write the weights and their card."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.heart_side", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder for the folds' results")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)

    table = read_nih_table(options.root)
    with ThreadPoolExecutor(4) as pool:
        films = np.stack(list(pool.map(lambda film: square_input(thumbnail(read_radiograph(film.path).pixels)), table)))
    patients, patient = np.unique([film.patient for film in table], return_inverse=True)
    folds = np.random.default_rng(0).permutation(len(patients))[patient] % FOLDS
    found = np.empty(len(films), np.float32)
    for fold in range(FOLDS):
        target = options.out / f"fold-{fold}.npy"
        if not target.exists():
            odds = side_log_odds(train_network(films[folds != fold], fold), films[folds == fold])
            with atomic_write(target) as partial, partial.open("wb") as file:
                np.save(file, odds)
        found[folds == fold] = np.load(target)
        log.info("fold %d: %.3f recognized as not mirrored", fold, (found[folds == fold] > 0).mean())

    cut = float(np.quantile(found, FALSE_ALARMS))
    shipped = fold_batch_norms(train_network(films, FOLDS)) | {
        "cut": np.array([cut], np.float32),
        "oof.heart_side": found,
    }
    with atomic_write(HEART_SIDE_WEIGHTS) as partial:
        save_file(shipped, partial)
    log.info("SHA256 of models/gate/heart_side.py is now %s", sha256_of(HEART_SIDE_WEIGHTS))
    with atomic_write(HEART_SIDE_WEIGHTS.with_suffix(".md")) as partial:
        partial.write_text(card_markdown(found, cut, len(patients)), encoding="utf-8")


def card_markdown(found: Float32, cut: float, patients: int) -> str:
    """Return the Markdown card of the weights; `found` (n,) is out of fold."""
    n = len(found)
    return f"""# heart-side

A small convolutional network at {INPUT_SIDE} x {INPUT_SIDE} px that tells a mirrored chest film from others: the \
gate warns of a film whose heart seems to lie on the left of the picture. Trained on {n:,} frontal NIH ChestX-ray14 \
films of {patients:,} patients, each shown as it is or mirrored, turned, zoomed and partly covered at random. None is \
taken to be mirrored itself. Not for medical use.

Out of fold, five folds by patient, n {n:,} films (95 % interval, Wilson's):

- more like a film that is not mirrored than like a mirrored one: {_rate(found > 0)}
- at the cut of {cut:.2f} that is shipped, chosen on these films: {_rate(found < cut)} of them are \
warned of, and {_rate(-found < cut)} of the same films mirrored

Made by `python -m models.training.shipping.heart_side --root NIH_FOLDER --out RUN`. `oof.heart_side` holds the \
numbers behind the figures, in the order of the table.
"""


def _rate(hits: NDArray[np.bool_]) -> str:
    low, high = wilson(int(hits.sum()), len(hits))
    return f"{100 * hits.mean():.1f} % [{100 * low:.1f}-{100 * high:.1f}]"


if __name__ == "__main__":
    main()
