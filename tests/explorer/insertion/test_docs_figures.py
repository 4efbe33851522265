"""The table of docs/insertion.md against what was measured."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from explorer.core.figures import share_texts
from explorer.insertion.believable import MEASURED_FILE, believable_words

DOCS = Path(__file__).parents[3] / "docs" / "insertion.md"
MEASURED = tomllib.loads(MEASURED_FILE.read_text(encoding="utf-8"))


def rows() -> dict[str, dict[str, str]]:
    """The cells of the table of inserted and real findings, by model and finding."""
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("| inserted / real |"))
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:] if line.startswith("|")]
    findings = table[0][1:]
    models = [row for row in table[2:] if row[0].strip("`") in MEASURED]
    return {row[0].strip("`"): dict(zip(findings, row[1:], strict=True)) for row in models}


def test_the_table_has_every_model() -> None:
    assert list(rows()) == list(MEASURED)


@pytest.mark.parametrize("model", MEASURED)
def test_figures_are_those_measured_and_bold_where_validated(model: str) -> None:
    for finding, figures in MEASURED[model].items():
        text = " / ".join(share_texts(figures["inserted"], figures["real"]))
        validated = not believable_words(model, finding).startswith("Not validated")
        assert rows()[model][finding] == (f"**{text}**" if validated else text)
