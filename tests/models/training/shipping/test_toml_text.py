"""Registry files say what they were given, whatever quotes or line breaks it holds."""

from __future__ import annotations

import tomllib

import pytest

from models.cards.card import CardPoint
from models.training.shipping.toml_text import rows_by_finding, toml_text

HOSTILE = ['He said "no"', "C:\\films", "line\nline", "]\n[warnings]", "'''", "# no comment", "ümlaut 心", ""]
POINT = CardPoint(0.1 + 0.2, "largest Youden index", 0.5, 1.0, 3, 4)


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_written_is_read_back(text: str) -> None:
    values = {"name": text, "size": 224, "mean": [0.5], "findings": ["Mass", text], "heat_maximum": 0.25}
    tables: dict[str, object] = {
        "training": [{"center": text, "films": 2}, {"center": "B", "films": 3}],
        "warnings": {"Mass": text, text or "none": "x"},
        "operating_points": rows_by_finding({"Pleural Effusion": POINT}),
    }
    read = tomllib.loads(toml_text("Written by a test.", values, tables, {"size": "In pixels."}))
    assert read == values | tables


def test_remarks_stand_above_their_key_and_empty_tables_are_left_out() -> None:
    text = toml_text("By a test.", {"name": "a", "size": 1}, {"warnings": {}}, {"size": "In pixels."})
    assert text == '# By a test.\nname = "a"\n# In pixels.\nsize = 1\n'
