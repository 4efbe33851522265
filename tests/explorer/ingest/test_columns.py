"""`map.toml`: what it may say, and what is wrong with one."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from explorer.core.finding_relations import FindingRelation
from explorer.ingest.columns import ColumnMap, read_columns
from explorer.ingest.example import MAP_TOML_EXAMPLE
from explorer.tabular.problems import WrongInput
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording


def test_the_example_says_everything_that_one_may_say(tmp_path: Path) -> None:
    columns = read_columns(written(tmp_path / "map.toml", MAP_TOML_EXAMPLE))
    assert columns.image_id == "ImageID"
    assert columns.words == {"rib fx": "Fracture", "cavern": "Lung Cavity"}
    assert columns.relations == (FindingRelation("Lung Cavity", "related to", "Bulla"),)
    said = set(tomllib.loads(MAP_TOML_EXAMPLE))
    assert {each.name for each in fields(ColumnMap)} - said == {
        "center_name",
        "passed_over",
    }  # one in a comment, one of commands
    assert "center_name" in MAP_TOML_EXAMPLE


def test_the_least_that_one_must_say(tmp_path: Path) -> None:
    columns = read_columns(written(tmp_path / "map.toml", '\ufeffimage_id = "Größe"\n'))
    assert columns == ColumnMap(image_id="Größe")
    assert columns.columns() == {"image_id": "Größe"}
    assert (columns.separator, columns.spelling) == ("|", "any")


@pytest.mark.parametrize("separator", [" ", "\\t", ", "])
def test_a_separator_may_be_a_space(tmp_path: Path, separator: str) -> None:
    text = f'image_id = "a"\nseparator = "{separator}"'
    assert read_columns(written(tmp_path / "map.toml", text)).separator == separator.replace("\\t", "\t")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "image_id"),
        ('image_id = ""', "say which column"),
        ("image_id = 3", "image_id must"),
        ('image_id = "a"\nview = " "', "view must"),
        ('image_id = "a"\nseparator = ""', "separator must"),
        ('image_id = "a"\nseperator = ","', "image_id, file"),
        ('image_id = "a"\ncenter = "b"\ncenter_name = "c"', "Leave one out"),
        ('image_id = "a"\nspelling = "spanish"', "spelling"),
        ('image_id = "a"\nwords = "rib"', "words must"),
        ('image_id = "a"\n[words]\nrib = 3', "quoted text"),
        ('image_id = "a"\n[words]\nrib = "?!"', "'?!' has neither"),
        ('image_id = "a"\n[words]\nrib = "a\\tb\\u202ec"', "u202ec"),
        ('image_id = "a"\nfindings = ["ILD", ""]', "findings must"),
        ('image_id = "a"\nfindings = ["ILD", 3]', "findings must"),
        ('image_id = "a"\nfindings = []', "findings must"),
        (f'image_id = "a"\nfindings = ["{"x" * 81}"]', "81 characters"),
        ('image_id = "a"\nrelations = "ILD"', "relations must"),
        ('image_id = "a"\n[relations]\nMass = "Nodule"', "'Mass'"),
        ('image_id = "a"\n[relations]\nMass = { wider_than = "Nodule" }', "same_as, broader_than"),
        ('image_id = "a"\n[relations]\nMass = { broader_than = [3] }', "broader_than must"),
        (
            'image_id = "a"\n[relations]\nMass = { broader_than = "Noduel" }',
            "you mean Nodule",
        ),
        (
            'image_id = "a"\n[relations]\nILD = { narrower_than = "Mass" }',
            "'ILD'",
        ),
        ('image_id = "a"\n[relations]\nmass = { narrower_than = "Mass" }', "'mass' cannot be narrower"),
        (
            'image_id = "a"\n[relations]\nMass = { narrower_than = "Nodule", broader_than = "Nodule" }',
            "'Mass' to 'Nodule'",
        ),
        ("image_id = a", "TOML in UTF-8"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, words: str, wording: Wording) -> None:
    with pytest.raises(WrongInput, match="map.toml") as refused:
        read_columns(written(tmp_path / "map.toml", text))
    assert words in str(refused.value)
    wording(refused.value)


def test_latin_text_and_a_missing_file_are_refused(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongInput) as caught:
        read_columns(written(tmp_path / "map.toml", 'image_id = "Größe"'.encode("latin-1")))
    wording(caught.value, "TOML", "UTF-8")
    with pytest.raises(WrongInput) as caught:
        read_columns(tmp_path / "none.toml")
    wording(caught.value, "none.toml")
