"""Escapes text for markup languages, so that names of cohorts, centers or findings cannot act as commands."""

from __future__ import annotations

import re

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "\N{EN DASH}": "--",
        "\N{MINUS SIGN}": "$-$",
        **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    }
)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~&^$])")


def latex(text: str) -> str:
    """Escape text for LaTeX."""
    return text.translate(_LATEX)


def markdown(text: str) -> str:
    """Escape text for Markdown, including table cells. Figures need no escaping: brackets alone are not markup."""
    return _MARKDOWN.sub(r"\\\1", text)
