"""Lays films out in two dimensions: t-SNE of a model's features, by scikit-learn.

Van der Maaten and Hinton 2008 (JMLR 9:2579), with the Barnes-Hut approximation (van der Maaten 2014, JMLR 15:3221),
initialized with principal components as in Kobak and Berens 2019 (Nat Commun 10:5416). Features are compared by cosine
distance, as for nearest cases; for unit vectors this is half the squared Euclidean distance. Large cohorts are sampled,
and each remaining film is placed between its nearest sampled films.
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

from explorer.cohorts.film_map import FilmMap, MadeWith, Positions
from explorer.core.arrays import Floats
from explorer.core.map_area import MAP_SIDE
from explorer.core.progress import OnProgress
from explorer.core.version import version
from explorer.metrics.neighbors_kept import mean_share_kept, nearest_rows, shares_kept
from models.refusal import Refusal

MAP_SEED = 0
MIN_MAP_FILMS = 10  # films
MAX_LAID_OUT = 20_000  # films laid out by t-SNE, at most
MAX_COMPONENTS = 50  # principal components passed to t-SNE
PERPLEXITY = 30
TSNE_ROUNDS = 1000
MAX_NEIGHBORS = 10  # per film, for the reported share of neighbors that the map preserves
NEIGHBOR_SAMPLE = 2000  # films sampled for that share
ANCHORS = 5  # sampled films that place a remaining film
MARGIN_SHARE = 0.03  # margin, as a share of the map's side
_ROWS = 4096  # per chunk: 330 MB of distances
_ROUND = re.compile(r"Iteration (\d+):")


class NoMap(Refusal):
    """Films that cannot be laid out: `title` says so, `detail` why."""


@dataclass(frozen=True, slots=True, eq=False)
class PrincipalComponents:
    """Principal components of unit vectors: their mean (d,) and directions (d, k)."""

    mean: Floats
    directions: Floats

    @classmethod
    def of(cls, units: Floats) -> PrincipalComponents:
        """Compute components of unit vectors (n, d), largest first, signed so that the largest weight is positive."""
        mean = units.mean(axis=0)
        _, directions = np.linalg.eigh((units - mean).T @ (units - mean))
        directions = directions[:, ::-1][:, : min(MAX_COMPONENTS, len(units) - 1)]
        signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])])
        return cls(mean, directions * signs)

    def along(self, units: Floats) -> Floats:
        """Project unit vectors (n, d) onto the components, as (n, k)."""
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
    """Return the map of films with feature vectors (n, d); `features` is their version.

    `patient` (n,) numbers each film's patient. Raises NoMap.
    """
    if len(cases) < MIN_MAP_FILMS:
        raise NoMap(
            "Too few films for a map", f"{model} has features of {len(cases)} films; a map needs {MIN_MAP_FILMS}."
        )
    order = np.array(sorted(range(len(cases)), key=cases.__getitem__))
    vectors, patient = vectors[order], patient[order]
    rng = np.random.default_rng(MAP_SEED)
    drawn = np.sort(rng.choice(len(cases), min(len(cases), MAX_LAID_OUT), replace=False))
    components = PrincipalComponents.of(normalize_vectors(vectors[drawn]))
    seen = np.concatenate([components.along(normalize_vectors(rows)) for rows in _chunks(vectors)])
    placed = _spread(seen, drawn, _tsne_layout(seen[drawn], on_progress))
    x, y = map_coordinates(placed)
    asked = np.sort(rng.choice(len(cases), min(len(cases), NEIGHBOR_SAMPLE), replace=False))
    shares, plain = _shares(vectors, asked, np.stack([x, y], axis=1).astype(np.float64), seen[:, :2])
    found = mean_share_kept(shares, patient[asked], MAP_SEED)
    most = _neighbor_count(len(cases))
    made = MadeWith(
        model=model,
        features=features,
        library=_library(),
        settings=f"t-SNE of {seen.shape[1]} principal components, perplexity {_perplexity(len(drawn)):g}, "
        f"{TSNE_ROUNDS} rounds from the first two; {len(drawn):,} of {len(cases):,} films laid out",
        seed=MAP_SEED,
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


def normalize_vectors(vectors: NDArray[np.floating]) -> Floats:
    """Normalize vectors (n, d) to length 1, leaving zero vectors unchanged."""
    doubles = vectors.astype(np.float64)
    lengths = np.linalg.norm(doubles, axis=1, keepdims=True)
    units: Floats = np.divide(doubles, lengths, out=doubles, where=lengths > 0)
    return units


def interpolate_position(distances: Floats, places: Floats) -> Floats:
    """Return a film's position (2,): the mean of its nearest films' positions (k, 2), weighted by 1 / distance (k,).

    If any films are at distance 0, they alone determine it.
    """
    if distances.min() <= 0:
        return np.asarray(places[distances <= 0].mean(axis=0), dtype=np.float64)
    weights = 1 / distances
    return np.asarray(weights @ places / weights.sum(), dtype=np.float64)


def map_coordinates(placed: Floats) -> tuple[Positions, Positions]:
    """Convert positions (n, 2) to integer map units x (n,) and y (n,), centered and equally scaled."""
    low, high = placed.min(axis=0), placed.max(axis=0)
    scale = (1 - 2 * MARGIN_SHARE) * MAP_SIDE / max(float((high - low).max()), 1e-9)
    units = np.clip((placed - (low + high) / 2) * scale + MAP_SIDE / 2, 0, MAP_SIDE - 1).astype(np.uint16)
    return units[:, 0], units[:, 1]


def _tsne_layout(seen: Floats, on_progress: OnProgress) -> Floats:
    from sklearn.manifold import TSNE  # takes 2 s to import
    from threadpoolctl import threadpool_limits

    begun = seen[:, :2] / max(float(seen[:, 0].std()), 1e-12) * 1e-4
    layout = TSNE(
        perplexity=_perplexity(len(seen)),
        init=begun.astype(np.float32),
        max_iter=TSNE_ROUNDS,
        random_state=MAP_SEED,
        n_jobs=1,
        verbose=2,
    )
    # One thread keeps the order of sums, and thereby the map, reproducible.
    with threadpool_limits(1), redirect_stdout(_RoundCounter(on_progress)):
        placed = layout.fit_transform(seen.astype(np.float32))
    return np.asarray(placed, dtype=np.float64)


def _spread(seen: Floats, drawn: NDArray[np.intp], placed: Floats) -> Floats:
    """Return positions (n, 2) of all films: sampled ones as laid out, others between their nearest sampled films."""
    everywhere = np.empty((len(seen), 2))
    everywhere[drawn] = placed
    others = np.setdiff1d(np.arange(len(seen)), drawn)
    known = seen[drawn]
    for rows in _chunks(others):
        apart = (seen[rows] ** 2).sum(axis=1)[:, None] + (known**2).sum(axis=1) - 2 * seen[rows] @ known.T
        near = np.argpartition(apart, ANCHORS - 1, axis=1)[:, :ANCHORS]
        for row, those, distances in zip(rows, near, np.take_along_axis(apart, near, axis=1), strict=True):
            everywhere[row] = interpolate_position(np.maximum(distances, 0), placed[those])
    return everywhere


def _shares(
    vectors: NDArray[np.floating], asked: NDArray[np.intp], places: Floats, plain: Floats
) -> tuple[Floats, Floats]:
    """Return the shares of each sampled film's neighbors that the map and two principal components preserve."""
    most, units = (
        _neighbor_count(len(vectors)),
        np.concatenate([normalize_vectors(rows).astype(np.float32) for rows in _chunks(vectors)]),
    )
    shares: list[tuple[Floats, Floats]] = []
    for rows in _chunks(asked, 256):
        true = nearest_rows(units, rows, most)
        shares.append(
            (shares_kept(true, nearest_rows(places, rows, most)), shares_kept(true, nearest_rows(plain, rows, most)))
        )
    of_map, of_plain = zip(*shares, strict=True)
    return np.concatenate(of_map), np.concatenate(of_plain)


class _RoundCounter(TextIOBase):
    """Reads progress from scikit-learn's output, which is its only report of it."""

    def __init__(self, on_progress: Callable[[int, int], object]) -> None:
        self._on_progress = on_progress

    def write(self, text: str, /) -> int:
        if iteration := _ROUND.search(text):
            self._on_progress(min(int(iteration[1]), TSNE_ROUNDS), TSNE_ROUNDS)
        return len(text)


def _perplexity(n: int) -> float:
    return min(PERPLEXITY, (n - 1) / 3)


def _neighbor_count(n: int) -> int:
    return min(MAX_NEIGHBORS, n - 1)


def _library() -> str:
    import sklearn

    return f"scikit-learn {sklearn.__version__}"


def _chunks(rows: NDArray[Any], size: int = _ROWS) -> list[NDArray[Any]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]
