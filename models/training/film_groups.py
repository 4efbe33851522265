"""Groups the films that a network reads together: each film alone, or the films of a study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.array_types import Bools, Float32
from models.training.films import TrainingFilms

NO_FILM = -1


@dataclass(frozen=True, slots=True, eq=False)
class FilmGroups:
    """Groups (m,) of films in the order of their first films, with what is known of each group.

    `members` (m, v) are rows of the films that are read, frontal before lateral, then NO_FILM. `number` (n,) is the
    group of each film that was grouped, read or not. A group's `labels` (m, k) are present if any film's is, else
    absent if any film's is, else NaN; its `traits` (m, t) are NaN where its films differ; it is `uncertain` (m, k) if a
    film is and none is present.
    """

    members: NDArray[np.int64]
    number: NDArray[np.int64]
    labels: Float32
    traits: Float32
    uncertain: Bools | None

    def __len__(self) -> int:
        return len(self.members)


def film_groups(films: TrainingFilms, rows: NDArray[np.int64], most: int) -> FilmGroups:
    """Group the films in `rows` (n,) by study, of which up to `most` films are read; with 0, each film is alone.

    Which films are read depends on their views and names, not on their order.
    """
    if not most or films.studies is None:
        uncertain = None if films.uncertain is None else films.uncertain[rows]
        return FilmGroups(rows[:, None], np.arange(len(rows)), films.labels[rows], films.traits[rows], uncertain)
    number = _numbered(films.studies[rows])
    lateral = np.zeros(len(rows), dtype=bool) if films.lateral is None else films.lateral[rows]
    order = np.lexsort([np.array(films.image_ids)[rows], lateral, number])
    starts = np.flatnonzero(np.diff(number[order], prepend=-1))
    place = np.arange(len(rows)) - starts[number[order]]
    read = place < most
    members = np.full((len(starts), min(most, int(place.max()) + 1)), NO_FILM)
    members[number[order][read], place[read]] = rows[order][read]
    labels = np.fmax.reduceat(films.labels[rows][order], starts)
    low, high = (each.reduceat(films.traits[rows][order], starts) for each in (np.fmin, np.fmax))
    uncertain = None
    if films.uncertain is not None:
        uncertain = np.logical_or.reduceat(films.uncertain[rows][order], starts) & ~(labels > 0)
    return FilmGroups(members, number, labels, np.where(low == high, low, np.float32(np.nan)), uncertain)


@dataclass(frozen=True, slots=True, eq=False)
class GroupBatch:
    """The films of some groups: `rows` (f,) of those that are read, and at which places (n, v) of the groups they are.

    `present` (n, v) marks the places with a film, and `lateral` (n, v) those with a lateral film.
    """

    rows: NDArray[np.int64]
    present: Tensor
    lateral: Tensor

    @classmethod
    def of(cls, films: TrainingFilms, members: NDArray[np.int64]) -> GroupBatch:
        """Return the films of groups with these `members` (n, v), without places that no group uses."""
        present = members != NO_FILM
        places = present.any(0)
        rows = members[:, places][present[:, places]]
        shown = torch.from_numpy(present[:, places])
        lateral = np.zeros(len(rows), dtype=bool) if films.lateral is None else films.lateral[rows]
        return cls(rows, shown, place_films(torch.from_numpy(lateral), shown))


def place_films(values: Tensor, present: Tensor) -> Tensor:
    """Return values (f, ...) of films at the places (n, v, ...) of their groups, with 0 where no film is `present`."""
    shape = (*present.shape, *values.shape[1:])
    if len(values) == present.numel():
        return values.reshape(shape)
    placed = values.new_zeros((present.numel(), *values.shape[1:]))
    placed[present.flatten().to(values.device)] = values
    return placed.reshape(shape)


def _numbered(names: NDArray[np.str_]) -> NDArray[np.int64]:
    """Return a number for each name (n,), counted by first occurrence."""
    _, first, inverse = np.unique(names, return_index=True, return_inverse=True)
    numbered: NDArray[np.int64] = np.argsort(np.argsort(first))[inverse]
    return numbered
