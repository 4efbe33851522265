"""Which model reads which films."""

from __future__ import annotations

import threading
import time

import pytest

from explorer.reading.model_loader import BackgroundModel, LazyModel
from explorer.reading.model_routing import ByProvenance, models_by_provenance
from models.cards.card import UnusableModel
from tests.explorer.reading.test_reader import FiveFindings

USUAL = ByProvenance("nih-mini", "phantom")
FILMS = {"nih-mini": "real", "phantom": "simulated", "my.toml": "real", "drawn.toml": "simulated"}


@pytest.mark.parametrize(
    ("chosen", "real", "simulated"),
    [
        ("nih-mini", "nih-mini", "phantom"),
        ("my.toml", "my.toml", "phantom"),
        ("phantom", "nih-mini", "phantom"),
        ("drawn.toml", "nih-mini", "drawn.toml"),
        pytest.param("gone", "gone", "phantom", id="what is not there says so where it is loaded"),
    ],
)
def test_the_chosen_model_reads_what_it_was_made_for(chosen: str, real: str, simulated: str) -> None:
    assert models_by_provenance(chosen, USUAL, FILMS.get) == ByProvenance(real, simulated)  # type: ignore[arg-type]


def test_without_the_other_model_the_chosen_one_says_what_it_thinks_of_those_films() -> None:
    there = {"nih-mini": "real"}
    assert models_by_provenance("nih-mini", USUAL, there.get) == ByProvenance("nih-mini", "nih-mini")  # type: ignore[arg-type]


def test_what_is_made_of_one_model_is_made_once() -> None:
    one = ByProvenance.one("a").each(lambda name: [name])
    assert one.real is one.simulated is one.of(True)
    two = ByProvenance("a", "b").each(lambda name: [name])
    assert (two.of(False), two.of(True)) == (["a"], ["b"])


def test_a_model_that_is_never_wanted_is_never_loaded() -> None:
    loads: list[int] = []

    def load() -> FiveFindings:
        loads.append(1)
        time.sleep(0.02)
        return FiveFindings()

    model = LazyModel("five", load)
    assert (model.loading, loads) == (False, [])
    threads = [threading.Thread(target=model) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (model().card.name, model.loading, loads) == ("five", False, [1])


def test_a_lazy_model_that_cannot_be_had_says_why() -> None:
    def load() -> FiveFindings:
        raise UnusableModel("There is no model 'phantom'", "Choose another one.")

    model = LazyModel("phantom", load)
    for _ in range(2):
        with pytest.raises(UnusableModel, match="phantom"):
            model()


def test_a_lazy_model_that_is_started_loads_after_the_other() -> None:
    order: list[str] = []

    def load(name: str) -> FiveFindings:
        order.append(name)
        time.sleep(0.05)
        order.append(f"{name} is there")
        return FiveFindings()

    first, then = BackgroundModel("first", lambda: load("first")), LazyModel("then", lambda: load("then"))
    then.start_after(first)
    first.start()
    while len(order) < 4:
        time.sleep(0.01)
    assert then().card.name == "five"
    assert order == ["first", "first is there", "then", "then is there"]
