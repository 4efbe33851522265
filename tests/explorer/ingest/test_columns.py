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
        ("", "does not say which column is the image_id"),
        ('image_id = ""', "does not say which column"),
        ("image_id = 3", "image_id must be a quoted text"),
        ('image_id = "a"\nview = " "', "view must be a quoted text, and not a blank one"),
        ('image_id = "a"\nseparator = ""', "separator must be a quoted text"),
        ('image_id = "a"\nseperator = ","', "has 'seperator'. It may say: image_id, file"),
        ('image_id = "a"\ncenter = "b"\ncenter_name = "c"', "Leave one out"),
        ('image_id = "a"\nspelling = "spanish"', "spelling is one of any, padchest"),
        ('image_id = "a"\nwords = "rib"', "words is a table"),
        ('image_id = "a"\n[words]\nrib = 3', "rib must be a quoted text"),
        ('image_id = "a"\n[words]\nrib = "?!"', "'?!' has neither a letter nor a digit"),
        ('image_id = "a"\n[words]\nrib = "a\\tb\\u202ec"', "has characters that cannot be seen"),
        ('image_id = "a"\nfindings = ["ILD", ""]', "findings must be a quoted text, and not a blank one"),
        ('image_id = "a"\nfindings = ["ILD", 3]', "findings must be a quoted text"),
        ('image_id = "a"\nfindings = []', "findings must be a quoted text"),
        (f'image_id = "a"\nfindings = ["{"x" * 81}"]', "has 81 characters; a finding's name has at most 80"),
        ('image_id = "a"\nrelations = "ILD"', "relations is a table"),
        ('image_id = "a"\n[relations]\nMass = "Nodule"', "what 'Mass' is to other findings is not understood"),
        ('image_id = "a"\n[relations]\nMass = { wider_than = "Nodule" }', "say one of same_as, broader_than"),
        ('image_id = "a"\n[relations]\nMass = { broader_than = [3] }', "what it is broader than must be a quoted"),
        (
            'image_id = "a"\n[relations]\nMass = { broader_than = "Noduel" }',
            "is not a finding here. Did you mean Nodule?",
        ),
        (
            'image_id = "a"\n[relations]\nILD = { narrower_than = "Mass" }',
            "'ILD', of which a relation is stated, is not",
        ),
        ('image_id = "a"\n[relations]\nmass = { narrower_than = "Mass" }', "'mass' cannot be narrower than itself"),
        (
            'image_id = "a"\n[relations]\nMass = { narrower_than = "Nodule", broader_than = "Nodule" }',
            "two relations of 'Mass' to 'Nodule' are stated: leave one out",
        ),
        ("image_id = a", "is not TOML in UTF-8"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(WrongInput, match="map.toml") as refused:
        read_columns(written(tmp_path / "map.toml", text))
    assert words in str(refused.value)


def test_latin_text_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongInput, match="is not TOML in UTF-8"):
        read_columns(written(tmp_path / "map.toml", 'image_id = "Größe"'.encode("latin-1")))
    with pytest.raises(WrongInput, match="cannot be read: No such file"):
        read_columns(tmp_path / "none.toml")
