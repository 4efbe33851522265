"""Figures of a calculation as the page's script draws them, each with the cells behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from explorer.published.checks.cells import source_words
from explorer.published.checks.check_figure import CheckFigure
from explorer.ui.evaluate.panels.published_chart import check_chart
from explorer.ui.shared.chart_look import Plotly


class CheckFigurePayload(TypedDict):
    """A figure: its title, what it `says`, its printed `source`, and the table of its cells: heads, row names, texts.

    `name` is the file's. `chart` has the layouts for wide and narrow windows.
    """

    name: str
    title: str
    says: str
    source: str
    chart: Plotly
    heads: list[str]
    names: list[str]
    cells: list[list[str]]


def figure_payloads(figures: Sequence[CheckFigure], under: str) -> list[CheckFigurePayload]:
    """Return the figures below the table with the title `under`, or above all tables if it is empty."""
    return [_payload(each) for each in figures if each.under == under]


def _payload(figure: CheckFigure) -> CheckFigurePayload:
    grid = figure.grid()
    return {
        "name": figure.name,
        "title": figure.title,
        "says": figure.says,
        "source": source_words(figure.tables),
        "chart": check_chart(figure.chart),
        "heads": list(grid.header),
        "names": [row[0] for row in grid.rows],
        "cells": [list(row[1:]) for row in grid.rows],
    }
