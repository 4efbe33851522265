"""The films of a quiz are drawn by chance: shares, findings, sides and severities are those that were asked for."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.school.playlists.playlist import FilmQuestion, WrongPlaylist
from explorer.school.playlists.quiz import MIN_SEVERITY, draw_quiz_film, draw_same_findings
from explorer.school.playlists.simulated_truth import simulated_truth
from explorer.simulator import ABNORMAL, SIDES
from explorer.simulator.address import PhantomFilm, make_address, parse_film_address
from models.statistics import wilson

SEEDS, N = range(300_000, 310_000), 2000


def films(question: FilmQuestion, normals: float) -> list[PhantomFilm]:
    random = Random(0)
    return [parse_film_address(draw_quiz_film(question, normals, SEEDS, random)) for _ in range(N)]


def inside(share: float, hits: int) -> bool:
    low, high = wilson(hits, N)
    return low - 0.02 <= share <= high + 0.02


def test_findings_sides_and_severities_are_all_drawn() -> None:
    many = films(FilmQuestion("findings"), 0.3)
    assert inside(0.3, sum(not film.requests for film in many)) and inside(
        0.5, sum(film.center == "A" for film in many)
    )
    drawn_ones = [film.requests[0] for film in many if film.requests]
    assert all(len(film.requests) <= 1 and film.seed in SEEDS for film in many)
    assert {each.finding for each in drawn_ones} == set(ABNORMAL)
    assert all(MIN_SEVERITY <= (each.severity or 0) <= 1 for each in drawn_ones)
    assert len({each.severity for each in drawn_ones}) > 50
    sides = Counter(each.side for each in drawn_ones if each.finding == "Pleural Effusion")
    assert set(sides) == set(SIDES["Pleural Effusion"])


def test_half_of_the_films_have_the_finding_asked_about() -> None:
    many = films(FilmQuestion("present", "Goiter"), 0.5)
    has = [any(each.finding == "Goiter" for each in film.requests) for film in many]
    assert inside(0.5, sum(has)) and inside(0.25, sum(not film.requests for film in many))


def test_what_is_not_normal_is_told_from_normal_by_the_truth() -> None:
    many = films(FilmQuestion("normal"), 0.4)
    assert inside(0.4, sum(not film.requests for film in many))
    assert not any(each.finding in COMPATIBLE_WITH_NORMAL for film in many for each in film.requests)
    for film in many[:50]:
        assert simulated_truth(drawn_again(film)).normal is (not film.requests)


def drawn_again(film: PhantomFilm) -> PhantomFilm:
    return parse_film_address(draw_same_findings(film.requests, film.center, SEEDS, Random(1)))


def test_another_patient_has_the_same_findings() -> None:
    film = films(FilmQuestion("findings"), 0)[0]
    other = drawn_again(film)
    assert (other.requests, other.center) == (film.requests, film.center) and other.seed != film.seed


@pytest.mark.parametrize(
    ("question", "normals"),
    [(FilmQuestion("pair", "Mass"), 0.3), (FilmQuestion("present"), 0.3), (FilmQuestion("present", "Cough"), 0.3)]
    + [(FilmQuestion("findings"), share) for share in (-0.1, 1.1, float("nan"))],
)
def test_what_cannot_be_asked_is_refused(question: FilmQuestion, normals: float) -> None:
    with pytest.raises(WrongPlaylist):
        draw_quiz_film(question, normals, SEEDS, Random(0))


def test_a_film_with_devices_alone_is_labeled_as_in_the_cohort() -> None:
    devices = simulated_truth(parse_film_address(make_address("A", 7, ["Support Devices"])))
    assert devices.labels["Normal"] == "absent" and devices.normal
    both = simulated_truth(parse_film_address(make_address("A", 7, ["Support Devices", "Kyphosis"])))
    assert both.labels["Normal"] == "absent" and both.normal is False
    assert simulated_truth(parse_film_address(make_address("A", 7, []))).present == ("Normal",)
