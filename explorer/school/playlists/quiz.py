"""An endless quiz of simulated films, drawn at random, whose findings are unknown until answered."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from explorer.school.playlists.playlist import FilmQuestion, WrongPlaylist
from explorer.simulator import ABNORMAL, CENTERS, SIDES, Center, Request
from explorer.simulator.address import make_address
from explorer.simulator.version import NEWEST_DRAWING

MIN_SEVERITY = 0.2  # severities are drawn uniformly from here to 1; below this, hardly anyone sees a finding
QUIZ_KINDS = ("findings", "normal", "present")  # kinds of questions that can be asked about a drawn film


def draw_quiz_film(question: FilmQuestion, normals: float, seeds: range, random: Random) -> str:
    """Return the address of a random film for the question: center, patient, finding, side and severity.

    `normals` is the share of films without a finding. If the question is about one finding, half of the films have it,
    and `normals` is the share among the other half. Raises WrongPlaylist for an unsuitable question.
    """
    if question.kind not in QUIZ_KINDS or (question.kind == "present" and question.finding not in ABNORMAL):
        raise WrongPlaylist("There is no such quiz", "Choose which findings, normal or not, or one finding.")
    if not 0 <= normals <= 1:
        raise WrongPlaylist("That is not a share of normal films", "Give a number from 0 to 1.")
    center: Center = random.choice(CENTERS)
    return make_address(center, random.choice(seeds), _requests(question, normals, random), NEWEST_DRAWING)


def draw_same_findings(film_requests: Sequence[Request], center: Center, seeds: range, random: Random) -> str:
    """Return the address of a film of another patient with the same findings."""
    return make_address(center, random.choice(seeds), film_requests, NEWEST_DRAWING)


def _requests(question: FilmQuestion, normals: float, random: Random) -> list[Request]:
    if question.kind == "present" and random.random() < 0.5:
        return [_request(str(question.finding), random)]
    if random.random() < normals:
        return []
    others = [finding for finding in ABNORMAL if question.kind != "present" or finding != question.finding]
    if question.kind == "normal":
        others.remove("Support Devices")  # compatible with Normal
    return [_request(random.choice(others), random)]


def _request(finding: str, random: Random) -> Request:
    side = random.choice(SIDES[finding]) if SIDES[finding] else None
    return Request(finding, side, round(random.uniform(MIN_SEVERITY, 1), 2))
