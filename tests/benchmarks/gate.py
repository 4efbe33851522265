"""What the gate refuses: `python -m tests.benchmarks.gate` prints `what refused/n rate [95 % interval] goal`.

Exits 1 when a goal is missed. NIH films are those the model was trained on, so that their lines are counted from the
out-of-fold numbers in the gate file: each film judged with statistics and features of a fold that saw no film of its
patient, as it is, inverted and turned (models/training/shipping/gate.py). Everything else is read and judged here. No
statistic and no cut was fitted on Hannover films (TAILSCOPE_SHARED, `../shared`) or on images that are not films, but
both were looked at while the method was chosen, so they are not a blind test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file

from explorer.core.rates import Rate
from explorer.reading.samples import sample_bytes
from explorer.simulator import ABNORMAL, CENTERS, render
from models import load
from models.classifier.classifier import Classifier
from models.films.amend import TURNS, Remedy, apply_remedy
from models.gate.film_looks import IDENTITY, TRANSFORMS, FilmTransform, thumbnail
from models.gate.heart_side import HEART_SIDE_WEIGHTS, heart_side, heart_side_network
from models.gate.judgment import judge
from models.radiograph import Radiograph, read_radiograph
from tests.benchmarks import not_films
from tests.benchmarks.body_parts import body_parts
from tests.benchmarks.command_line import command, report
from tests.benchmarks.timing import Figure, paired_ms

DATA = Path(os.environ.get("TAILSCOPE_SHARED", Path(__file__).parents[3] / "shared")).resolve() / "data"
NEEDS = ("shared",)
AT_MOST, NOT_A_FILM, HELD_WRONG = 0.05, 0.95, 0.90
UNDONE: dict[Remedy, Remedy] = {"turn left": "turn right", "turn right": "turn left"}


@dataclass(frozen=True)
class Count:
    """How many images of a kind were refused; `goal` is the most that may be, or the fewest where `least`."""

    what: str
    rate: Rate
    goal: float | None = None
    least: bool = True

    @property
    def missed(self) -> bool:
        value = self.rate.value
        return self.goal is not None and (value is None or (value < self.goal if self.least else value > self.goal))

    def __str__(self) -> str:
        goal = "-" if self.goal is None else f"{'>=' if self.least else '<='} {self.goal:.0%}"
        low, high = self.rate.interval or (0.0, 1.0)
        counted = f"{self.rate.hits:>5} of {self.rate.n:<5} {self.rate.value or 0:>6.1%} [{low:.1%}-{high:.1%}]"
        return f"{self.what:<54} {counted:<34} {goal:>7}{'  MISSED' if self.missed else ''}"


def out_of_fold(model: Classifier, _most: int | None) -> Iterator[Count]:
    """NIH films, from the numbers that are shipped."""
    card = model.card
    with safe_open(card.local_file(str(card.gate)), "np") as file:
        ways, strange, cut = (file.get_tensor(name) for name in ("oof.ways", "oof.strangeness", "cut"))
    with safe_open(card.local_file(str(card.cohort)), "np") as file:
        folders = np.array(json.loads(file.metadata()["folders"]))
    chest = strange <= cut
    refused = ~chest[:, 0] | (ways[:, 0] != TRANSFORMS.index(IDENTITY))
    for folder in np.unique(folders):
        rows = folders == folder
        yield Count(f"NIH {folder}, out of fold", _rate(refused[rows]), AT_MOST, least=False)
    inverted = chest[:, 1] & (ways[:, 1] == TRANSFORMS.index(FilmTransform(True, 0)))
    yield Count("NIH inverted, refused for that, out of fold", _rate(inverted), HELD_WRONG)
    # Turned by `turns` quarter turns to the left, a film is upright again after the rest of the circle.
    for column, (turns, name) in enumerate(((1, "left"), (2, "around"), (3, "right")), start=2):
        turned = chest[:, column] & (ways[:, column] == TRANSFORMS.index(FilmTransform(False, 4 - turns)))
        yield Count(f"NIH turned {name}, refused for that, out of fold", _rate(turned), HELD_WRONG)


def hannover_films(most: int | None) -> list[Radiograph]:
    """The films of that center, or the first ones."""
    return [read_radiograph(path) for path in sorted((DATA / "hannover" / "images").glob("*.jpg"))[:most]]


def hannover(model: Classifier, most: int | None) -> Iterator[Count]:
    """Films of a center that had no part in anything."""
    films = hannover_films(most)
    yield Count("Hannover", _refused(films, model), AT_MOST, least=False)
    remedies: tuple[Remedy, ...] = ("invert", *TURNS)
    for done in remedies:
        right = [judge(apply_remedy(film, done), model).details.remedy == UNDONE.get(done, done) for film in films]
        yield Count(f"Hannover after {done!r}, refused for that", _rate(np.array(right)), HELD_WRONG)


def mirrored(_model: Classifier, most: int | None) -> Iterator[Count]:
    """Films and their mirror images: NIH's out of fold, Hannover's and simulated ones read here."""
    found = load_file(HEART_SIDE_WEIGHTS)["oof.heart_side"]
    _, cut = heart_side_network()
    kinds = {"NIH, out of fold": found}
    films = hannover_films(most)
    kinds["Hannover"] = np.array([heart_side(thumbnail(film.pixels)) for film in films])
    simulated = [
        render(seed, [ABNORMAL[seed % len(ABNORMAL)]], center, 256)[0]
        for seed in range(most or 150)
        for center in CENTERS
    ]
    kinds["simulated"] = np.array([heart_side(thumbnail(film)) for film in simulated])
    for kind, sides in kinds.items():
        yield Count(f"{kind}, said to be mirrored", _rate(sides < cut), AT_MOST, least=False)
        yield Count(f"{kind}, mirrored, said to be", _rate(-sides < cut))


def others(model: Classifier, most: int | None) -> Iterator[Count]:
    """What is no frontal chest film, by kind and together; colored pictures count once more in gray."""
    legs = [read_radiograph(sample_bytes("leg"))]
    pictures = list(not_films.readable(not_films.pictures()[:most]))
    kinds: dict[str, Iterable[Radiograph]] = {
        "leg RG3, by its header": legs,
        "leg RG3 without a header, held 8 ways": [film for leg in legs for film in _held(not_films.grey(leg))],
        "pictures of packages, as they are": pictures,
        "pictures of packages, in gray": [not_films.grey(film) for film in pictures],
        "CT, MR, ultrasound without a header": islice(not_films.slices(), most),
        "text pages, drawn": not_films.pages(most or 60),
        "charts, drawn": not_films.charts(most or 40),
        "patterns, drawn": not_films.patterns(most or 20),
        "noise": not_films.noises(most or 20),
        "blank or nearly blank": not_films.blanks(most or 20),
        "other body parts, simulated": map(Radiograph.from_pixels, body_parts(most or 30)),
    }
    counts = [Count(f"no chest film: {kind}", _refused(films, model), NOT_A_FILM) for kind, films in kinds.items()]
    yield from counts
    together = Rate(sum(count.rate.hits for count in counts), sum(count.rate.n for count in counts))
    yield Count("no chest film: all kinds", together, NOT_A_FILM)


def reading(model: Classifier, most: int | None) -> Iterator[Count | Figure]:
    """One film of another machine, and what judging it adds to reading it."""
    film = read_radiograph(sample_bytes("masses"))
    features = model.features([film])[0]
    yield Count("RG1", _refused([film], model), AT_MOST, least=False)
    times = paired_ms({"judge": lambda: judge(film, model, features)}, most or 40)
    yield Figure("judge RG1, features at hand", times["judge"], "ms", 10)


def _held(film: Radiograph) -> Iterator[Radiograph]:
    for way in TRANSFORMS:
        pixels = 1 - film.pixels if way.inverted else film.pixels
        yield Radiograph.from_pixels(np.rot90(pixels, way.turns))


def _refused(films: Iterable[Radiograph], model: Classifier) -> Rate:
    return _rate(np.array([not judge(film, model).readable for film in films]))


def _rate(hits: NDArray[np.bool_]) -> Rate:
    return Rate(int(hits.sum()), len(hits))


def measured(most: int | None) -> Iterator[Count | Figure]:
    """Every line; `most`: of so many images of a kind."""
    model = load.classifier("nih-mini", "cpu")
    for part in (out_of_fold, hannover, mirrored, others, reading):
        yield from part(model, most)


def main(words: Sequence[str] | None = None) -> int:
    """Print every line; 1 where a goal is missed."""
    asked = command(__doc__).parse_args(words)
    return report(measured(1 if asked.small else None), asked)


if __name__ == "__main__":
    raise SystemExit(main())
