"""One address for a film, one film for an address."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.simulator import ABNORMAL, SIDES, Request, WrongRequest, settle
from explorer.simulator.address import PhantomFilm, make_address, parse_film_address

KNOWN = "phantom://v1/B/41?Cardiomegaly=,0.30&Pleural+Effusion=left,0.62"


def test_an_address_is_what_the_brief_says() -> None:
    asked = [Request("Pleural Effusion", "left", 0.62), Request("Cardiomegaly", None, 0.3)]
    assert make_address("B", 41, asked) == KNOWN
    effusion = Request("Pleural Effusion", "left", 0.62)
    assert parse_film_address(KNOWN) == PhantomFilm("B", 41, (Request("Cardiomegaly", "", 0.3), effusion))
    assert parse_film_address(KNOWN).case == "B-000041"


@pytest.mark.parametrize("normal", [[], ["Normal"]])
def test_a_normal_film_has_no_requests(normal: list[str]) -> None:
    assert make_address("A", 0, normal) == "phantom://v1/A/0"
    assert parse_film_address("phantom://v1/A/0") == PhantomFilm("A", 0, ())


def test_there_and_back_for_many_films() -> None:
    random = np.random.default_rng(0)
    for seed in range(200):
        chosen = random.choice(ABNORMAL, random.integers(0, 6), replace=False).tolist()
        text = make_address("A", seed, chosen)
        film = parse_film_address(text)
        assert make_address(film.center, film.seed, film.requests) == text
        assert [each.finding for each in film.requests] == sorted(chosen, key=ABNORMAL.index)
        for drawn, said in zip(settle(seed, chosen), film.requests, strict=True):
            assert (drawn.finding, drawn.side) == (said.finding, said.side)
            assert drawn.severity == pytest.approx(said.severity, abs=0.005)


@pytest.mark.parametrize("finding", ABNORMAL)
def test_every_side_of_every_finding_can_be_said(finding: str) -> None:
    texts = {make_address("A", 1, [Request(finding, side, 0.5)]) for side in SIDES[finding] or ("",)}
    assert len(texts) == max(len(SIDES[finding]), 1)
    assert all(make_address("A", 1, parse_film_address(text).requests) == text for text in texts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nih/1.png",
        "phantom://v3/A/1",
        "phantom://v1/C/1",
        "phantom://v1/A/-1",
        "phantom://v1/A/01",
        "phantom://v1/A/1.0",
        "phantom://v1/A/1?",
        "phantom://v1/A/1\n",
        "phantom://v1/A/9999999999",
        "phantom://v1/A/1?Goiters=,0.30",
        "phantom://v1/A/1?Normal=,0.30",
        "phantom://v1/A/1?Mass=,0.30",
        "phantom://v1/A/1?Mass=both,0.30",
        "phantom://v1/A/1?Goiter=left,0.30",
        "phantom://v1/A/1?Goiter=,0.3",
        "phantom://v1/A/1?Goiter=,1.01",
        "phantom://v1/A/1?Goiter=,nan",
        "phantom://v1/A/1?Goiter=,0.30&Goiter=,0.40",
        "phantom://v1/A/1?Goiter=,0.30&Mass=left,0.30",
        "phantom://v1/A/1?Aortic%20Elongation=,0.30",
    ],
)
def test_any_other_text_is_refused_in_words(text: str) -> None:
    with pytest.raises(WrongRequest) as refused:
        parse_film_address(text)
    assert refused.value.title and refused.value.detail.endswith(".")


def test_a_film_that_cannot_be_has_no_address() -> None:
    with pytest.raises(WrongRequest):
        make_address("C", 1, [])  # type: ignore[arg-type]
    with pytest.raises(WrongRequest):
        make_address("A", 2**31, [])
    with pytest.raises(WrongRequest):
        make_address("A", 1, ["Sunburn"])
