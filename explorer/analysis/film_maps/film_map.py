"""Films in two dimensions: t-SNE of a model's features, by scikit-learn.

Van der Maaten and Hinton 2008 (JMLR 9:2579), by Barnes and Hut's sums (van der Maaten 2014, JMLR 15:3221), begun from
principal components as in Kobak and Berens 2019 (Nat Commun 10:5416). Features are compared by cosine distance, as for
nearest cases: of unit vectors it is half the squared Euclidean one. Of more than DRAWN films so many are laid out, and
each of the others is put between its nearest among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import TextIOBase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.film_map import FilmMap, MadeWith, Places
from explorer.core.arrays import Floats
from explorer.core.map_area import MAP_SIDE
from explorer.core.progress import OnProgress
from explorer.core.version import version
from explorer.metrics.neighbors_kept import kept, nearest, shares_kept
from models.refusal import Refusal

SEED = 0
FEWEST = 10  # films of a map
DRAWN = 20_000  # films that are laid out at most
COMPONENTS = 50  # principal ones that t-SNE sees
PERPLEXITY = 30
ROUNDS = 1000
NEIGHBORS = 10  # of a film: how many of them the map keeps is said beside it
ASKED = 2000  # films that are asked for them
BETWEEN = 5  # films of the map that another one is put between
EDGE = 0.03  # of a side of the map, left free at each
_ROWS = 4096  # at a time: 330 MB of distances to DRAWN films
_ROUND = re.compile(r"Iteration (\d+):")


class NoMap(Refusal):
    """Films that cannot be laid out: `title` says so, `detail` why."""


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Principal components of unit vectors: their mean (d,) and directions (d, k)."""

    mean: Floats
    directions: Floats

    @classmethod
    def of(cls, units: Floats) -> Components:
        """Those of unit vectors (n, d), the greatest first; each points to where its greatest weight is positive."""
        mean = units.mean(axis=0)
        _, directions = np.linalg.eigh((units - mean).T @ (units - mean))
        directions = directions[:, ::-1][:, : min(COMPONENTS, len(units) - 1)]
        signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])])
        return cls(mean, directions * signs)

    def along(self, units: Floats) -> Floats:
        """Unit vectors (n, d) by their components (n, k)."""
        along: Floats = (units - self.mean) @ self.directions
        return along


def film_map(
    model: str,
    cases: tuple[str, ...],
    vectors: NDArray[np.floating],
    patient: NDArray[np.int64],
    features: str,
    on_progress: OnProgress = lambda done, of: None,
) -> FilmMap:
    """The map of films with these feature vectors (n, d); `features` is the version of them.

    `patient` (n,) is a number for each one's. Raises NoMap.
    """
    if len(cases) < FEWEST:
        raise NoMap("There are too few films for a map", f"{model} has features of {len(cases)}; it needs {FEWEST}.")
    order = np.array(sorted(range(len(cases)), key=cases.__getitem__))
    vectors, patient = vectors[order], patient[order]
    rng = np.random.default_rng(SEED)
    drawn = np.sort(rng.choice(len(cases), min(len(cases), DRAWN), replace=False))
    components = Components.of(unit(vectors[drawn]))
    seen = np.concatenate([components.along(unit(rows)) for rows in _chunks(vectors)])
    placed = _spread(seen, drawn, _laid_out(seen[drawn], on_progress))
    x, y = whole_places(placed)
    asked = np.sort(rng.choice(len(cases), min(len(cases), ASKED), replace=False))
    shares, plain = _shares(vectors, asked, np.stack([x, y], axis=1).astype(np.float64), seen[:, :2])
    found = kept(shares, patient[asked], SEED)
    most = _most(len(cases))
    made = MadeWith(
        model=model,
        features=features,
        library=_library(),
        settings=f"t-SNE of {seen.shape[1]} principal components, perplexity {_perplexity(len(drawn)):g}, "
        f"{ROUNDS} rounds from the first two; {len(drawn):,} of {len(cases):,} films laid out",
        seed=SEED,
        tailscope=version(),
        neighbors=most,
        asked=len(asked),
        kept=found.share,
        low=found.low,
        high=found.high,
        plain=float(plain.mean()),
        chance=most / (len(cases) - 1),
    )
    return FilmMap(tuple(cases[place] for place in order), x, y, made)


