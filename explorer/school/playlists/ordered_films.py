"""Simulated films for a playlist, made to order: findings, severities, center, twin pairs, and normal films among them.

The patients belong to no cohort, so no model was trained on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from explorer.core.word_lists import and_list
from explorer.school.playlists.drawing import DrawnFilms
from explorer.school.playlists.playlist import (
    ABOUT_ONE_FINDING,
    MAX_FILMS,
    FilmQuestion,
    PlaylistFilm,
    QuestionKind,
    WrongPlaylist,
)
from explorer.school.preparing.ordered_scores import TRAINING_SEEDS
from explorer.simulator import ABNORMAL, CENTERS, Request
from explorer.simulator.address import make_address
from explorer.simulator.draws import draws
from explorer.simulator.version import NEWEST_DRAWING

PATIENT_SEEDS = (TRAINING_SEEDS.stop, 999_999)  # patients' numbers, the same range as in Simulate
CenterChoice = Literal["A", "B", "both"]


@dataclass(frozen=True, slots=True)
class SimulationOrder:
    """An order for n films: `findings` in turn, severities in [low, high], and `normals` films without a finding.

    Raises WrongPlaylist for an impossible order.
    """

    findings: tuple[str, ...]
    n: int
    seed: int = 0
    center: CenterChoice = "both"
    low: float = 0.0
    high: float = 1.0
    normals: int = 0
    kind: QuestionKind = "findings"

    def __post_init__(self) -> None:
        unknown = [each for each in self.findings if each not in ABNORMAL]
        if unknown:
            raise WrongPlaylist(f"The simulator cannot draw {and_list(unknown)}", "Choose findings from the list.")
        if not 1 <= self.n <= MAX_FILMS or not 0 <= self.normals <= self.n:
            raise WrongPlaylist(
                "That number of films cannot be made", f"Choose 1 to {MAX_FILMS}, including normal ones."
            )
        if not self.findings and (self.normals < self.n or self.kind in ABOUT_ONE_FINDING):
            raise WrongPlaylist("No finding is chosen", "Choose at least one.")
        if not 0 <= self.low <= self.high <= 1:
            raise WrongPlaylist(
                "There are no such severities", "Choose from 0 (subtle) to 1 (obvious), the lower first."
            )
        if self.kind == "pair" and self.normals:
            raise WrongPlaylist("A pair already has a normal film", "Set the number of normal films to 0.")


def ordered_films(order: SimulationOrder) -> DrawnFilms:
    """Return the films of an order, shuffled; the same order gives the same films."""
    random = draws(order.seed, "playlist")
    seeds = random.choice(np.arange(PATIENT_SEEDS[0], PATIENT_SEEDS[1] + 1), order.n, replace=False)
    shuffled = random.permutation(order.n)
    films = [_film(order, place, int(seeds[place]), random) for place in range(order.n)]
    return DrawnFilms(tuple(films[place] for place in shuffled))


def _film(order: SimulationOrder, place: int, patient: int, random: np.random.Generator) -> PlaylistFilm:
    """Return the film at this index: those with a finding first, findings in turn."""
    severity = round(float(random.uniform(order.low, order.high)), 2)
    center = CENTERS[int(random.integers(len(CENTERS)))] if order.center == "both" else order.center
    finding = order.findings[place % len(order.findings)] if order.findings else ""
    requests: Sequence[Request] = () if place >= order.n - order.normals else (Request(finding, None, severity),)
    question = FilmQuestion(order.kind, finding if order.kind in ABOUT_ONE_FINDING else None)
    target = finding if requests and order.kind == "findings" else ""
    return PlaylistFilm("", make_address(center, patient, requests, NEWEST_DRAWING), question, target=target)
