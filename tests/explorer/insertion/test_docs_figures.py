"""The tables of docs/insertion.md against what was measured."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from explorer.core.figures import fixed, share_texts
from explorer.insertion.believable import DRAWN_FILE, MEASURED_FILE, believable_words

DOCS = Path(__file__).parents[3] / "docs" / "insertion.md"
MEASURED, DRAWN = (tomllib.loads(file.read_text(encoding="utf-8")) for file in (MEASURED_FILE, DRAWN_FILE))


def table(start: str) -> list[list[str]]:
    """The cells of the table whose first line starts so, without the line below it."""
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(start))
    last = next(number for number, line in enumerate(lines) if number > first and not line.startswith("|"))
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first:last]]
    return [cells[0], *cells[2:]]


def rows() -> dict[str, dict[str, str]]:
    """The cells of the table of inserted and real findings, by model and finding."""
    head, *body = table("| inserted / real |")
    return {row[0].strip("`"): dict(zip(head[1:], row[1:], strict=True)) for row in body}


def test_the_table_has_every_model() -> None:
    assert list(rows()) == list(MEASURED)


@pytest.mark.parametrize("model", MEASURED)
def test_figures_are_those_measured_and_bold_where_validated(model: str) -> None:
    for finding, figures in MEASURED[model].items():
        text = " / ".join(share_texts(figures["inserted"], figures["real"]))
        validated = not believable_words(model, finding, simulated=False).startswith("Not validated")
        assert rows()[model][finding] == (f"**{text}**" if validated else text)


def test_differences_from_drawn_findings_are_those_measured() -> None:
    head, *body = table("| finding | `phantom`")
    models = [each.strip("`") for each in head[1:]]
    assert models == list(DRAWN)
    shown = {row[0]: row[1:] for row in body}
    assert set(shown) == set(DRAWN["phantom"])
    for finding, cells in shown.items():
        assert cells == [fixed(DRAWN[model][finding]["spread"]) for model in models]
