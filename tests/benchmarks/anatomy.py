"""How well anatomy is outlined: `python -m tests.benchmarks.anatomy` prints `what value [95 % interval] n goal`.

On simulated test films, whose outlines are exact: Dice by structure and the error of the cardiothoracic ratio. On real
NIH films (TAILSCOPE_SHARED, `../shared`), whose outlines nobody drew: how well the ratio alone ranks Cardiomegaly, and
how many films have no plausible outline. The network saw neither. `--weights` measures other weights than those that
ship. Exits 1 when a goal is missed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from explorer.metrics import auroc, bootstrap
from explorer.metrics.bootstrap import difference
from explorer.simulator.address import PhantomFilm
from explorer.simulator.anatomy_masks import anatomy_masks
from explorer.simulator.cohort_sampling import TEST_SPLIT
from explorer.simulator.render import render
from explorer.workshop.shipping.anatomy_films import chosen_films
from models.anatomy.cardiothoracic import cardiothoracic_ratio
from models.anatomy.network import OutlineNetwork
from models.anatomy.outliner import outline_network, outlined
from models.anatomy.outlines import Anatomy
from models.anatomy.structures import STRUCTURES
from models.array_types import Bools, Float64
from models.cards.card import PROJECT
from models.radiograph import Radiograph, read_radiograph
from models.training.nih.table import NihFilm, read_nih_table
from tests.benchmarks.command_line import command, report

NIH = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data" / "nih_cxr14"
NEEDS = ("shared",)
FILM_SIDE = 512
DICE_GOALS = {"right lung": 0.95, "left lung": 0.95, "heart": 0.90}
RATIO_GOAL, RANKED_GOAL = 0.02, 0.75
FILMS, SMALL = 300, 4  # per center
RESAMPLES = 2000
LABEL = "Cardiomegaly"
ENSEMBLE, WEIGHTS = "nih-ensemble", PROJECT / "models" / "weights"


@dataclass(frozen=True)
class Mean:
    """A figure with its interval over `n` films or patients; the goal is the least, or the most where `at_most`."""

    what: str
    value: float
    low: float
    high: float
    n: str
    goal: float | None = None
    at_most: bool = False

    @property
    def missed(self) -> bool:
        return self.goal is not None and (self.value > self.goal if self.at_most else self.value < self.goal)

    def __str__(self) -> str:
        goal = "-" if self.goal is None else f"{'<=' if self.at_most else '>='} {self.goal}"
        figure = f"{self.value:.3f} [{self.low:.3f}-{self.high:.3f}]"
        return f"{self.what:<58} {figure:<24} {self.n:<28} {goal:>8}{'  MISSED' if self.missed else ''}"


def mean_of(what: str, values: Float64, goal: float | None = None, at_most: bool = False) -> Mean:
    """Return the mean with a bootstrap interval over films; all NaN without films."""
    if not len(values):
        return Mean(what, np.nan, np.nan, np.nan, "no films")
    means = np.random.default_rng(0).choice(values, (RESAMPLES, len(values))).mean(1)
    low, high = np.quantile(means, (0.025, 0.975))
    return Mean(what, float(values.mean()), float(low), float(high), f"n {len(values)} films", goal, at_most)


def dice(found: Bools, true: Bools) -> float:
    """Return twice the common area over the sum of both areas."""
    return float(2 * (found & true).sum() / max(int(found.sum() + true.sum()), 1))


def simulated(network: OutlineNetwork, films: Iterable[PhantomFilm]) -> Iterator[Mean]:
    """Dice and the ratio's error on simulated films."""
    overlaps, errors, missing = [], [], []
    for film in films:
        pixels, _ = render(film.seed, film.requests, film.center, FILM_SIDE, film.drawing)
        true = anatomy_masks(film.seed, film.requests, film.center, FILM_SIDE, film.drawing)
        found = outlined(network, Radiograph.from_pixels(pixels, simulated=True))
        overlaps.append([dice(found[name], true[name]) for name in STRUCTURES])
        missing.append(bool(found.wrong))
        if not found.wrong:
            errors.append(cardiothoracic_ratio(found).value - cardiothoracic_ratio(true).value)
    for name, values in zip(STRUCTURES, np.array(overlaps).T, strict=True):
        yield mean_of(f"simulated: Dice, {name}", values, DICE_GOALS.get(name))
    yield mean_of("simulated: cardiothoracic ratio, absolute error", np.abs(errors), RATIO_GOAL, at_most=True)
    yield mean_of("simulated: cardiothoracic ratio, bias", np.array(errors))
    yield mean_of("simulated: no plausible outline", np.array(missing, float))


