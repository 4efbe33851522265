"""A card of the registry with another threshold is noticed; TOML that nests without end is refused in words."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from explorer.cli.app import app
from explorer.ingest.columns import read_columns
from explorer.tabular.problems import WrongInput
from models.cards import registry, shipped_cards
from models.cards.card import UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.registry import registered_names
from models.cards.shipped_cards import HASH_LIST, SHIPPED_CARDS, card_hash
from models.toml_text import WrongToml, toml_table
from tests.support.wording import Wording, line_with

DEEP = {
    "lists": "a = " + "[" * 20_000 + "]" * 20_000,
    "tables in a line": "a = " + "{b = " * 20_000,
    "dotted keys": "a" + ".a" * 20_000 + " = 1",
    "a number of 5,000 digits": "a = " + "9" * 5000,
}


def test_the_list_has_every_card_as_it_is() -> None:
    """After a card was changed: python -m models.cards.shipped_cards"""
    there = {path.name: card_hash(path.read_text(encoding="utf-8")) for path in SHIPPED_CARDS.glob("*.toml")}
    listed = {name: found for found, name in (line.split() for line in HASH_LIST.read_text().splitlines())}
    assert listed == there


def test_a_changed_threshold_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording) -> None:
    place = shutil.copytree(SHIPPED_CARDS, tmp_path / "registry")
    monkeypatch.setattr(registry, "REGISTRY", place)
    monkeypatch.setattr(shipped_cards, "SHIPPED_CARDS", place)
    monkeypatch.setattr(shipped_cards, "HASH_LIST", place / HASH_LIST.name)
    text = (place / "nih-mini.toml").read_text(encoding="utf-8")
    assert classifier_card("nih-mini").operating_points["Normal"].threshold == 0.63895
    (place / "nih-mini.toml").write_text(text.replace("0.63895", "0.64"), encoding="utf-8")
    with pytest.raises(UnusableModel) as caught:
        classifier_card("nih-mini")
    wording(caught.value, "nih-mini.toml")
    assert "nih-mini" in registered_names() and classifier_card("nih-phantom").operating_points
    shipped_cards.write_hash_list()
    assert classifier_card("nih-mini").operating_points["Normal"].threshold == 0.64


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_toml_without_end_is_refused_in_words(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    with pytest.raises(WrongToml):
        toml_table(text)
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "deep.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UnusableModel) as caught:
        classifier_card("deep")
    wording(caught.value, "deep.toml", "TOML")
    listed = CliRunner().invoke(app, ["model", "list"])
    assert listed.exit_code == 0
    wording(line_with(listed.output, "deep.toml", "TOML"))
    with pytest.raises(WrongInput) as caught:
        read_columns(tmp_path / "models" / "deep.toml")
    wording(caught.value, "TOML", "UTF-8")
