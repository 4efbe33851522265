"""The command line in this process, and small files for it."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer.core
import typer.main
from typer.testing import CliRunner, Result

from explorer.cli.app import app
from tests.support.lasting_store import lasting

# Six images worked by hand in test_golden.py. Mass is unknown in the last one; nobody has a pneumothorax.
LABELS = """\
image_id,center,patient,Normal,Mass,Pneumothorax
a,north,p1,0,1,0
b,north,p1,1,0,0
c,north,p2,0,1,0
d,south,p3,1,0,0
e,south,p4,1,0,0
f,south,p4,0,,0
"""
SCORES = """\
image_id,Normal,Mass,Pneumothorax
f,0.5,0.7,0.2
e,0.2,0.1,0.2
d,0.6,0.4,0.2
c,0.3,0.6,0.2
b,0.7,0.8,0.2
a,0.1,0.9,0.2
"""


def files(folder: Path, labels: str = LABELS, scores: str = SCORES) -> tuple[str, ...]:
    """Both files, as options."""
    (folder / "labels.csv").write_text(labels, encoding="utf-8")
    (folder / "scores.csv").write_text(scores, encoding="utf-8")
    return "--labels", str(folder / "labels.csv"), "--scores", str(folder / "scores.csv")


def run(*words: str) -> Result:
    """A command. An exception that is not a way to end is raised here, as a traceback.

    All have one store, as long as the page has its own: what it knows of a cohort is read again where files changed.
    """
    with lasting(), patch("typer.testing._get_command", lambda _: _command()):
        return CliRunner().invoke(app, words, catch_exceptions=False)


@functools.cache
def _command() -> typer.core.TyperGroup:
    """Of every command and option, which takes longer than most commands."""
    return typer.main.get_command(app)


def evaluated(*words: str) -> dict[str, Any]:
    """The table as JSON, few resamples unless told otherwise."""
    result = run("evaluate", "--resamples", "20", *words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def line(table: dict[str, Any], name: str, center: str | None = None) -> dict[str, Any]:
    """The one line of a name at a center."""
    (found,) = [each for each in table["lines"] if (each["name"], each["center"]) == (name, center)]
    return found