def real(network: OutlineNetwork, table: list[NihFilm]) -> Iterator[Mean]:
    """How well the ratio ranks Cardiomegaly on real films, by patient."""
    ratios = np.array([_ratio(outlined(network, read_radiograph(film.path))) for film in table])
    found = ~np.isnan(ratios)
    sharp = np.array([film.folder == "images" for film in table])
    front = np.array([film.view == "PA" for film in table])
    for words, rows in (("", front | ~front), (", PA", front), (", AP", ~front)):
        yield mean_of(f"real: no plausible outline{words}", (~found[rows]).astype(float))
    for words, rows, goal in (
        ("all", found, RANKED_GOAL),
        ("512 px", found & sharp, None),
        ("64 px", found & ~sharp, None),
        ("PA", found & front, None),
        ("AP", found & ~front, None),
    ):
        chosen = [film for film, kept in zip(table, rows, strict=True) if kept]
        if not chosen:
            continue
        labels = np.array([[float(LABEL in film.words)] for film in chosen])
        patients = np.array([film.patient for film in chosen])
        result = bootstrap(labels, ratios[rows, None], auroc, RESAMPLES, unit=patients)
        counts = f"n {len(chosen)} films, {int(labels.sum())} with it"
        what = f"real: the ratio ranks {LABEL}, AUROC, {words}"
        yield Mean(what, result.point[0], result.low[0], result.high[0], counts, goal)
    yield from beside_ensemble(table, ratios)
    ill = np.array([LABEL in film.words for film in table])
    free = np.array(["No Finding" in film.words for film in table])
    for words, rows in (
        ("films with it", found & ill),
        ("films without", found & ~ill),
        ("PA films without any finding", found & free & front),
        ("AP films without any finding", found & free & ~front),
    ):
        yield mean_of(f"real: mean ratio of {words}", ratios[rows])


def beside_ensemble(table: list[NihFilm], ratios: Float64) -> Iterator[Mean]:
    """The same films ranked by the default classifier's out-of-fold score, and by score and ratio together."""
    scores = _ensemble_scores()
    rows = [place for place, film in enumerate(table) if not np.isnan(ratios[place])]
    chosen = [table[place] for place in rows]
    labels = np.array([[float(LABEL in film.words)] for film in chosen])
    patients = np.array([film.patient for film in chosen])
    score = np.array([scores[film.image_id, film.folder] for film in chosen])
    ratio = ratios[rows]
    both = (score - score.mean()) / score.std() + (ratio - ratio.mean()) / ratio.std()
    ranked = [bootstrap(labels, values[:, None], auroc, RESAMPLES, unit=patients) for values in (ratio, score, both)]
    counts = f"n {len(chosen)} films, {int(labels.sum())} with it"
    for words, result in (
        (f"{ENSEMBLE}, same films", ranked[1]),
        (f"the ratio less {ENSEMBLE}", difference(ranked[0], ranked[1])),
        ("standardized score plus ratio", ranked[2]),
        (f"both less {ENSEMBLE}", difference(ranked[2], ranked[1])),
    ):
        yield Mean(f"real: {LABEL}, AUROC, {words}", result.point[0], result.low[0], result.high[0], counts)


def _ensemble_scores() -> dict[tuple[str, str], float]:
    """Return the out-of-fold logits by image and folder."""
    with safe_open(WEIGHTS / f"{ENSEMBLE}.oof.safetensors", "np") as file:
        names = {name: json.loads(text) for name, text in file.metadata().items()}
        logits = file.get_tensor("logits")[:, names["findings"].index(LABEL)]
    return dict(zip(zip(names["image_ids"], names["folders"], strict=True), logits.tolist(), strict=True))


def _ratio(found: Anatomy) -> float:
    return float("nan") if found.wrong else cardiothoracic_ratio(found).value


def chosen_network(weights: Path | None) -> OutlineNetwork:
    """Return the network with these weights; by default the one that ships."""
    if weights is None:
        return outline_network()
    network = OutlineNetwork()
    network.load_state_dict(load_file(weights), strict=False)
    return network.eval()


def main(arguments: list[str] | None = None) -> int:
    """Measure and report."""
    parser = command(__doc__)
    parser.add_argument("--weights", type=Path, help="other weights than those that ship, .safetensors")
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args(arguments)
    torch.set_num_threads(asked.threads)
    network = chosen_network(asked.weights)
    films = chosen_films(TEST_SPLIT, SMALL if asked.small else FILMS)
    table = read_nih_table(NIH)
    with_it = [film for film in table if LABEL in film.words]
    table = [*with_it[:20], *table[:20]] if asked.small else table

    def lines() -> Iterator[Mean]:
        yield from simulated(network, films)
        yield from real(network, table)

    return report(lines(), asked)


if __name__ == "__main__":
    raise SystemExit(main())
