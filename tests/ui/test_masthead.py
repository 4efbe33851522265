"""The masthead names the model of real films and that of simulated ones, and neither is loaded for it."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import pytest

from explorer.reading.model_loader import BackgroundModel
from explorer.reading.model_routing import ByProvenance
from explorer.ui.masthead import masthead
from models.cards.card import UnusableModel
from tests.explorer.reading.test_reader import FiveFindings


def words(name: str, real: str, simulated: str, load: Any = FiveFindings) -> str:  # noqa: ANN401
    """What the masthead says once loading has ended."""
    model = BackgroundModel(name, load)
    model.start()
    model.wait()
    return said(masthead(model, ByProvenance(real, simulated)))


def said(markup: str) -> str:
    return re.sub("<[^>]+>", "", markup.partition("role=")[2].partition(">")[2])


@pytest.mark.parametrize(
    ("chosen", "real", "simulated", "expected"),
    [
        ("five", "five", "drawn", "real films: five \u00b7 simulated: drawn \u00b7 cpu"),
        ("five", "usual", "five", "real films: usual \u00b7 simulated: five \u00b7 cpu"),
        pytest.param(
            "/my/card.toml",
            "/my/card.toml",
            "drawn",
            "real films: five \u00b7 simulated: drawn \u00b7 cpu",
            id="a path",
        ),
        pytest.param("five", "five", "five", "five on cpu", id="one for all"),
    ],
)
def test_it_says_which_model_reads_which_films(chosen: str, real: str, simulated: str, expected: str) -> None:
    assert words(chosen, real, simulated) == expected


def test_while_the_model_is_loaded_it_says_that() -> None:
    model = BackgroundModel("five", FiveFindings)
    assert model.loaded is None
    assert said(masthead(model, ByProvenance("five", "drawn"))) == "Loading five ..."


def test_why_there_is_no_model_is_said_as_text() -> None:
    title, detail = "There is no model <b>five</b>", "Choose another one."

    def load() -> FiveFindings:
        raise UnusableModel(title, detail)

    shown = words("five", "five", "drawn", load)
    assert shown == f"{escape(title)}. {detail}"