def unit(vectors: NDArray[np.floating]) -> Floats:
    """The vectors (n, d) at length 1; one of zeros stays."""
    doubles = vectors.astype(np.float64)
    lengths = np.linalg.norm(doubles, axis=1, keepdims=True)
    units: Floats = np.divide(doubles, lengths, out=doubles, where=lengths > 0)
    return units


def between(distances: Floats, places: Floats) -> Floats:
    """Where a film lies (2,) whose nearest have these distances (k,) and places (k, 2): weighted by nearness.

    The farthest counts least, but counts; one at no distance alone.
    """
    if distances.min() <= 0:
        return np.asarray(places[distances <= 0].mean(axis=0), dtype=np.float64)
    weights = 1 / distances
    return np.asarray(weights @ places / weights.sum(), dtype=np.float64)


def whole_places(placed: Floats) -> tuple[Places, Places]:
    """Places (n, 2) in the map's units, (n,) and (n,): one scale for both sides, the middle in the middle."""
    low, high = placed.min(axis=0), placed.max(axis=0)
    scale = (1 - 2 * EDGE) * MAP_SIDE / max(float((high - low).max()), 1e-9)
    units = np.clip((placed - (low + high) / 2) * scale + MAP_SIDE / 2, 0, MAP_SIDE - 1).astype(np.uint16)
    return units[:, 0], units[:, 1]


def _laid_out(seen: Floats, on_progress: OnProgress) -> Floats:
    from sklearn.manifold import TSNE  # 2 s
    from threadpoolctl import threadpool_limits

    begun = seen[:, :2] / max(float(seen[:, 0].std()), 1e-12) * 1e-4
    layout = TSNE(
        perplexity=_perplexity(len(seen)),
        init=begun.astype(np.float32),
        max_iter=ROUNDS,
        random_state=SEED,
        n_jobs=1,
        verbose=2,
    )
    # One thread: sums in another order would lead elsewhere.
    with threadpool_limits(1), redirect_stdout(_Rounds(on_progress)):
        placed = layout.fit_transform(seen.astype(np.float32))
    return np.asarray(placed, dtype=np.float64)


def _spread(seen: Floats, drawn: NDArray[np.intp], placed: Floats) -> Floats:
    """Places (n, 2) of all films: those drawn where they were laid out, each of the others between its nearest."""
    everywhere = np.empty((len(seen), 2))
    everywhere[drawn] = placed
    others = np.setdiff1d(np.arange(len(seen)), drawn)
    known = seen[drawn]
    for rows in _chunks(others):
        apart = (seen[rows] ** 2).sum(axis=1)[:, None] + (known**2).sum(axis=1) - 2 * seen[rows] @ known.T
        near = np.argpartition(apart, BETWEEN - 1, axis=1)[:, :BETWEEN]
        for row, those, distances in zip(rows, near, np.take_along_axis(apart, near, axis=1), strict=True):
            everywhere[row] = between(np.maximum(distances, 0), placed[those])
    return everywhere


def _shares(
    vectors: NDArray[np.floating], asked: NDArray[np.intp], places: Floats, plain: Floats
) -> tuple[Floats, Floats]:
    """Of each film asked, the share of its nearest by features that are among its nearest on the map, and plainly."""
    most, units = _most(len(vectors)), np.concatenate([unit(rows).astype(np.float32) for rows in _chunks(vectors)])
    shares: list[tuple[Floats, Floats]] = []
    for rows in _chunks(asked, 256):
        true = nearest(units, rows, most)
        shares.append((shares_kept(true, nearest(places, rows, most)), shares_kept(true, nearest(plain, rows, most))))
    of_map, of_plain = zip(*shares, strict=True)
    return np.concatenate(of_map), np.concatenate(of_plain)


class _Rounds(TextIOBase):
    """Reads how far scikit-learn is from what it prints, its only way to say so."""

    def __init__(self, on_progress: Callable[[int, int], object]) -> None:
        self._on_progress = on_progress

    def write(self, text: str, /) -> int:
        if said := _ROUND.search(text):
            self._on_progress(min(int(said[1]), ROUNDS), ROUNDS)
        return len(text)


def _perplexity(n: int) -> float:
    return min(PERPLEXITY, (n - 1) / 3)


def _most(n: int) -> int:
    return min(NEIGHBORS, n - 1)


def _library() -> str:
    import sklearn

    return f"scikit-learn {sklearn.__version__}"


def _chunks(rows: NDArray[Any], size: int = _ROWS) -> list[NDArray[Any]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]
