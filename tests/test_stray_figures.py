"""Figures are written in two modules, one for Python and one for the page's script: no other file rounds one itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PYTHON, SCRIPT = "explorer/core/figures.py", "explorer/ui/static/shared/figures.js"
# Of an f-string, of `format`, and an interval's dash or brackets put together by hand; `%{x:.3f}` is plotly's.
IN_PYTHON = re.compile(
    r"""(?<!%)(?<!%\{)\{[^{}"']*:[+,]*\.[0-9{][^{}]*\}|\{:[+]?\.[0-9]"""
    r"""|format\([^)]*[fge%]["']|\}-\{[^}]*\}\]|\[\{[^}]*\}, \{"""
)
IN_SCRIPT = re.compile(r"""toFixed|toPrecision|toLocaleString|\\u2013"|\\u2212|"\["|" \["|"\[" \+""")
IN_PYTHON_ALLOWED = {
    "explorer/analysis/exports/dicom/scores_report.py": "a number as a DICOM decimal string holds it",
    "explorer/analysis/exports/submission.py": "a file for the challenge: digits that are read back",
    "explorer/workshop/shipping/zero_shot/publish.py": "a rule that is stored with the thresholds",
    "explorer/simulator/address.py": "an address",
    "explorer/workshop/shipping/phantom_cohort.py": "digits that are stored",
    "explorer/workshop/shipping/phantom_report.py": "how labels were made, stored with the cohort",
    "explorer/workshop/shipping/training/cards.py": "cards that ship with the weights",
    "explorer/workshop/shipping/training/tables.py": "cards that ship with the weights",
}
IN_SCRIPT_ALLOWED = {
    "explorer/ui/static/class/film_side.js": "the sign of a button that makes smaller",
    "explorer/ui/static/read/report.js": "a date",
    "explorer/ui/static/simulate/state.js": "an address",
    "explorer/ui/static/viewer/keys.js": "the sign of a key that makes smaller",
}


@pytest.mark.parametrize(
    ("pattern", "only", "suffix", "allowed"),
    [
        pytest.param(IN_PYTHON, PYTHON, "*.py", IN_PYTHON_ALLOWED, id="python"),
        pytest.param(IN_SCRIPT, SCRIPT, "*.js", IN_SCRIPT_ALLOWED, id="script"),
    ],
)
def test_figures_are_written_in_one_module(
    pattern: re.Pattern[str], only: str, suffix: str, allowed: dict[str, str]
) -> None:
    stray: dict[str, list[str]] = {}
    for path in sorted((PROJECT / "explorer").rglob(suffix)):
        name = path.relative_to(PROJECT).as_posix()
        lines = path.read_text(encoding="utf-8").splitlines()
        if name != only and (
            found := [f"{at}: {line.strip()}" for at, line in enumerate(lines, 1) if pattern.search(line)]
        ):
            stray[name] = found
    unexpected = {name: lines for name, lines in stray.items() if name not in allowed}
    assert not unexpected, "Write figures with " + only
    assert set(allowed) <= set(stray), "No longer needed in the list"
