"""Sentences about films, said of studies."""

from __future__ import annotations

import pytest

from explorer.cohorts.counted import OfFilms, case_words, case_words_within, cases_text

# Sentences about films, and the same about studies. Browser tests compare the page's script with them.
SENTENCES = {
    "SIMULATED films.": "SIMULATED studies.",
    "Films with it, on a film; each film's score": "Studies with it, on a study; each study's score",
    "12 (film, finding) pairs": "12 (study, finding) pairs",
    "PA films of my-films, see films.csv": "PA studies of my-films, see films.csv",
    "Filmed; microfilms": "Filmed; microfilms",
}


@pytest.mark.parametrize(("films", "studies"), SENTENCES.items())
def test_a_sentence_about_films_becomes_one_about_studies(films: str, studies: str) -> None:
    assert case_words(films, "study") == studies
    assert case_words(films, "film") == films


def test_numbers_have_their_unit() -> None:
    assert (cases_text(1, "study"), cases_text(1_200, "study")) == ("1 study", "1,200 studies")
    assert cases_text(1_200, "film") == "1,200 films"


def test_a_sentence_about_films_elsewhere_stays() -> None:
    assert case_words(OfFilms("Youden on all films of clinic"), "study") == "Youden on all films of clinic"


def test_values_within_an_answer_are_worded_and_its_names_are_not() -> None:
    answer = {"films": 3, "title": "of films", "rows": [["a film", None], ("Films",)]}
    assert case_words_within(answer, "study") == {
        "films": 3,
        "title": "of studies",
        "rows": [["a study", None], ("Studies",)],
    }
