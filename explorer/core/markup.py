"""Text as markup languages show it as it is: no name of a cohort, a center or a finding is taken for a command."""

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
    """Text that LaTeX sets as it is."""
    return text.translate(_LATEX)


def markdown(text: str) -> str:
    """Text that Markdown shows as it is, in a table's cell too. Figures need none: brackets alone are not markup."""
    return _MARKDOWN.sub(r"\\\1", text)
